"use strict";
// The page's voice, off until it is turned on: plays the clips that the box serves, or lets the browser speak where the box
// has no voice. What is new of the table is said, once; what the table shows no more is left out; over the last ten seconds
// of a running clock only the count is said. A phone that is a clock says what its own lamps are lit for, by the switch of
// its sounds.
window.shinpanVoice = (() => {
  const MOVES = "shinpan-voice-moves";
  const COUNTS_FOR = 0.6; // seconds within which a counted second is said, or never
  const LAST = 10; // seconds over which only the count is said
  const LETTERS = 13; // that a browser speaks in a second
  const HANGS = 3; // seconds after which a browser that does not say that it has spoken is not waited for
  const LOOK_UP = 100;
  const COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
  const STEPS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
  const clock = document.body.classList.contains("clock-page");
  const button = document.getElementById("voice");
  const log = (button || document.body).dataset;
  const root = document.body.dataset.root || "";
  const panel = document.getElementById("read");
  const asked = document.getElementById("read-point");
  const told = document.getElementById("read-said");
  const moves = document.querySelector("#voice-moves input");
  const lang = document.documentElement.lang;
  let on = false;
  let known = null; // what the table showed last, by what it is about
  let silent = null; // when the last ten seconds begin, on the box's clock
  let now = () => 0;
  let waiting = [];
  let playing = null; // what is said, and the clip that sounds
  let fetching = 0;

  async function json(address) {
    const answer = await fetch(`${root}${address}lang=${lang}`, { cache: "no-store" });
    return answer.ok ? answer.json() : Promise.reject(await answer.text());
  }

  async function hear() {
    if (!on) return;
    const mine = ++fetching;
    const { said, silent: begins, counts } = await json("voice.json?");
    if (mine !== fetching || !on) return;
    if (known === null) for (const clip of counts) fetch(root + clip).catch(() => {});
    silent = begins;
    const there = new Set(said.map((one) => one.about));
    // Who turns it on hears how things stand.
    const fresh = known === null ? said.filter((one) => one.kind === "ruling").slice(-1) : said.filter((one) => !known.has(one.about) && (moves?.checked || one.kind !== "move"));
    waiting = [...waiting.filter((one) => one.kind === "read" || there.has(one.about)), ...fresh.filter(isOwn)];
    known = there;
    goOn();
  }

  const isOwn = ({ kind }) => !clock || Boolean(document.querySelector(kind === "count" ? ".clock.running" : ".lit:not(.off)"));

  // By the box's clock, however long the network took.
  const isLate = ({ about }) => silent !== null && now() - (silent + LAST - Number(about.split(" ")[1])) > COUNTS_FOR;

  const lasts = (seconds) => silent !== null && now() + seconds > silent;

  function next() {
    waiting = waiting.filter((one) => one.kind !== "count" || !isLate(one));
    const counted = waiting.find((one) => one.kind === "count");
    const one = counted || (lasts(0) ? undefined : waiting[0]);
    waiting = waiting.filter((other) => other !== one);
    return one;
  }

  async function goOn() {
    if (playing) return;
    const one = next();
    if (!one) return;
    playing = { one, stop: null, noted: false };
    try {
      await sayIt(one);
    } catch (error) {
      if (button && error instanceof Error && error.name === "NotAllowedError") turn(false);
    }
    playing = null;
    if (waiting.length) setTimeout(goOn, lasts(0) ? LOOK_UP : 0);
  }

  async function sayIt(one) {
    for (const address of one.clips) {
      const clip = await load(address);
      if (clip) await begin(one, clip.duration, () => sound(one, clip));
      else if (address === one.clips[0]) return begin(one, one.text.length / LETTERS, () => speak(one));
    }
  }

  // A clip that is ready to play, null if the box cannot make it.
  function load(address) {
    const clip = new Audio(root + address);
    return new Promise((ready) => {
      clip.addEventListener("loadedmetadata", () => ready(clip), { once: true });
      clip.addEventListener("error", () => ready(null), { once: true });
      clip.load();
    });
  }

  async function begin(one, seconds, start) {
    if (!on) return;
    if (one.kind !== "count" && lasts(seconds)) {
      if (known?.has(one.about)) waiting.unshift(one);
      throw "later";
    }
    await start();
  }

  async function sound(one, clip) {
    playing.stop = () => clip.pause();
    const ended = new Promise((over) => ["ended", "pause", "error"].forEach((name) => clip.addEventListener(name, over, { once: true })));
    await clip.play();
    note(one);
    await ended;
  }

  async function speak(one) {
    const said = new SpeechSynthesisUtterance(one.text);
    said.lang = lang;
    playing.stop = () => speechSynthesis.cancel();
    const ended = new Promise((over) => {
      ["end", "error"].forEach((name) => said.addEventListener(name, over, { once: true }));
      setTimeout(over, 1000 * (one.text.length / LETTERS + HANGS));
    });
    speechSynthesis.speak(said);
    note(one);
    await ended;
  }

  function note(one) {
    if (playing.noted) return; // a sentence of several clips
    playing.noted = true;
    log.played = [log.played, one.text].filter(Boolean).slice(-20).join("\n");
  }

  // Another's clock runs: its last seconds begin earlier than it seemed.
  function breakOff() {
    if (playing?.stop && playing.one.kind !== "count" && lasts(0)) playing.stop();
    else if (!playing && waiting.length) goOn();
  }

  function turn(wanted) {
    on = wanted;
    known = null;
    waiting = [];
    if (!on) playing?.stop?.();
    if (!button) return;
    button.setAttribute("aria-pressed", String(on));
    button.querySelector(".words").textContent = on ? button.dataset.on : button.dataset.off;
    document.getElementById("voice-moves").hidden = !on;
  }

  async function read(point) {
    try {
      const { point: name, text, clips } = await json(`point.json?at=${encodeURIComponent(point)}&`);
      asked.value = window.shinpanPoints.shown(name);
      told.textContent = text;
      if (!on) return;
      waiting = [...waiting.filter((one) => one.kind !== "read"), { about: "read", kind: "read", text, clips }];
      if (playing?.one.kind === "read") playing.stop?.();
      goOn();
    } catch (refusal) {
      told.textContent = String(refusal);
    }
  }

  function beside([right, up]) {
    const point = window.shinpanPoints.typed(asked.value);
    const column = COLUMNS.indexOf(point.slice(0, 1)) + right;
    const row = Number(point.slice(1)) + up;
    return column >= 0 && row > 0 && COLUMNS[column] ? COLUMNS[column] + row : null;
  }

  // The page's own switch, and the points that are read out.
  function offer() {
    button.hidden = false;
    moves.checked = localStorage.getItem(MOVES) === "1";
    moves.addEventListener("change", () => localStorage.setItem(MOVES, moves.checked ? "1" : "0"));
    button.addEventListener("click", () => {
      turn(!on);
      hear().catch(() => {});
    });
    panel.querySelector("form").addEventListener("submit", (event) => {
      event.preventDefault();
      read(window.shinpanPoints.typed(asked.value));
    });
    asked.addEventListener("keydown", (event) => {
      const point = STEPS[event.key] && beside(STEPS[event.key]);
      if (!point) return;
      event.preventDefault();
      read(point);
    });
    document.addEventListener("keydown", (event) => {
      if (event.key !== "r" || event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
      event.preventDefault();
      panel.open = true;
      asked.focus();
    });
  }

  if (button) offer();
  else
    window.shinpanSound.onTurn((wanted) => {
      turn(wanted);
      hear().catch(() => {});
    });
  setInterval(breakOff, LOOK_UP);
  return { hear: () => hear().catch(() => {}), follow: (clock) => (now = clock) };
})();
