"use strict";
// The wall's own: order, reasons, event and names in the largest letters that fit.
(() => {
  const SMALLEST = 0.4;
  const REASON = 0.86; // as in wall.css
  const STEP = 0.05;

  function fit() {
    for (const text of document.querySelectorAll(".order, .event, .seat h2, .reason")) {
      const scale = text.matches(".reason") ? "--own" : "--fit"; // a reason begins with its order's, but not smaller
      text.style.removeProperty(scale);
      let size = Number(getComputedStyle(text).getPropertyValue("--fit")) || 1;
      if (scale === "--own") size = Math.max(REASON, size);
      // Letters of fonts for Chinese, Japanese and Korean are higher than their line, which is no further line.
      const spare = () => (text.matches(".order") ? 0 : parseFloat(getComputedStyle(text).fontSize) / 2);
      const isTooHigh = () => text.scrollHeight - text.clientHeight > spare();
      const overflows = () => isTooHigh() || text.scrollWidth > text.clientWidth;
      text.style.setProperty(scale, size);
      while (size > SMALLEST && overflows()) text.style.setProperty(scale, (size -= STEP));
    }
  }

  addEventListener("resize", fit);
  const isClock = ({ target }) => target instanceof Element && target.closest(".time") !== null;
  const changed = { childList: true, subtree: true, characterData: true, attributeFilter: ["class"] };
  new MutationObserver((all) => all.every(isClock) || fit()).observe(document.querySelector(".side"), changed);
  fit();
})();
