"use strict";
// Steps through the game: earlier boards in the place of the newest, and why a point is barred.
window.shinpanSteps = (() => {
  let shown = null; // after so many turns; null: as it stands
  const nav = () => document.querySelector(".steps");
  const turns = () => Number(nav().dataset.turns);

  function mark() {
    const bar = nav();
    const at = shown === null ? turns() : shown;
    bar.classList.toggle("past", shown !== null);
    const where = document.getElementById("where");
    const text = where.dataset.text.replace("#", at);
    if (where.textContent !== text) where.textContent = text;
    for (const link of document.querySelectorAll(".moves a[data-turn]")) {
      if (Number(link.dataset.turn) === at && shown !== null) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    for (const bars of document.querySelectorAll(".bars")) bars.hidden = shown !== null;
  }

  async function show(turn) {
    const before = shown;
    shown = turn >= turns() ? null : Math.max(turn, 0);
    if (before === null && shown === null) return;
    const asked = shown;
    const answer = await fetch(asked === null ? "board.svg" : `board.svg?turn=${asked}`, { cache: "no-store" });
    if (!answer.ok || asked !== shown) return;
    const drawn = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
    document.querySelector("#board svg").replaceWith(document.adoptNode(drawn));
    mark();
  }

  function step(how) {
    const at = shown === null ? turns() : shown;
    show({ first: 0, back: at - 1, on: at + 1, now: turns() }[how]).catch(() => {});
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
    const link = target?.closest("[data-step], .moves a[data-turn]");
    const barred = target?.closest(".barred");
    if (link && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      if (link.dataset.step) step(link.dataset.step);
      else show(Number(link.dataset.turn)).catch(() => {});
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

  if (nav().classList.contains("past")) shown = Number(nav().dataset.turn);
  mark();
  return { mark, live: () => shown === null };
})();
