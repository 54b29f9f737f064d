"use strict";
// The page's voice, off until it is turned on: plays the clips that the box serves. What is new of the table is said, once;
// what the table shows no more is left out; over the last ten seconds of a running clock only the count is said.
window.shinpanVoice = (() => {
  const MOVES = "shinpan-voice-moves";
  const COUNTS_FOR = 600; // milliseconds within which a counted second is said, or never
  const LOOK_UP = 100;
  const COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
  const STEPS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
  const button = document.getElementById("voice");
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
    const answer = await fetch(`${address}lang=${lang}`, { cache: "no-store" });
    return answer.ok ? answer.json() : Promise.reject(await answer.text());
  }

  async function hear() {
    if (!on) return;
    const mine = ++fetching;
    const { said, silent: begins, counts } = await json("voice.json?");
    if (mine !== fetching || !on) return;
    if (known === null) for (const clip of counts) fetch(clip).catch(() => {});
    silent = begins;
    const there = new Set(said.map((one) => one.about));
    // Who turns it on hears how things stand.
    const fresh = known === null ? said.filter((one) => one.kind === "ruling").slice(-1) : said.filter((one) => !known.has(one.about) && (moves.checked || one.kind !== "move"));
    waiting = [...waiting.filter((one) => one.kind === "read" || there.has(one.about)), ...fresh.map((one) => ({ ...one, at: performance.now() }))];
    known = there;
    goOn();
  }

  const lasts = (seconds) => silent !== null && now() + seconds > silent;

  function next() {
    waiting = waiting.filter((one) => one.kind !== "count" || performance.now() - one.at < COUNTS_FOR);
    const counted = waiting.find((one) => one.kind === "count");
    const one = counted || (lasts(0) ? undefined : waiting[0]);
    waiting = waiting.filter((other) => other !== one);
    return one;
  }

  async function goOn() {
    if (playing) return;
    const one = next();
    if (!one) return;
    playing = { one, clip: null };
    try {
      for (const address of one.clips) await play(one, address);
    } catch (error) {
      if (error instanceof Error && error.name === "NotAllowedError") turn(false);
    }
    playing = null;
    if (waiting.length) setTimeout(goOn, lasts(0) ? LOOK_UP : 0);
  }

  async function play(one, address) {
    const clip = new Audio(address);
    await new Promise((ready, failed) => {
      clip.addEventListener("loadedmetadata", ready, { once: true });
      clip.addEventListener("error", () => failed(new Error("no clip")), { once: true });
      clip.load();
    });
    if (!on) return;
    if (one.kind !== "count" && lasts(clip.duration)) {
      if (known?.has(one.about)) waiting.unshift(one);
      throw "later";
    }
    playing.clip = clip;
    await clip.play();
    button.dataset.played = [button.dataset.played, one.text].filter(Boolean).slice(-20).join("\n");
    await new Promise((ended) => ["ended", "pause", "error"].forEach((name) => clip.addEventListener(name, ended, { once: true })));
  }

  // Another's clock runs: its last seconds begin earlier than it seemed.
  function breakOff() {
    if (playing?.clip && playing.one.kind !== "count" && lasts(0)) playing.clip.pause();
    else if (!playing && waiting.length) goOn();
  }

  function turn(wanted) {
    on = wanted;
    button.setAttribute("aria-pressed", String(on));
    button.querySelector(".words").textContent = on ? button.dataset.on : button.dataset.off;
    document.getElementById("voice-moves").hidden = !on;
    known = null;
    waiting = [];
    if (!on) playing?.clip?.pause();
  }

  async function read(point) {
    try {
      const { point: name, text, clips } = await json(`point.json?at=${encodeURIComponent(point)}&`);
      asked.value = name;
      told.textContent = text;
      if (!on) return;
      waiting = [...waiting.filter((one) => one.kind !== "read"), { about: "read", kind: "read", text, clips }];
      if (playing?.one.kind === "read") playing.clip?.pause();
      goOn();
    } catch (refusal) {
      told.textContent = String(refusal);
    }
  }

  function beside([right, up]) {
    const column = COLUMNS.indexOf(asked.value.slice(0, 1).toUpperCase()) + right;
    const row = Number(asked.value.slice(1)) + up;
    return column >= 0 && row > 0 && COLUMNS[column] ? COLUMNS[column] + row : null;
  }

  button.hidden = false;
  moves.checked = localStorage.getItem(MOVES) === "1";
  moves.addEventListener("change", () => localStorage.setItem(MOVES, moves.checked ? "1" : "0"));
  button.addEventListener("click", () => {
    turn(!on);
    hear().catch(() => {});
  });
  panel.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    read(asked.value);
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
  setInterval(breakOff, LOOK_UP);
  return { hear: () => hear().catch(() => {}), follow: (clock) => (now = clock) };
})();
