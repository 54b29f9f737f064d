"use strict";
// A screen that does not go dark, for a page that nobody touches.
(() => {
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

  if (!document.documentElement.classList.contains("overlay")) {
    document.addEventListener("visibilitychange", stayAwake);
    stayAwake();
  }
})();
