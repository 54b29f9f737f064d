"use strict";
// Steps through the game and, after it, through its count: other boards in the place of the newest. Tells why a point is
// barred. A place is a number: so many turns, and above these so many steps of the count.
window.shinpanSteps = (() => {
  let shown = null; // a place; null: as it stands
  const nav = () => document.querySelector(".steps");
  const turns = () => Number(nav().dataset.turns);
  const last = () => turns() + Number(nav().dataset.steps);
  const here = () => (shown === null ? turns() : shown);

  function address(place) {
    if (place === null) return "board.svg";
    return place > turns() ? `board.svg?step=${place - turns()}` : `board.svg?turn=${place}`;
  }

  function current(links, number, wanted) {
    for (const link of links) {
      if (number(link) === wanted) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }

  function mark() {
    const bar = nav();
    if (shown !== null && shown > last()) draw((shown = null)).catch(() => {}); // another match has begun
    const at = here();
    bar.classList.toggle("past", shown !== null);
    const where = document.getElementById("where");
    const counting = at > turns();
    const text = counting ? where.dataset.stepText.replace("#", at - turns()) : where.dataset.turnText.replace("#", at);
    if (where.textContent.trim() !== text) where.textContent = text;
    const moves = document.querySelectorAll(".moves a[data-turn]");
    current(moves, (link) => Number(link.dataset.turn), shown === null ? -1 : at);
    current(document.querySelectorAll("[data-count]"), (link) => Number(link.dataset.count), at - turns());
    for (const bars of document.querySelectorAll(".bars")) bars.hidden = shown !== null;
  }

  async function draw(asked) {
    const answer = await fetch(address(asked), { cache: "no-store" });
    if (!answer.ok || asked !== shown) return;
    const drawn = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
    document.querySelector("#board svg").replaceWith(document.adoptNode(drawn));
  }

  async function show(place) {
    const before = shown;
    shown = place === turns() ? null : Math.min(Math.max(place, 0), last());
    if (before === shown) return;
    mark();
    await draw(shown);
  }

  function step(how) {
    show({ first: 0, back: here() - 1, on: here() + 1, now: turns() }[how]).catch(() => {});
  }

  function explain(point) {
    const bars = document.getElementById("bars");
    if (!bars) return;
    bars.open = true;
    const why = document.getElementById(`bar-${point}`);
    if (why) why.scrollIntoView({ block: "nearest" });
  }

  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const link = target?.closest("[data-go], .moves a[data-turn], [data-count]");
    const barred = target?.closest(".barred");
    if (link && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      const { go, turn, count } = link.dataset;
      if (go) step(go);
      else show(count ? turns() + Number(count) : Number(turn)).catch(() => {});
    } else if (barred) explain(barred.dataset.point);
    else if (!target?.closest(".bars")) for (const bars of document.querySelectorAll(".bars[open]")) bars.open = false;
  });

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, .scroll")) return;
    const how = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "now" }[event.key];
    if (event.key === "Escape") for (const bars of document.querySelectorAll(".bars[open]")) bars.open = false;
    if (!how) return;
    event.preventDefault();
    step(how);
  });

  if (nav().classList.contains("past")) {
    const { turn, step: counted } = nav().dataset;
    shown = Number(counted) ? turns() + Number(counted) : Number(turn);
  }
  mark();
  return { mark, live: () => shown === null };
})();
