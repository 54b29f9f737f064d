"use strict";
// The wall's own: the order in the largest letters that fit, and a screen that does not go dark.
(() => {
  const SMALLEST = 0.5;
  const STEP = 0.05;
  const overlay = document.documentElement.classList.contains("overlay");

  function fit() {
    for (const order of document.querySelectorAll(".order")) {
      let size = 1;
      const overflows = () => order.scrollHeight > order.clientHeight || order.scrollWidth > order.clientWidth;
      order.style.setProperty("--fit", size);
      while (size > SMALLEST && overflows()) order.style.setProperty("--fit", (size -= STEP));
    }
  }

  // Browsers grant a wake lock to secure pages alone; elsewhere a film that plays keeps the screen awake. It has to be
  // large and in view to count, so it lies behind everything, in the ground's colour.
  function film() {
    const canvas = Object.assign(document.createElement("canvas"), { width: 16, height: 9 });
    const paint = canvas.getContext("2d");
    paint.fillStyle = getComputedStyle(document.body).backgroundColor;
    const draw = () => paint.fillRect(0, 0, 16, 9);
    const screen = Object.assign(document.createElement("video"), { muted: true, playsInline: true, className: "awake" });
    screen.setAttribute("aria-hidden", "true");
    draw();
    screen.srcObject = canvas.captureStream(1);
    setInterval(draw, 1000);
    document.body.append(screen);
    screen.play().then(() => (document.body.dataset.awake = "film"), () => {});
  }

  async function stayAwake() {
    if (document.hidden) return;
    try {
      await navigator.wakeLock.request("screen");
      document.body.dataset.awake = "lock";
    } catch {
      if (!document.querySelector(".awake")) film();
    }
  }

  if (!overlay) {
    document.addEventListener("visibilitychange", stayAwake);
    stayAwake();
  }
  addEventListener("resize", fit);
  const isClock = ({ target }) => target instanceof Element && target.closest(".time") !== null;
  const changed = { childList: true, subtree: true, characterData: true, attributeFilter: ["class"] };
  new MutationObserver((all) => all.every(isClock) || fit()).observe(document.querySelector(".side"), changed);
  fit();
})();
