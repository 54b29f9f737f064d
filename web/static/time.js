"use strict";
// What a clock shows that has so many seconds left; a part of one counts as whole.
window.shinpanTime = (left) => {
  const seconds = Math.max(Math.ceil(left), 0);
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
};

// A signal that ends a request after so many milliseconds; AbortSignal.timeout is missing in Safari 14 and 15, and in
// Chrome 90, which are the oldest that the pages are made for.
window.shinpanDeadline = (ms) => {
  const control = new AbortController();
  setTimeout(() => control.abort(), ms);
  return control.signal;
};
