"use strict";
// The director's desk: forms become acts, and a tap on the board names a point in the form that is open.
window.shinpanDesk = (() => {
  const MARGIN = 38;
  const CELL = 40;
  const LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
  const token = document.body.dataset.token;

  const milliseconds = (text) =>
    text.split(":").reduce((seconds, part) => seconds * 60 + Number(part), 0) * (text.includes(":") ? 1000 : 60000);
  const READ = {
    whole: (field) => (field.value === "" ? undefined : parseInt(field.value, 10)),
    number: (field) => (field.value === "" ? undefined : Number(field.value)),
    time: (field) => (field.value.trim() === "" ? undefined : milliseconds(field.value.trim())),
    text: (field) => field.value.trim(),
    points: (field) => field.value.toUpperCase().split(/[\s,]+/).filter(Boolean),
  };

  function valueOf(field) {
    if (field.type === "checkbox") return field.checked;
    if (field.dataset.kind) return READ[field.dataset.kind](field);
    return field.value.trim() || undefined;
  }

  function bodyOf(form) {
    const body = {};
    for (const field of form.elements) {
      if (!field.name) continue;
      const value = valueOf(field);
      const [first, second] = field.name.split(".");
      if (value === undefined) continue;
      if (second) body[first] = { ...body[first], [second]: value };
      else body[first] = value;
    }
    return body;
  }

  async function send(act, body) {
    const said = await fetch("director/acts", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Token": token },
      body: JSON.stringify({ act, ...body }),
    });
    if (said.status === 401) location.reload();
    return said.ok ? { ok: true, text: (await said.json()).said.join(" ") } : { ok: false, text: await said.text() };
  }

  async function submit(form, act, body) {
    const answer = form.querySelector(".answer");
    const told = await send(act, body).catch(() => ({ ok: false, text: document.body.dataset.lostText }));
    answer.textContent = told.text;
    answer.classList.toggle("refused", !told.ok);
    if (told.ok) for (const field of form.querySelectorAll("[name=why], .point, .points")) field.value = "";
  }

  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (!button || !button.dataset.act || event.target.id === "lie-form") return;
    event.preventDefault();
    submit(event.target, button.dataset.act, bodyOf(event.target));
  });

  function pointAt(svg, event) {
    const box = svg.getBoundingClientRect();
    const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    const col = Math.round((((event.clientX - box.left) / box.width) * width - MARGIN) / CELL);
    const row = Math.round((((event.clientY - box.top) / box.height) * height - MARGIN) / CELL);
    const [cols, rows] = [(width - 2 * MARGIN) / CELL + 1, (height - 2 * MARGIN) / CELL + 1];
    return col >= 0 && col < cols && row >= 0 && row < rows ? `${LETTERS[col]}${rows - row}` : null;
  }

  document.addEventListener("click", (event) => {
    const svg = event.target instanceof Element ? event.target.closest("#board svg") : null;
    const point = svg && pointAt(svg, event);
    if (!point) return;
    const one = document.querySelector("details[open] .point");
    const many = document.querySelector("details[open] .points");
    if (one) one.value = point;
    if (many) {
      const named = new Set(READ.points(many));
      if (!named.delete(point)) named.add(point);
      many.value = Array.from(named).join(" ");
    }
  });

  document.getElementById("leave").addEventListener("click", async () => {
    await fetch("director/session", { method: "DELETE", headers: { "X-Token": token } });
    location.reload();
  });

  document.getElementById("fill-clocks").addEventListener("click", async () => {
    const { clocks } = await (await fetch("status.json")).json();
    const written = (ms) => {
      const seconds = Math.ceil(ms / 1000);
      return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    };
    for (const [player, face] of Object.entries(clocks ? clocks.players : {})) {
      for (const key of ["main", "period", "periods", "stones"]) {
        const field = document.querySelector(`#clocks-form [name="${player}.${key}"]`);
        field.value = field.dataset.kind === "time" ? written(face[key]) : face[key];
      }
    }
  });

  const rules = document.getElementById("rules");
  const control = document.getElementById("control");
  function explain() {
    const chosen = rules.selectedOptions[0].dataset;
    document.getElementById("rules-meaning").textContent = chosen.meaning;
    document.getElementById("komi").placeholder = chosen.komi;
  }
  const hint = document.getElementById("control-meaning");
  const usual = hint.textContent;
  control.addEventListener("input", () => {
    const options = Array.from(document.querySelectorAll("#controls option"));
    const known = options.find((option) => option.value === control.value.trim());
    hint.textContent = known ? known.dataset.meaning : usual;
  });
  rules.addEventListener("change", explain);
  explain();
  return { submit };
})();
