"use strict";
// The gallery: asks what there is, and fetches the tiles that are in view and differ; each has an address for good.
(() => {
  const ASK_AGAIN = 5000;
  const RESTS = 2000; // What is asked for may be kept for so long.
  const SILENCE = 30000;
  const body = document.body.dataset;
  const rules = JSON.parse(body.rules); // by name
  const outcomes = JSON.parse(body.outcomes); // what results are called by rules, "B+R" or "B+#" with any number of points
  const place = document.getElementById("tiles");
  const lost = document.getElementById("lost");
  const results = document.getElementById("results");
  const tiles = new Map(); // table -> {element, wanted, shown}
  let listed = ""; // the results, as they were told
  let heard = Date.now();
  let busy = false;
  let again = false;

  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      const one = tiles.get(entry.target.dataset.table);
      if (!one) continue;
      one.seen = entry.isIntersecting;
      draw(one);
    }
  }, { rootMargin: "300px" });

  const fit = () => body.kind === "wall" && window.shinpanFit(place);

  async function draw(one) {
    if (!one.seen || one.shown === one.wanted) return;
    const version = one.wanted;
    const answer = await fetch(`${body.root}live/tiles/${body.lang}/${version}.html`).catch(() => null);
    if (!answer?.ok || one.wanted !== version) return; // It has changed meanwhile, or is asked for again soon.
    const made = document.createElement("template");
    made.innerHTML = (await answer.text()).trim();
    const tile = made.content.firstElementChild;
    seen.unobserve(one.element);
    one.element.replaceWith(tile);
    one.element = tile;
    one.shown = version;
    seen.observe(tile);
  }

  function empty(table) {
    const tile = document.createElement("article");
    tile.className = "tile";
    tile.dataset.table = table;
    return tile;
  }

  function put(index) {
    for (const { table, version } of index.tables) {
      if (!tiles.has(table)) tiles.set(table, { element: empty(table), seen: false });
      tiles.get(table).wanted = version;
    }
    const listed = index.tables.map(({ table }) => tiles.get(table));
    if (place.childElementCount !== listed.length || listed.some((one, n) => place.children[n] !== one.element)) {
      place.replaceChildren(...listed.map((one) => one.element));
      for (const one of listed) seen.observe(one.element);
      fit();
    }
    listed.forEach(draw);
    document.getElementById("none").hidden = listed.length > 0;
    list(index.results);
  }

  const dayOf = (at) => (at ? new Date(at * 1000).toLocaleDateString(body.lang) : "");

  // Results in words, with the fractions of the language; of more than two players as they are written.
  function outcomeOf(result, rules) {
    const points = /[\d.]+$/;
    const [written] = points.exec(result) ?? [""];
    const called = outcomes[rules] ?? outcomes[""];
    const number = (value) => value.toLocaleString(body.lang, { useGrouping: false });
    return called[result] ?? called[result.replace(points, "#")]?.replace("#", number(Number(written))).replace("½", halfOf(Number(written))) ?? result;
  }

  // Half of a number of points, with a fraction: 3¾ for 7.5.
  function halfOf(points) {
    const whole = Math.floor(points / 2);
    const quarters = Math.round((points - 2 * whole) * 2);
    const part = ["", "1/4", "1/2", "3/4"][quarters];
    return !part ? `${whole}` : whole ? body.mixed.replace("#", whole).replace("½", part) : part;
  }

  // A result is told at once, its last position when the moves are.
  function rowOf(one) {
    const row = document.getElementById("row").content.firstElementChild.cloneNode(true);
    const told = {
      ".who": one.players.join(" – "),
      ".outcome": outcomeOf(one.result, one.rules),
      time: dayOf(one.at),
      ".rules": rules[one.rules] ?? "",
      ".length": one.turns || "",
      ".round": one.round,
      ".at-table": one.table,
    };
    for (const [cell, text] of Object.entries(told)) row.querySelector(cell).textContent = text;
    const board = row.querySelector("img");
    if (one.board) board.src = body.root + one.board;
    else board.remove();
    return row;
  }

  function list(rows) {
    const told = JSON.stringify(rows);
    if (told === listed) return;
    listed = told;
    results.hidden = rows.length === 0;
    results.querySelector("tbody").replaceChildren(...rows.reverse().map(rowOf));
  }

  async function refresh() {
    again = true;
    if (busy) return;
    busy = true;
    try {
      while (again) {
        again = false;
        const answer = await fetch(`${body.root}live/index.json`, { signal: window.shinpanDeadline(ASK_AGAIN * 2) });
        if (!answer.ok) throw new Error(answer.statusText);
        put(await answer.json());
        heard = Date.now();
        await new Promise((done) => setTimeout(done, RESTS));
      }
    } catch {
      again = false;
    } finally {
      busy = false;
    }
  }

  function tick() {
    lost.hidden = Date.now() - heard < SILENCE;
    if (!lost.hidden) lost.textContent = body.lost;
    document.body.classList.toggle("is-lost", !lost.hidden);
  }

  // Where no stream has room it is closed for good, and asking again does.
  new EventSource(`${body.root}live/events`).addEventListener("news", refresh);
  addEventListener("resize", fit);
  setInterval(refresh, ASK_AGAIN * (0.8 + 0.4 * Math.random()));
  setInterval(tick, 1000);
  refresh();
})();
