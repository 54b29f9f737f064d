"use strict";
// The wall's own: order, reasons, event and names in the largest letters that fit.
(() => {
  const SMALLEST = 0.4;
  const STEP = 0.05;

  function fit() {
    for (const text of document.querySelectorAll(".order, .event, .seat h2, .reason")) {
      text.style.removeProperty("--fit");
      let size = Number(getComputedStyle(text).getPropertyValue("--fit")) || 1; // that of the order, for a reason
      // A name has one line, which in fonts for Chinese, Japanese and Korean is higher than what holds it.
      const isTooHigh = () => text.tagName !== "H2" && text.scrollHeight > text.clientHeight;
      const overflows = () => isTooHigh() || text.scrollWidth > text.clientWidth;
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
