"use strict";
// A signal that ends a request after so many milliseconds; AbortSignal.timeout is missing in Safari 14 and 15, and in
// Chrome 90, which are the oldest that the pages are made for.
window.shinpanDeadline = (ms) => {
  const control = new AbortController();
  setTimeout(() => control.abort(), ms);
  return control.signal;
};
