"use strict";
// The wall of all tables: hears that it has changed, and fetches the tiles that differ. Each table keeps its place on
// the wall; a helper's list has those that need somebody, the most urgent first.
(() => {
  const SILENCE = 12000;
  const ASK_AGAIN = 2000;
  const body = document.body.dataset;
  const place = document.getElementById("tiles");
  const lost = document.getElementById("lost");
  const unkept = document.getElementById("unkept");
  const count = document.getElementById("count");
  const progress = document.getElementById("progress");
  const tiles = new Map();
  let number = -1;
  let ages = {};
  let waits = {}; // seconds since each table called that waits for somebody
  let heard = Date.now();
  let ahead = -Infinity; // seconds by which the hall's clock is ahead of this page's, as the fastest answer said
  let busy = false;
  let again = false;
  let called = null; // tables whose call has sounded; none at first, so that opening the page is quiet

  function sound() {
    const context = new (window.AudioContext || window.webkitAudioContext)();
    for (const at of [0, 0.35]) {
      const tone = context.createOscillator();
      const gain = context.createGain();
      tone.frequency.value = 880;
      gain.gain.value = 0.2;
      tone.connect(gain).connect(context.destination);
      tone.start(context.currentTime + at);
      tone.stop(context.currentTime + at + 0.25);
    }
  }

  function tellCalls(order) {
    const now = new Set(order.filter(([, urgency]) => urgency === "called").map(([table]) => table));
    if (called !== null && [...now].some((table) => !called.has(table))) sound();
    called = now;
  }

  // A standing gives way where a name needs its room.
  function placeStandings() {
    const rows = [...place.querySelectorAll(".standing")].map((one) => [one, one.closest("li").querySelector("b")]);
    for (const [one] of rows) one.hidden = false;
    const tight = rows.filter(([, name]) => window.shinpanIsCut(name));
    for (const [one] of tight) one.hidden = true;
  }

  function fit() {
    if (body.kind === "wall") window.shinpanFit(place);
    placeStandings();
  }

  // The longest time on any clock of the hall fills a bar.
  function drawBars() {
    const rows = [...place.querySelectorAll("[data-left]")];
    const most = Math.max(1, ...rows.map((row) => Number(row.dataset.left)));
    for (const row of rows) row.style.setProperty("--left", Number(row.dataset.left) / most);
  }

  function put(answer) {
    for (const [table, text] of Object.entries(answer.tiles)) {
      const made = document.createElement("template");
      made.innerHTML = text.trim();
      const tile = made.content.firstElementChild;
      tiles.get(table)?.remove();
      tiles.set(table, tile);
    }
    const needy = answer.order.filter(([, , needs]) => needs);
    const shown = body.kind === "me" ? needy.map(([table]) => table) : answer.places;
    const before = place.childElementCount;
    place.replaceChildren(...shown.map((table) => tiles.get(table)));
    count.textContent = needy.length ? count.dataset.needs.replace("#", needy.map(([table]) => table).join(", ")) : count.dataset.none;
    progress.textContent = answer.progress;
    count.classList.toggle("needy", needy.length > 0);
    if (unkept.textContent !== answer.unkept) unkept.textContent = answer.unkept;
    unkept.hidden = !answer.unkept;
    tellCalls(answer.order);
    number = answer.number;
    ages = answer.ages;
    waits = answer.waits;
    ahead = Math.max(ahead, answer.now - here());
    heard = Date.now();
    tick();
    drawBars();
    if (before !== place.childElementCount) fit();
    else placeStandings();
  }

  async function refresh() {
    again = true;
    if (busy) return;
    busy = true;
    try {
      while (again) {
        again = false;
        const answer = await fetch(`tiles?since=${number}&run=${body.run}`, { cache: "no-store", signal: window.shinpanDeadline(SILENCE / 2) });
        if (!answer.ok) throw new Error(answer.statusText);
        put(await answer.json());
      }
    } catch {
      again = false;
    } finally {
      busy = false;
    }
  }

  const here = () => performance.now() / 1000;

  // The clocks run on between two words of a box, unless the last is too old.
  function runClocks() {
    for (const time of document.querySelectorAll(".tile:not(.stale) .time[data-ms]")) {
      const text = window.shinpanTime(Number(time.dataset.ms) / 1000 - Math.max(here() + ahead - Number(time.dataset.statusAt), 0));
      if (time.textContent !== text) time.textContent = text;
    }
  }

  function tick() {
    const since = (Date.now() - heard) / 1000;
    for (const [table, tile] of tiles) {
      const age = ages[table];
      const seconds = age === null || age === undefined ? null : Math.floor(age + since);
      tile.querySelector(".age").textContent = seconds === null ? body.never : body.age.replace("#", seconds);
      const waiting = tile.querySelector(".waits");
      if (waiting && table in waits) waiting.textContent = body.waits.replace("#", window.shinpanTime(waits[table] + since));
    }
    const gone = Date.now() - heard > SILENCE;
    lost.hidden = !gone;
    if (gone) lost.textContent = body.lost;
    else runClocks();
    document.body.classList.toggle("is-lost", gone);
  }

  async function send(path, said) {
    return fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Token": body.token },
      body: JSON.stringify(said),
    });
  }

  place.addEventListener("click", async (event) => {
    if (!event.target.classList.contains("comes")) return;
    if (!body.token) {
      location.href = "me";
      return;
    }
    event.target.disabled = true;
    await send("comes", { table: event.target.closest(".tile").dataset.table }).catch(() => null);
    refresh();
  });

  document.getElementById("door")?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.target;
    const said = await send("session", { pin: form.elements.pin.value.trim(), name: form.elements.name.value.trim() }).catch(() => null);
    if (said?.ok) location.reload();
    else if (said) document.getElementById("answer").textContent = await said.text();
  });

  new EventSource("events").addEventListener("wall", refresh);
  addEventListener("resize", fit);
  setInterval(refresh, ASK_AGAIN);
  setInterval(tick, 1000);
  refresh();
})();
