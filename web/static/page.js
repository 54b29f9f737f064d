"use strict";
// Keeps the page as the box would draw it now: hears of changes by events, or asks every two seconds where that fails,
// fetches the page again and exchanges the parts that differ.
(() => {
  const ASK_AGAIN = 2000;
  const STREAM_AGAIN = 15; // so many answers to asking, and the events are tried again
  const SILENCE = 40000; // longer than two heartbeats
  const PICTURE_AGAIN = 5000;
  const TICK = 200;
  const steps = window.shinpanSteps;
  const sound = window.shinpanSound;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const texts = document.body.dataset;
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

  function show(state, text) {
    lost.hidden = state !== "lost";
    document.body.classList.toggle("is-lost", state === "lost");
    if (link.dataset.state !== state) {
      link.dataset.state = state;
      link.textContent = text;
    }
  }

  const stones = (board) => board.querySelectorAll("[data-stones] circle");
  const place = (stone) => `${stone.parentNode.getAttribute("fill")} ${stone.getAttribute("cx")} ${stone.getAttribute("cy")}`;

  function fade(before, after) {
    const there = new Set(Array.from(stones(after), place));
    for (const stone of stones(before)) {
      if (there.has(place(stone))) continue;
      const ghost = stone.parentNode.cloneNode(false);
      ghost.classList.add("gone");
      ghost.append(stone.cloneNode());
      ghost.addEventListener("animationend", () => ghost.remove());
      after.querySelector("svg").append(ghost);
    }
  }

  function replace(part, other) {
    if (part.dataset.live === "board") {
      if (!steps.live()) return;
      if (!still.matches) fade(part, other);
    }
    for (const details of part.querySelectorAll("details[id][open]")) {
      const again = other.querySelector(`#${details.id}`);
      if (again) again.open = true;
    }
    part.replaceWith(document.adoptNode(other));
  }

  function exchange(text) {
    const fresh = new DOMParser().parseFromString(text, "text/html");
    for (const part of document.querySelectorAll("[data-live]")) {
      const other = fresh.querySelector(`[data-live="${part.dataset.live}"]`);
      if (!other || other.isEqualNode(part)) continue;
      if (part.dataset.live === "ruling") sound.play(other.dataset.kind);
      replace(part, other);
    }
    steps.mark();
    const { version, sight } = fresh.querySelector("main").dataset;
    Object.assign(main.dataset, { version, sight });
    document.title = fresh.title;
    showPicture();
  }

  async function refresh(version) {
    wanted = version;
    if (refreshing) return;
    refreshing = true;
    try {
      while (main.dataset.version !== wanted) {
        const asked = wanted;
        const answer = await fetch("./", { cache: "no-store" });
        if (!answer.ok) throw new Error(answer.statusText);
        exchange(await answer.text());
        if (asked === wanted) wanted = main.dataset.version;
      }
    } finally {
      refreshing = false;
    }
  }

  const here = () => performance.now() / 1000;

  async function readBoxClock() {
    const asked = here();
    const { seconds } = await (await fetch("health", { cache: "no-store" })).json();
    if (typeof seconds === "number") boxAhead = seconds - (asked + here()) / 2;
  }

  function runClocks() {
    const clock = document.querySelector(".clock.running[data-ms]");
    if (!clock || boxAhead === null) return;
    const since = Math.max(here() + boxAhead - Number(clock.dataset.t), 0);
    const seconds = Math.max(Math.ceil(Number(clock.dataset.ms) / 1000 - since), 0);
    const two = (number) => String(number).padStart(2, "0");
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
    const text = `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
    const time = clock.querySelector(".time");
    if (time.textContent !== text) time.textContent = text;
  }

  // The time of day at which something was, by the clock of whoever reads.
  function tellTimes() {
    if (boxAhead === null) return;
    for (const time of document.querySelectorAll("time[data-t]")) {
      const then = new Date(Date.now() - (here() + boxAhead - Number(time.dataset.t)) * 1000);
      const text = time.dataset.text.replace("#", then.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }));
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
    source = new EventSource("events");
    const alive = () => {
      show("live", texts.liveText);
      later(ask, SILENCE);
    };
    source.addEventListener("heartbeat", alive);
    source.addEventListener("status", (event) => {
      alive();
      refresh(event.lastEventId).catch(ask);
    });
    source.onerror = ask;
  }

  async function ask() {
    stop();
    if (document.hidden) return;
    try {
      const answer = await fetch("status.json", {
        headers: { "If-None-Match": `"${main.dataset.version}"` },
        cache: "no-store",
        signal: AbortSignal.timeout(SILENCE / 4),
      });
      if (answer.status !== 304) {
        if (!answer.ok) throw new Error(answer.statusText);
        await refresh(answer.headers.get("ETag").replaceAll('"', ""));
      }
    } catch {
      show("lost", texts.lostText);
      later(ask, ASK_AGAIN);
      return;
    }
    const wasLost = link.dataset.state === "lost";
    show("polling", texts.pollingText);
    answers = wasLost ? 0 : answers + 1;
    if (wasLost || answers % STREAM_AGAIN === 0) listen();
    else later(ask, ASK_AGAIN);
  }

  function showPicture() {
    if (!camera.open || document.hidden) return;
    picture.loading = "eager";
    picture.src = `${picture.dataset.src}&n=${++pictures}`;
  }

  picture.addEventListener("error", () => {
    noPicture.hidden = false;
    picture.hidden = true;
  });
  picture.addEventListener("load", () => {
    noPicture.hidden = true;
    picture.hidden = false;
  });
  camera.addEventListener("toggle", showPicture);
  setInterval(showPicture, PICTURE_AGAIN);
  setInterval(runClocks, TICK);
  setInterval(tellTimes, TICK);
  document.addEventListener("visibilitychange", () => (document.hidden ? stop() : listen()));
  listen();
})();
