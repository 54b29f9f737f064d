"use strict";
// The director's desk: forms become acts, what the table waits for is one tap away, and a tap on the board names a point
// in the form that is open, or a turn to enter. On a phone the forms are a sheet that slides over the page.
window.shinpanDesk = (() => {
  const MARGIN = Number(document.body.dataset.margin);
  const CELL = Number(document.body.dataset.cell);
  const CALL = [400, 200, 400]; // milliseconds of vibration and rest
  const LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
  const token = document.body.dataset.token;

  const milliseconds = (text) =>
    text.split(":").reduce((seconds, part) => seconds * 60 + Number(part), 0) * (text.includes(":") ? 1000 : 60000);
  const READ = {
    whole: (field) => (field.value === "" ? undefined : parseInt(field.value, 10)),
    number: (field) => (field.value === "" ? undefined : Number(field.value)),
    time: (field) => (field.value.trim() === "" ? undefined : milliseconds(field.value.trim())),
    text: (field) => field.value.trim(),
    point: (field) => window.shinpanPoints.typed(field.value) || undefined,
    points: (field) => field.value.split(/[\s,]+/).filter(Boolean).map(window.shinpanPoints.typed),
  };

  function valueOf(field) {
    if (field.type === "checkbox") return field.checked;
    if (field.dataset.kind) return READ[field.dataset.kind](field);
    return field.value.trim() || undefined;
  }

  function bodyOf(form) {
    const body = {};
    for (const field of form.elements) {
      if (!field.name || field.closest("[data-field][hidden]")) continue;
      const value = valueOf(field);
      const [first, second] = field.name.split(".");
      if (value === undefined) continue;
      if (second) body[first] = { ...body[first], [second]: value };
      else body[first] = value;
    }
    return body;
  }

  // Asks whether to do it though that is lost; resolves to yes or no.
  function ask(lost) {
    const dialog = document.getElementById("sure");
    document.getElementById("lost-by-it").textContent = lost;
    dialog.returnValue = "no";
    dialog.showModal();
    return new Promise((decided) => {
      dialog.addEventListener("close", () => decided(dialog.returnValue === "yes"), { once: true });
    });
  }

  async function send(act, body) {
    const said = await fetch("director/acts", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Token": token },
      body: JSON.stringify({ act, ...body }),
    });
    if (said.status === 401) location.reload();
    // What is confirmed is this loss, and no other that has taken its place meanwhile.
    const sure = said.headers.get("X-Sure");
    if (said.status === 409) return (await ask(await said.text())) ? send(act, { ...body, sure }) : null;
    return said.ok ? { ok: true, text: (await said.json()).said.join(" ") } : { ok: false, text: await said.text() };
  }

  // Does it, and tells what came of it there; whether it was done.
  async function tell(answer, act, body) {
    answer.textContent = "";
    const told = await send(act, body).catch(() => ({ ok: false, text: document.body.dataset.lostText }));
    answer.textContent = told ? told.text : "";
    answer.classList.toggle("refused", Boolean(told && !told.ok));
    return Boolean(told && told.ok);
  }

  // What an act will do, in the box's words, above its button before it is pressed: the same plan, and nothing done.
  const [PAUSE, asked] = [250, new WeakMap()];
  async function preview(button) {
    const form = button.form;
    const place = form.querySelector(".will") || Object.assign(document.createElement("p"), { className: "will" });
    if (!place.isConnected) button.closest(".row").before(place);
    const lacks = (field) => !field.checkValidity() || (field.matches(".point") && !field.value && form.elements.turn.value === "place");
    const ready = [...form.elements].every((field) => field.name === "why" || !lacks(field));
    const turn = (asked.get(form) || 0) + 1;
    asked.set(form, turn);
    const found = ready ? await send(button.dataset.act, { ...bodyOf(form), preview: true }) : null;
    if (asked.get(form) !== turn) return;
    place.textContent = found?.ok ? named.dataset.will.replace("#", found.text) : "";
  }
  const forms = () => document.querySelectorAll("details.act[open] form");
  const buttonsOf = (form) => form.querySelectorAll("[type=submit][data-act]");
  function previewAll() {
    for (const form of forms()) if (form.id !== "lie-form" && buttonsOf(form)[0]) preview(buttonsOf(form)[0]).catch(() => {});
  }
  let soon = 0;
  for (const kind of ["input", "change"])
    document.addEventListener(kind, ({ target: { form } }) => {
      clearTimeout(soon);
      if (form && form.id !== "lie-form" && buttonsOf(form)[0]) soon = setTimeout(() => preview(buttonsOf(form)[0]).catch(() => {}), PAUSE);
    });
  for (const kind of ["pointerover", "focusin"])
    document.addEventListener(kind, ({ target }) => {
      if (target.matches?.("details.act form:not(#lie-form) [type=submit][data-act]")) preview(target).catch(() => {});
    });

  async function submit(form, act, body) {
    if (!(await tell(form.querySelector(".answer"), act, body))) return;
    for (const field of form.querySelectorAll("[name=why], .point, .points")) field.value = "";
    for (const field of form.querySelectorAll("[data-follows]")) delete field.dataset.chosen;
    follow();
  }

  // What can be done now

  const main = document.querySelector("main");
  const named = document.getElementById("named");
  const nowAnswer = document.getElementById("now-answer");
  const taps = () => document.querySelector('[data-now="taps"]');

  // The fields for a player name whose turn it is, until the director chooses somebody else.
  function follow() {
    const { toPlay, asked, fits } = taps().dataset;
    // What cannot apply is not there; what is open stays, so that nothing goes away under the thumb.
    for (const part of document.querySelectorAll("[data-needs]")) part.hidden = !part.open && !fits.split(" ").includes(part.dataset.needs);
    for (const field of document.querySelectorAll("[data-follows]"))
      if (!field.dataset.chosen) field.value = (field.dataset.follows === "asked" ? asked : toPlay) || field.value;
  }

  // Sound on is also the wish to be told while the page is out of sight, where the browser allows that.
  document.getElementById("sound").addEventListener("click", () => {
    if (window.Notification?.permission === "default") Notification.requestPermission();
  });
  async function notify(text) {
    if (!document.hidden || window.Notification?.permission !== "granted") return;
    const worker = await navigator.serviceWorker?.getRegistration();
    const told = { tag: "called", vibrate: CALL };
    if (worker) worker.showNotification(text, told);
    else new Notification(text, told);
  }

  // What has come under the thumb, or has moved there, by what others did: a tap was meant for what lay there before.
  const [SETTLES, OWN] = [1000, 500]; // milliseconds; what changes so soon after an act is what the act has changed
  const known = new Map();
  const changed = new Map();
  let actedAt = -Infinity;
  const tapped = () => document.querySelectorAll(".bar button, #board svg");
  function seen(one) {
    const { left, top, width } = one.getBoundingClientRect();
    const fixed = one.closest(".bar") && getComputedStyle(one.closest(".bar")).position === "fixed";
    const words = one.matches("button") ? one.textContent : "";
    return { words, place: [left, fixed ? top : top + scrollY, width].join(" ") };
  }
  function compare() {
    const now = performance.now();
    const before = new Map(known);
    known.clear();
    for (const one of tapped()) {
      if (!one.getClientRects().length) continue;
      const [was, is] = [before.get(one), seen(one)];
      known.set(one, is);
      if (!before.size || now - actedAt < OWN || (was?.words === is.words && was.place === is.place)) continue;
      changed.set(one, { at: now, renamed: was?.words !== is.words });
    }
  }
  // A key is pressed on what has the focus, wherever that has moved.
  function settled(one, byKey = false) {
    const last = changed.get(one);
    return !last || performance.now() - last.at > SETTLES || (byKey && !last.renamed);
  }
  compare();
  addEventListener("resize", () => known.clear());

  async function renew() {
    compare(); // the page above has been exchanged already
    const answer = await fetch("director/now", { cache: "no-store" });
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const called = taps().dataset.called;
    const within = document.querySelector(".bar").contains(document.activeElement);
    for (const other of fresh.querySelectorAll("[data-now]")) {
      window.shinpanSteps.morph(document.querySelector(`[data-now="${other.dataset.now}"]`), other);
    }
    named.replaceChildren();
    compare();
    if (within && document.activeElement === document.body) document.querySelector(".bar .row").focus();
    follow();
    if (taps().dataset.called === "true" && called !== "true") {
      navigator.vibrate?.(CALL);
      window.shinpanSound.play("called");
      notify(document.querySelector("h1").textContent).catch(() => {});
    }
  }

  document.querySelector(".bar").addEventListener("click", async (event) => {
    const button = event.target.closest("[data-body]");
    if (!button) return;
    if (!settled(button, event.detail === 0)) {
      nowAnswer.textContent = named.dataset.changed;
      return;
    }
    actedAt = performance.now();
    const { act, ...body } = JSON.parse(button.dataset.body);
    const { undo: seconds, sure } = button.dataset;
    if (sure && !(await ask(sure))) return;
    const done = await tell(nowAnswer, act, body);
    actedAt = performance.now();
    named.replaceChildren();
    offerUndo(done ? Number(seconds || 0) : 0);
  });

  // The box decides whether it is too late; here the offer goes after as many seconds.
  let undoTimer = 0;
  function offerUndo(seconds) {
    clearTimeout(undoTimer);
    const button = document.getElementById("undo");
    button.hidden = !seconds;
    if (seconds) undoTimer = setTimeout(() => (button.hidden = true), seconds * 1000);
  }

  // A point that was tapped with no form open: one more tap enters it for whose turn it is.
  function offer(point) {
    const { toPlay: player, last } = taps().dataset;
    const { text, why } = named.dataset;
    const button = Object.assign(document.createElement("button"), { type: "button", className: "main" });
    button.textContent = text.replace("@", named.dataset[player.toLowerCase()]).replace("#", window.shinpanPoints.shown(point));
    button.dataset.body = JSON.stringify({ act: "enter", player, turn: "place", point, last: Number(last), why });
    button.dataset.undo = named.dataset.undo;
    named.replaceChildren(button);
  }

  function openSheet(open) {
    document.body.classList.toggle("acting", open);
    if (open) document.getElementById("sheet").dataset.first = taps().dataset.first;
    const opener = document.getElementById("open");
    opener.setAttribute("aria-expanded", String(open));
    if (open) window.scrollTo(0, 0);
    else opener.focus();
  }

  document.getElementById("open").addEventListener("click", () => openSheet(!document.body.classList.contains("acting")));
  document.getElementById("close").addEventListener("click", () => openSheet(false));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && document.body.classList.contains("acting") && !document.querySelector("dialog[open]")) openSheet(false);
  });
  document.addEventListener("change", (event) => {
    if (event.target.dataset.follows) event.target.dataset.chosen = "yes";
  });
  // The acts that are asked for most, one tap from their fields.
  document.querySelector(".acts").addEventListener("click", (event) => {
    const button = event.target.closest("[data-act-of]");
    if (!button) return;
    const part = document.getElementById(button.dataset.actOf);
    const step = document.getElementById("step");
    part.hidden = false;
    part.open = true;
    if (button.dataset.step) {
      step.value = button.dataset.step;
      step.dispatchEvent(new Event("change", { bubbles: true }));
    }
    (button.dataset.step ? step.form : part).scrollIntoView({ block: "start" });
    part.querySelector("summary").focus({ preventScroll: true });
  });
  for (const part of document.querySelectorAll("details.act")) {
    part.addEventListener("toggle", () => part.open && previewAll());
    part.addEventListener("toggle", () => part.open && document.body.classList.contains("acting") && part.scrollIntoView());
  }
  // A link to a form, such as the page's to the choice of rules, finds it open.
  function openLinked() {
    const part = document.getElementById(location.hash.slice(1))?.closest("details.act");
    if (!part) return;
    openSheet(true);
    part.hidden = false;
    part.open = true;
  }
  window.addEventListener("hashchange", openLinked);
  openLinked();
  new MutationObserver(() => renew().catch(() => {})).observe(main, { attributeFilter: ["data-version"] });
  renew().catch(() => {});

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
    const point = svg && settled(svg) && pointAt(svg, event);
    if (!point) return;
    actedAt = performance.now();
    const [one, many] = [".point", ".points"].map((field) => {
      const found = document.querySelector(`details.act[open] ${field}`);
      return found?.checkVisibility() ? found : null;
    });
    if (!one && !many) offer(point);
    if (one) one.value = window.shinpanPoints.shown(point);
    if (many) {
      const named = new Set(READ.points(many));
      if (!named.delete(point)) named.add(point);
      many.value = Array.from(named, window.shinpanPoints.shown).join(" ");
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
  function explainTime() {
    const options = Array.from(document.querySelectorAll("#controls option"));
    const text = control.value.trim();
    const known = options.find((option) => option.value === text);
    hint.textContent = known ? known.dataset.meaning : text ? usual : hint.dataset.none;
  }
  control.addEventListener("input", explainTime);
  control.addEventListener("change", explainTime);
  rules.addEventListener("change", explain);
  for (const preset of document.querySelectorAll("[data-control]"))
    preset.addEventListener("click", () => {
      control.value = preset.dataset.control;
      explainTime();
    });

  // Of a clock act only the fields that it has.
  const step = document.getElementById("step");
  function guide() {
    const wanted = step.selectedOptions[0].dataset.fields.split(" ");
    for (const label of document.querySelectorAll("[data-field]")) label.hidden = !wanted.includes(label.dataset.field);
  }
  step.addEventListener("change", guide);
  guide();
  explain();
  return { submit, settled };
})();
