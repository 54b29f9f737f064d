"use strict";
// The wall's own: the order in the largest letters that fit.
(() => {
  const SMALLEST = 0.5;
  const STEP = 0.05;

  function fit() {
    for (const order of document.querySelectorAll(".order")) {
      let size = 1;
      const overflows = () => order.scrollHeight > order.clientHeight || order.scrollWidth > order.clientWidth;
      order.style.setProperty("--fit", size);
      while (size > SMALLEST && overflows()) order.style.setProperty("--fit", (size -= STEP));
    }
  }

  addEventListener("resize", fit);
  const isClock = ({ target }) => target instanceof Element && target.closest(".time") !== null;
  const changed = { childList: true, subtree: true, characterData: true, attributeFilter: ["class"] };
  new MutationObserver((all) => all.every(isClock) || fit()).observe(document.querySelector(".side"), changed);
  fit();
})();
