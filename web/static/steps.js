"use strict";
// Looks at other places of the game: after a turn, at one that was refused, in the count; the address leads there.
// Tells why a point is barred, and shows what would be repeated.
window.shinpanSteps = (() => {
  const NOW = "./";
  const LONG = 120; // seconds of a turn whose bar is full
  const FLASH = 4200; // milliseconds
  const parts = document.body.dataset.parts || "parts";
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const callbacks = {
    beforeAttributeUpdated: (name, node) => !(name === "open" && node.tagName === "DETAILS"),
  };
  let shown = NOW; // the address of the place
  let asked = 0;
  let sliding = false;
  let wantsAll = false; // every turn is to be listed
  let listing = false;
  let grown = false; // the list, since it was scrolled
  let revealing = 0; // the frame in which it will be
  const slider = document.getElementById("slider") || document.createElement("input");

  const all = (selector) => Array.from(document.querySelectorAll(selector));
  const to = (link) => link.getAttribute("href");

  // So many moments lie before those that the list has; it begins with the newest turns alone.
  function before(oldest) {
    return oldest ? Number(oldest.match(/\d+/)[0]) + oldest.includes("tried") : 0;
  }

  function places() {
    const turns = all(".moves a[data-place]").map(to).reverse();
    const unlisted = Array.from({ length: before(turns[0]) }, (_, turn) => `?turn=${turn}`);
    const refused = turns.length && turns[turns.length - 1].includes("tried");
    const newest = refused ? [] : turns.slice(-1);
    const earlier = refused ? turns : turns.slice(0, -1);
    return { list: [...unlisted, ...earlier, NOW, ...all(".counted a").map(to)], newest, whole: unlisted.length < 2 };
  }

  function mark() {
    for (const link of all("a[data-place]")) {
      if (to(link) === shown) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    for (const bars of all(".bars")) bars.hidden = shown !== NOW;
    const turns = all(".moves a");
    const current = turns.find((link) => to(link) === shown);
    for (const link of turns) link.tabIndex = link === (current || turns[0]) ? 0 : -1; // one stop for all
    reveal(current || turns[0]);
    const { list, whole } = places();
    for (const rest of all(".rest")) rest.hidden = whole;
    if (!whole && (wantsAll || (shown.startsWith("?turn") && !current))) listAll().catch(() => {});
    for (const spent of all(".moves .spent")) {
      const [minutes, seconds] = spent.textContent.split(":").slice(-2).map(Number);
      spent.style.setProperty("--part", Math.min((minutes * 60 + seconds) / LONG, 1)); // as a bar
    }
    slider.hidden = false;
    slider.disabled = list.length < 2;
    slider.max = list.length - 1;
    slider.value = Math.max(list.indexOf(shown), 0);
    slider.setAttribute("aria-valuetext", document.getElementById("where")?.textContent.trim());
  }

  const everyTurn = () => `${document.body.dataset.root || "./"}?turn=1&lang=${document.documentElement.lang}`;

  // A page of another version may list turns that this one still has to hear of; `mark` then asks again.
  function append(text) {
    const fresh = new DOMParser().parseFromString(text, "text/html");
    const [there, here] = [fresh, document].map((page) => page.querySelector("main")?.dataset.version);
    const moves = document.querySelector(".moves");
    if (there === here) moves.append(...Array.from(fresh.querySelector(".moves").children).slice(moves.children.length));
  }

  async function listAll() {
    if (listing) return;
    listing = wantsAll = true;
    try {
      append(await (await fetch(everyTurn())).text());
    } finally {
      listing = false;
    }
    if (places().whole) mark();
  }

  // Paper waits for nothing, so that this has to.
  addEventListener("beforeprint", () => {
    if (places().whole) return;
    const asked = new XMLHttpRequest();
    asked.open("GET", everyTurn(), false);
    asked.send();
    append(asked.responseText);
    mark();
  });

  // New rows come in above those in view, which stay; `reveal` scrolls to the newest in a frame of its own, because rows
  // that come and scrolling in one frame are seen as rows that jump.
  function grow(list, rows) {
    cancelAnimationFrame(revealing);
    const [box, oldest] = [list.closest(".scroll"), list.lastElementChild];
    const [scrolled, before] = [box.scrollTop, oldest.offsetTop];
    list.prepend(...rows);
    box.scrollTop = scrolled + oldest.offsetTop - before;
    grown = true;
  }

  function reveal(link) {
    cancelAnimationFrame(revealing);
    if (!grown) return scrollTo(link);
    revealing = requestAnimationFrame(() => {
      revealing = requestAnimationFrame(() => scrollTo(link));
    });
  }

  // Scrolls the list alone, never the page.
  function scrollTo(link) {
    grown = false;
    const box = link?.closest(".scroll");
    if (!box) return;
    const [inner, outer] = [link.getBoundingClientRect(), box.getBoundingClientRect()];
    if (inner.top < outer.top || inner.bottom > outer.bottom) {
      box.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
    }
  }

  const morph = (part, other) => Idiomorph.morph(part, other, { morphStyle: "outerHTML", callbacks });

  async function show(address) {
    const wanted = places().newest.includes(address) ? NOW : address;
    const mine = ++asked;
    const place = wanted === NOW ? "?" : `${wanted}&`;
    const answer = await fetch(`${parts}${place}lang=${document.documentElement.lang}`, { cache: "no-store" });
    if (mine !== asked) return;
    if (answer.status === 404 && wanted !== NOW) return show(NOW); // taken back, or another match has begun
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const moved = shown !== wanted;
    shown = wanted;
    endFlash();
    for (const other of fresh.querySelectorAll("[data-live]")) morph(document.querySelector(`[data-live="${other.dataset.live}"]`), other);
    history.replaceState(null, "", wanted === NOW ? location.pathname : wanted);
    mark();
    if (moved && wanted.includes("tried")) flash().catch(() => {});
  }

  function step(how) {
    const { list } = places();
    const here = Math.max(list.indexOf(shown), 0);
    const next = { first: 0, back: here - 1, on: here + 1, now: list.indexOf(NOW) }[how];
    if (list[next] !== undefined && list[next] !== shown) show(list[next]).catch(() => {});
  }

  // The place under the thumb: what it passes while one is fetched is left out.
  async function slide() {
    if (sliding) return;
    sliding = true;
    try {
      for (let wanted = null; wanted !== slider.value; ) {
        wanted = slider.value;
        await show(places().list[wanted] ?? NOW);
      }
    } catch {
      mark();
    } finally {
      sliding = false;
    }
  }

  const ruling = () => document.querySelector('[data-live="ruling"]')?.dataset || {};
  let flashed = ruling().ruled; // the refused turn that was flashed last; a page that is opened flashes none
  let flashes = 0;

  function endFlash() {
    flashes++;
    for (const old of all(".flash")) old.remove();
  }

  // Once for each refused turn, beside the board, until the next change.
  function news() {
    endFlash();
    const { ruled } = ruling();
    if (ruled === undefined || ruled === flashed) return;
    flashed = ruled;
    if (shown === NOW) flash().catch(() => {});
  }

  async function flash() {
    endFlash();
    const mine = flashes;
    const { repeats, asThen } = ruling();
    const place = document.querySelector("[data-flash]");
    if (repeats === undefined || !place || still.matches) return;
    const answer = await fetch(`board.svg?turn=${repeats}`);
    const drawn = answer.ok ? await answer.text() : "";
    if (!drawn || mine !== flashes) return;
    const earlier = document.createElement("div");
    earlier.className = "flash";
    earlier.setAttribute("aria-hidden", "true");
    earlier.innerHTML = drawn.replace(/board-/g, "earlier-");
    earlier.append(Object.assign(document.createElement("p"), { textContent: asThen }));
    place.append(earlier);
    setTimeout(() => earlier.remove(), FLASH);
  }

  function explain(point) {
    const bars = document.getElementById("bars");
    if (!bars) return;
    bars.open = true;
    document.getElementById(`bar-${point}`)?.scrollIntoView({ block: "nearest" });
  }

  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const link = target?.closest("[data-go], [data-place]");
    const barred = target?.closest(".barred");
    const curves = target?.closest(".curves svg");
    if (target?.closest(".rest a") && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      listAll().catch(() => {});
    } else if (link && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      if (link.dataset.go) step(link.dataset.go);
      else show(to(link)).catch(() => {});
    } else if (curves) {
      const { left, width } = curves.getBoundingClientRect();
      const turn = Math.round(((event.clientX - left) / width) * curves.viewBox.baseVal.width);
      show(`?turn=${turn}`).catch(() => {});
    } else if (barred) explain(barred.dataset.point);
    else if (!target?.closest(".bars")) for (const bars of all(".bars[open]")) bars.open = false;
  });

  // The menu opens parts of the page in place, and closes like any other.
  const menu = document.getElementById("menu");
  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const opens = document.getElementById(target?.closest("[data-opens]")?.dataset.opens);
    if (opens) {
      event.preventDefault();
      opens.open = true;
      opens.scrollIntoView({ block: "start" });
      opens.querySelector("summary").focus({ preventScroll: true });
    }
    if (menu && (opens || !menu.contains(target))) menu.open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu?.open) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });

  slider.addEventListener("input", slide);

  document.addEventListener("keydown", (event) => {
    const turn = event.target.closest(".moves a");
    const next = turn && { ArrowUp: "previousElementSibling", ArrowDown: "nextElementSibling" }[event.key];
    if (next) {
      event.preventDefault();
      const other = turn.parentNode[next]?.querySelector("a");
      if (!other) return;
      [turn.tabIndex, other.tabIndex] = [-1, 0];
      other.focus();
      return;
    }
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, .scroll")) return;
    const how = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "now" }[event.key];
    if (event.key === "Escape") for (const bars of all(".bars[open]")) bars.open = false;
    if (!how) return;
    event.preventDefault();
    step(how);
  });

  if (document.querySelector(".steps.past")) shown = location.search.replace(/[?&]lang=[\w-]*/, "").replace(/^&/, "?") || NOW;
  mark();
  return { mark, morph, grow, news, again: () => show(shown), live: () => shown === NOW };
})();
