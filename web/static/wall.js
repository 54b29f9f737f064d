"use strict";
// The wall's own: order, event and names in the largest letters that fit.
(() => {
  const SMALLEST = 0.5;
  const STEP = 0.05;

  function fit() {
    for (const text of document.querySelectorAll(".order, .event, .seat h2")) {
      let size = 1;
      const overflows = () => text.scrollHeight > text.clientHeight || text.scrollWidth > text.clientWidth;
      text.style.setProperty("--fit", size);
      while (size > SMALLEST && overflows()) text.style.setProperty("--fit", (size -= STEP));
    }
  }

  addEventListener("resize", fit);
  const isClock = ({ target }) => target instanceof Element && target.closest(".time") !== null;
  const changed = { childList: true, subtree: true, characterData: true, attributeFilter: ["class"] };
  new MutationObserver((all) => all.every(isClock) || fit()).observe(document.querySelector(".side"), changed);
  fit();
})();
