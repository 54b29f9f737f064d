"use strict";
// A phone's contact with the box: the box's time, the battery, the heat, and whether the page is in view.
// The box's clock is ahead of this page's by something between two bounds, which every answer narrows: it arrived there
// after it was sent here, and was heard here after it was sent there. That holds however long the two ways took.
// Every answer has a nonce. The newest goes back with all that is sent, so that the box knows which answers came here.
window.shinpanContact = (() => {
  const KEPT = 180; // seconds
  const DRIFT = 1e-4; // of two clocks, more than any phone's
  const AGAIN = 1000;
  const SOON = 300;
  const NARROW = 0.04; // seconds between the bounds; until then it is asked more often
  // Questions on their way, until the bounds are narrow and then; a browser has six connections, and a press needs one.
  const [AT_FIRST, AT_ONCE] = [3, 2];
  const PATIENCE = 4000;
  const here = () => performance.now() / 1000;
  const state = { run: "", heard: "", given: -Infinity, offset: null, width: Infinity, last: 0, part: null, at: -Infinity, trip: null };
  const hearers = [];
  let samples = [];
  let battery = null;
  navigator.getBattery?.().then((found) => (battery = found), () => {});

  function narrow(now) {
    samples = samples.filter((one) => now - one.at < KEPT);
    const low = Math.max(...samples.map((one) => one.low - DRIFT * (now - one.at)));
    const high = Math.min(...samples.map((one) => one.high + DRIFT * (now - one.at)));
    if (low > high) {
      samples = samples.slice(-1); // a clock has jumped
      return narrow(now);
    }
    state.offset = (low + high) / 2;
    state.width = high - low;
  }

  // An answer of the box: t is its time when the question arrived, held the seconds until it answered.
  function learn(sent, answer) {
    const now = here();
    if (answer.run !== state.run) {
      samples = [];
      state.given = -Infinity;
    }
    state.run = answer.run;
    samples.push({ at: now, low: answer.t + answer.held - now, high: answer.t - sent });
    narrow(now);
    if (answer.t + answer.held > state.given) {
      state.given = answer.t + answer.held;
      state.heard = answer.nonce;
    }
    state.trip = now - sent - answer.held;
    state.at = now;
    return answer;
  }

  const own = () => ({
    hidden: document.hidden,
    battery: battery ? battery.level : null,
    charging: battery ? battery.charging : null,
    hot: window.shinpanHeat.isHot(),
  });

  async function contact(made) {
    const sent = here();
    const body = { ...own(), run: state.run, heard: state.heard, made };
    const answer = await fetch("/phone/contact", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      keepalive: true,
      cache: "no-store",
      signal: window.shinpanDeadline(PATIENCE),
    });
    if (answer.status === 403) return location.replace("/phone?new");
    if (!answer.ok) throw new Error(answer.statusText);
    const told = learn(sent, await answer.json());
    state.last = told.last;
    state.part = told;
    hearers.forEach((hear) => hear(told));
    return told;
  }

  // Makes contact again and again; made returns how many presses were made so far.
  function keep(made) {
    let asked = 0;
    const ask = () => {
      asked += 1;
      contact(made()).catch(() => {}).finally(() => (asked -= 1));
    };
    const again = () => {
      const wide = state.width > NARROW;
      if (asked < (wide ? AT_FIRST : AT_ONCE)) ask();
      setTimeout(again, wide ? SOON : AGAIN);
    };
    document.addEventListener("visibilitychange", () => contact(made()).catch(() => {}));
    again();
  }

  return { state, here, own, learn, contact, keep, boxTime: (t) => t + state.offset, onContact: (hear) => hearers.push(hear) };
})();
