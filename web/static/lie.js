"use strict";
// Where board and lids lie: corners and boxes are dragged over the live picture, and the grid is drawn at once.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const section = document.getElementById("act-lie");
  const drawing = document.getElementById("lie-drawing");
  const picture = document.getElementById("lie-picture");
  const size = document.getElementById("lie-size");
  const form = document.getElementById("lie-form");
  let place = null;
  let asked = 0;

  // The matrix that takes the unit square to four corners, clockwise from 0, 0.
  function projection([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]) {
    const [dx1, dx2, dx3] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
    const [dy1, dy2, dy3] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
    const whole = dx1 * dy2 - dx2 * dy1;
    const [g, h] = [(dx3 * dy2 - dx2 * dy3) / whole, (dx1 * dy3 - dx3 * dy1) / whole];
    const [a, b] = [x1 - x0 + g * x1, x3 - x0 + h * x3];
    const [d, e] = [y1 - y0 + g * y1, y3 - y0 + h * y3];
    return (u, v) => {
      const w = g * u + h * v + 1;
      return [(a * u + b * v + x0) / w, (d * u + e * v + y0) / w];
    };
  }

  function grid() {
    const at = projection(place.corners);
    const lines = Number(size.value);
    const line = (from, to) => `M${at(...from).map((n) => n.toFixed(1))}L${at(...to).map((n) => n.toFixed(1))}`;
    const steps = Array.from({ length: lines }, (_, i) => i / (lines - 1));
    return steps.map((s) => line([s, 0], [s, 1]) + line([0, s], [1, s])).join("");
  }

  function made(name, attributes) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  }

  // Each handle: where it is, what moving it does, what it is called.
  function handles() {
    const corners = place.corners.map((corner, i) => ({
      key: `corner-${i}`,
      name: drawing.dataset.corner.replace("#", i + 1),
      at: () => corner,
      move: (dx, dy) => corner.splice(0, 2, corner[0] + dx, corner[1] + dy),
    }));
    const lids = place.lids.flatMap((lid, i) => [
      {
        key: `lid-${i}`,
        name: drawing.dataset.lid.replace("#", i + 1),
        at: () => [lid[0] + lid[2] / 2, lid[1] + lid[3] / 2],
        move: (dx, dy) => lid.splice(0, 2, lid[0] + dx, lid[1] + dy),
      },
      {
        key: `lid-size-${i}`,
        name: drawing.dataset.lidSize.replace("#", i + 1),
        at: () => [lid[0] + lid[2], lid[1] + lid[3]],
        move: (dx, dy) => lid.splice(2, 2, Math.max(lid[2] + dx, 8), Math.max(lid[3] + dy, 8)),
      },
    ]);
    return [...corners, ...lids];
  }

  function place_at(circle, handle) {
    const [x, y] = handle.at();
    circle.setAttribute("cx", x);
    circle.setAttribute("cy", y);
    circle.setAttribute("aria-valuetext", `${Math.round(x)}, ${Math.round(y)}`);
    circle.setAttribute("aria-valuenow", Math.round(x));
  }

  function redraw() {
    drawing.querySelector(".grid").setAttribute("d", grid());
    const boxes = place.lids.map(([x, y, w, h]) => `M${x} ${y}h${w}v${h}h${-w}z`).join("");
    drawing.querySelector(".boxes").setAttribute("d", boxes);
    for (const handle of handles()) {
      const circle = drawing.querySelector(`[data-key="${handle.key}"]`);
      if (circle) place_at(circle, handle);
    }
  }

  function draw() {
    const radius = place.width / 90;
    drawing.setAttribute("viewBox", `0 0 ${place.width} ${place.height}`);
    drawing.replaceChildren(made("path", { class: "grid" }), made("path", { class: "boxes" }));
    for (const handle of handles()) {
      const circle = made("circle", {
        r: radius, tabindex: 0, role: "slider", "aria-label": handle.name, "data-key": handle.key, class: "handle",
        "aria-valuemin": 0, "aria-valuemax": place.width,
      });
      const step = (dx, dy) => {
        handle.move(dx, dy);
        redraw();
      };
      circle.addEventListener("keydown", (event) => {
        const by = event.shiftKey ? 10 : 1;
        const to = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, -by], ArrowDown: [0, by] }[event.key];
        if (!to) return;
        event.preventDefault();
        event.stopPropagation();
        step(...to);
      });
      circle.addEventListener("pointerdown", (event) => circle.setPointerCapture(event.pointerId));
      circle.addEventListener("pointermove", (event) => {
        if (!circle.hasPointerCapture(event.pointerId)) return;
        const scale = place.width / drawing.getBoundingClientRect().width;
        const [x, y] = handle.at();
        const box = drawing.getBoundingClientRect();
        step((event.clientX - box.left) * scale - x, (event.clientY - box.top) * scale - y);
      });
      drawing.append(circle);
    }
    redraw();
  }

  async function load() {
    picture.src = `${picture.dataset.src}?n=${++asked}`;
    const answer = await fetch("director/place.json");
    if (!answer.ok) {
      form.querySelector(".answer").textContent = await answer.text();
      return;
    }
    const found = await answer.json();
    const [w, h] = [found.width, found.height];
    const inner = [[w * 0.3, h * 0.2], [w * 0.7, h * 0.2], [w * 0.7, h * 0.8], [w * 0.3, h * 0.8]];
    place = { ...found, corners: found.corners.length ? found.corners : inner };
    if (found.size) {
      if (!Array.from(size.options).some((one) => one.value === String(found.size))) size.append(new Option(found.size));
      size.value = found.size;
    }
    draw();
  }

  section.addEventListener("toggle", () => section.open && load().catch(() => {}));
  document.getElementById("lie-again").addEventListener("click", () => load().catch(() => {}));
  size.addEventListener("change", () => place && redraw());
  document.getElementById("lie-lids")?.addEventListener("click", () => {
    if (!place) return;
    const [w, h] = [place.width, place.height];
    const side = h / 5;
    place.lids = place.lids.length ? [] : [[w * 0.05, h * 0.1, side, side], [w * 0.95 - side, h * 0.7, side, side]];
    draw();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!place) return;
    const { corners, lids } = place;
    window.shinpanDesk.submit(form, "calibrate", { size: Number(size.value), corners, lids });
  });
})();
