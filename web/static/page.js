"use strict";
// Keeps the page as the box would draw it now: hears of changes by events, or asks every two seconds where that fails,
// fetches the parts that differ, and changes of these what is other. Without contact every number stands as it was.
(() => {
  const ASK_AGAIN = 2000;
  const STREAM_AGAIN = 15; // so many answers to asking, and the events are tried again
  const SILENCE = 12000; // longer than two heartbeats
  const PICTURE_AGAIN = 5000;
  const TICK = 200;
  const SOON = 10; // seconds of a clock that stand out
  const OF_A_PLACE = ["banner", "board", "steps", "players", "ruling"];
  const steps = window.shinpanSteps;
  const sound = window.shinpanSound;
  const voice = window.shinpanVoice;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const roomy = matchMedia("(min-aspect-ratio: 5/4) and (min-width: 100rem)");
  const opened = new Set();
  const texts = document.body.dataset;
  const parts = texts.parts || "parts";
  const root = texts.root || ""; // the way from a page beneath to the box's first
  const main = document.querySelector("main");
  const link = document.getElementById("link");
  const lost = document.getElementById("lost");
  const camera = document.getElementById("camera");
  const picture = document.getElementById("picture");
  const noPicture = document.querySelector(".no-picture");
  let source = null;
  let timer = 0;
  let answers = 0;
  let pictures = 0;
  let refreshing = false;
  let wanted = main.dataset.version;
  let boxAhead = null; // seconds by which the box's clock is ahead of this page's
  let heard = Number(texts.heard) || Date.now(); // a page that the worker kept is as old as that
  let heardAt = here(); // the same on the page's own clock

  function here() {
    return performance.now() / 1000;
  }

  function contact() {
    heard = Date.now();
    heardAt = here();
  }

  function show(state, text) {
    const gone = state === "lost";
    if (gone && lost.hidden) {
      runClocks(heardAt);
      keepPage().catch(() => {});
      const since = new Date(heard).toLocaleTimeString(document.documentElement.lang);
      lost.textContent = texts.sinceText.split("#").join(since);
    }
    lost.hidden = !gone;
    document.body.classList.toggle("is-lost", gone);
    if (link.dataset.state !== state) {
      link.dataset.state = state;
      link.textContent = text;
    }
  }

  // For the worker: the page as it is now, to be shown while there is no contact.
  async function keepPage() {
    if (!window.caches || texts.parts || texts.heard || location.search || !steps.live()) return;
    const html = `<!doctype html>${document.documentElement.outerHTML}`;
    const kept = new Response(html, { headers: { "Content-Type": "text/html", Date: new Date(heard).toUTCString() } });
    await (await caches.open("shinpan-page")).put(location.href.split("#")[0], kept);
  }

  const stones = (board) => board.querySelectorAll("[data-stones] circle");
  const placeOf = (stone) => `${stone.parentNode.getAttribute("fill")} ${stone.getAttribute("cx")} ${stone.getAttribute("cy")}`;

  function taken(before, after) {
    const there = new Set(Array.from(stones(after), placeOf));
    return Array.from(stones(before)).filter((stone) => !there.has(placeOf(stone))).map((stone) => {
      const ghost = stone.parentNode.cloneNode(false);
      ghost.classList.add("gone");
      ghost.append(stone.cloneNode());
      ghost.addEventListener("animationend", () => ghost.remove());
      return ghost;
    });
  }

  function replace(part, other) {
    if (other.hasAttribute("data-grown")) {
      steps.grow(part, other.children);
      return;
    }
    const ghosts = part.dataset.live === "board" && !still.matches ? taken(part, other) : [];
    steps.morph(part, other);
    if (ghosts.length) document.querySelector("#board svg").append(...ghosts);
  }

  function exchange(text) {
    const fresh = new DOMParser().parseFromString(text, "text/html");
    const { version, sight } = fresh.querySelector("main").dataset;
    if (version === main.dataset.version) return;
    for (const other of fresh.querySelectorAll("[data-live]")) {
      const name = other.dataset.live;
      const part = document.querySelector(`[data-live="${name}"]`);
      if (name === "ruling") sound?.play(other.dataset.kind);
      if (part && (steps.live() || !OF_A_PLACE.includes(name))) replace(part, other);
    }
    steps.news();
    openWhereRoom();
    if (steps.live()) steps.mark();
    else steps.again().catch(() => {});
    Object.assign(main.dataset, { version, sight });
    document.title = fresh.title;
    showPicture();
  }

  // Beside a large board there is room for what a smaller one opens only if asked.
  function openWhereRoom() {
    if (!roomy.matches || texts.token) return;
    for (const one of document.querySelectorAll(".side details:not(.bars)")) {
      if (!opened.has(one.id)) one.open = true;
      opened.add(one.id);
    }
  }

  async function fetchChanges() {
    const known = main.dataset.version;
    const address = `${parts}?since=${known}&lang=${document.documentElement.lang}`;
    const answer = await fetch(address, { cache: "no-store", signal: window.shinpanDeadline(SILENCE / 2) });
    if (!answer.ok) throw new Error(answer.statusText);
    const text = await answer.text();
    contact();
    if (main.dataset.version === known) exchange(text);
    else await fetchChanges(); // somebody else was faster, and what is new is other now
  }

  async function refresh(version) {
    wanted = version;
    if (refreshing) return;
    refreshing = true;
    try {
      while (main.dataset.version !== wanted) {
        const asked = wanted;
        await fetchChanges();
        if (asked === wanted) wanted = main.dataset.version;
      }
    } finally {
      refreshing = false;
    }
  }

  async function readBoxClock() {
    const asked = here();
    const { seconds } = await (await fetch(`${root}health`, { cache: "no-store" })).json();
    if (typeof seconds === "number") boxAhead = seconds - (asked + here()) / 2;
    voice?.follow(() => here() + boxAhead);
  }

  function runClocks(now) {
    const clock = document.querySelector(".clock.running[data-ms]");
    if (!clock || boxAhead === null) return;
    const left = Number(clock.dataset.ms) / 1000 - Math.max(now + boxAhead - Number(clock.dataset.t), 0);
    const text = window.shinpanTime(left);
    clock.classList.toggle("soon", left <= SOON);
    const time = clock.querySelector(".time");
    if (time.textContent !== text) time.textContent = text;
  }

  // The time of day at which something was, by the clock of whoever reads.
  function tellTimes() {
    if (boxAhead === null) return;
    for (const time of document.querySelectorAll("time[data-t]")) {
      const then = new Date(Date.now() - (here() + boxAhead - Number(time.dataset.t)) * 1000);
      const text = time.dataset.text.replace("#", then.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }));
      if (time.textContent !== text) time.textContent = text;
    }
  }

  function stop() {
    clearTimeout(timer);
    if (source) source.close();
    source = null;
  }

  function later(what, wait) {
    clearTimeout(timer);
    timer = setTimeout(what, wait);
  }

  function listen() {
    stop();
    readBoxClock().catch(() => {});
    source = new EventSource(`${root}events?only=version`);
    const alive = () => {
      contact();
      show("live", texts.liveText);
      later(ask, SILENCE);
    };
    source.addEventListener("heartbeat", alive);
    source.addEventListener("status", (event) => {
      alive();
      voice?.hear();
      refresh(event.lastEventId).catch(ask);
    });
    source.onerror = ask;
    later(ask, SILENCE);
  }

  async function ask() {
    stop();
    if (document.hidden) return;
    try {
      await fetchChanges();
    } catch {
      show("lost", texts.lostText);
      later(ask, ASK_AGAIN);
      return;
    }
    voice?.hear();
    const wasLost = link.dataset.state === "lost";
    show("polling", texts.pollingText);
    answers = wasLost ? 0 : answers + 1;
    if (wasLost || answers % STREAM_AGAIN === 0) listen();
    else later(ask, ASK_AGAIN);
  }

  function showPicture() {
    if (!camera?.open || document.hidden) return;
    picture.loading = "eager";
    picture.src = `${picture.dataset.src}&n=${++pictures}`;
  }

  picture?.addEventListener("error", () => {
    noPicture.hidden = false;
    picture.hidden = true;
  });
  picture?.addEventListener("load", () => {
    noPicture.hidden = true;
    picture.hidden = false;
  });
  camera?.addEventListener("toggle", showPicture);
  setInterval(showPicture, PICTURE_AGAIN);
  setInterval(() => lost.hidden && runClocks(here()), TICK);
  setInterval(tellTimes, TICK);
  document.addEventListener("visibilitychange", () => (document.hidden ? stop() : listen()));
  openWhereRoom();
  if (!texts.token && !texts.root) navigator.serviceWorker?.register("static/worker.js", { scope: "./" }).catch(() => {});
  listen();
})();
