"use strict";
// The clock and its buttons. A press is stamped at the touch, kept, and sent until the box has answered; each has a
// number, so that the box takes none twice. A button that is held for two seconds says something else.
(() => {
  const HELD = 2000;
  const AGAIN = 250;
  const PATIENCE = 4000;
  const TOLD = 6000;
  const WAITS = 700; // milliseconds after which a press that waits is said
  const FRESH = 2; // seconds: the box believes a stamp only of a phone that has heard it a moment ago
  const { state, here, boxTime, learn, contact, keep, onContact } = window.shinpanContact;
  const texts = document.body.dataset;
  const told = document.getElementById("told");
  const down = new Map();
  let store = "";
  let waiting = [];
  let made = 0;
  let sending = false;
  let toldUntil = 0;

  const origin = () => performance.timeOrigin / 1000;
  const begun = () => made + down.size; // a finger that is down may be a press of before the next answer

  function save() {
    if (store) localStorage.setItem(store, JSON.stringify({ made, waiting }));
  }

  // A page that was opened again goes on with what was kept; the times of touches are of this device's day.
  onContact((contact) => {
    if (store) return;
    store = `shinpan-phone-${contact.number}-${contact.name}`;
    const kept = JSON.parse(localStorage.getItem(store) || "null");
    const mine = waiting;
    made = Math.max(contact.last, kept ? kept.made : 0);
    waiting = kept ? kept.waiting.filter((one) => one.number > contact.last) : [];
    for (const one of mine) waiting.push({ ...one, number: ++made, run: one.run || state.run });
    save();
    send();
  });

  function say(text) {
    told.textContent = text;
    toldUntil = here() + TOLD / 1000;
  }

  function press(side, button, held, t) {
    const one = { number: ++made, side, button, held, at: t + origin(), run: state.run };
    waiting.push(one);
    save();
    navigator.vibrate?.(held ? [60, 60, 60] : 40);
    window.shinpanSound?.play(held ? "unfinished" : "legal");
    document.dispatchEvent(new CustomEvent("press", { detail: one }));
    send();
  }

  async function sendOne({ number, side, button, held, at, run }) {
    if (here() - state.at > FRESH) await contact(begun());
    const body = { number, side, button, held, run, heard: state.heard, t: boxTime(at - origin()) };
    const sent = here();
    const answer = await fetch("/phone/press", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      keepalive: true,
      signal: window.shinpanDeadline(PATIENCE),
    });
    if (answer.status === 403) location.replace("/phone?new");
    else if (answer.status === 422) say(await answer.text());
    else if (!answer.ok) throw new Error(answer.statusText);
    else {
      const { said } = learn(sent, await answer.json());
      if (said) say(said);
    }
  }

  // One after the other, so that they reach the box in their order.
  async function send() {
    if (sending || !store || state.offset === null) return;
    sending = true;
    try {
      while (waiting.length) {
        await sendOne(waiting[0]);
        waiting.shift();
        save();
      }
    } catch {
      setTimeout(send, AGAIN);
    } finally {
      sending = false;
    }
  }

  function tell() {
    const oldest = waiting[0];
    const late = oldest && here() + origin() - oldest.at > WAITS / 1000;
    document.body.classList.toggle("waits", Boolean(late));
    if (late) told.textContent = texts.waitsText;
    else if (here() > toldUntil || told.textContent === texts.waitsText) told.textContent = "";
    if (waiting.length) send();
  }

  // The widths of this device's digits, by which the style sheet makes them as large as a half allows.
  function measureDigits() {
    const context = document.createElement("canvas").getContext("2d");
    context.font = `700 100px ${getComputedStyle(document.body).fontFamily}`;
    const widest = Math.max(..."0123456789".split("").map((digit) => context.measureText(digit).width));
    document.documentElement.style.setProperty("--digit", widest / 100);
    document.documentElement.style.setProperty("--colon", context.measureText(":").width / 100);
  }

  const buttonOf = (event) => event.target.closest("[data-button]") || event.target.closest(".half")?.querySelector(".done");

  document.addEventListener("pointerdown", (event) => {
    const button = buttonOf(event);
    if (!button || event.button !== 0) return;
    const side = Number(button.closest("[data-side]").dataset.side);
    const name = button.dataset.button;
    const began = event.timeStamp / 1000;
    const hold = setTimeout(() => {
      down.delete(event.pointerId);
      press(side, name, true, began + HELD / 1000);
    }, HELD - (performance.now() - event.timeStamp));
    down.set(event.pointerId, { side, name, began, hold, button });
    button.classList.add("pressed");
    button.setPointerCapture?.(event.pointerId);
  });

  function up(event, counts) {
    const one = down.get(event.pointerId);
    document.querySelectorAll(".pressed").forEach((button) => (!one || button === one.button) && button.classList.remove("pressed"));
    if (!one) return;
    down.delete(event.pointerId);
    clearTimeout(one.hold);
    if (counts) press(one.side, one.name, false, one.began);
  }

  document.addEventListener("pointerup", (event) => up(event, true));
  document.addEventListener("pointercancel", (event) => up(event, false));
  document.addEventListener("contextmenu", (event) => event.preventDefault());
  measureDigits();
  setInterval(tell, 200);
  keep(begun);
  window.shinpanPresses = { waiting: () => waiting.length, made: () => made };
})();
