"use strict";
// Signs that a phone is hot: its processor is at its limit, where the browser tells, or its camera gives far fewer pictures
// than it gave before. No browser tells the heat itself.
window.shinpanHeat = (() => {
  const LIMIT = 30000; // milliseconds at its limit after which the processor counts as hot
  const SHARE = 0.4; // of the usual pictures, below which the camera is slow
  const TIMES = 3; // measurements one after the other
  let since = null; // when the processor came to its limit
  let usual = 0; // pictures a second
  let slow = 0; // measurements that were slow, one after the other

  function pressed(records) {
    if (records[records.length - 1].state !== "critical") since = null;
    else since ??= performance.now();
  }

  // Takes a measurement of the camera's pictures a second.
  function measure(each) {
    usual = Math.max(usual, each);
    slow = each < SHARE * usual ? slow + 1 : 0;
  }

  // Another light, or another camera, has another rate.
  function forget() {
    usual = 0;
    slow = 0;
  }

  const isHot = () => slow >= TIMES || (since !== null && performance.now() - since > LIMIT);

  if (window.PressureObserver) new PressureObserver(pressed).observe("cpu", { sampleInterval: 2000 }).catch(() => {});
  return { measure, forget, isHot, isPressed: () => since !== null };
})();
