"use strict";
// The phone's rear camera as the table's: pictures one at a time, each the newest there is, as often as the box asks.
// What the box sees in them is drawn over the live picture.
(() => {
  const WANTED = { facingMode: { ideal: "environment" }, width: { ideal: 1920 }, height: { ideal: 1080 } };
  const LONGEST_SIDE = 1920;
  const QUALITY = 0.8;
  const SETTLES = 4000; // milliseconds of light and focus, before they are locked
  const LOCKED = ["focusMode", "exposureMode", "whiteBalanceMode"];
  const PATIENCE = 8000;
  const AGAIN = 1000;
  const NEWS = 20; // milliseconds until it is looked again whether the camera has a new picture
  const CONTACT = 5000;
  const MEASURED = 5; // seconds of bandwidth
  const RATED = 10000; // milliseconds over which the camera's own pictures are counted
  const { state, here, own, learn, contact, boxTime } = window.shinpanContact;
  const texts = document.body.dataset;
  const video = document.getElementById("picture");
  const said = document.getElementById("said");
  const drawn = document.getElementById("drawn");
  const figures = document.getElementById("figures");
  const start = document.getElementById("start");
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d", { alpha: false });
  let shown = 0; // pictures of the camera so far
  let last = -1; // the one that was sent
  let taken = null; // when the picture that is shown was taken, on this page's clock
  let sent = [];
  let rate = 2;
  let track = null;
  let opening = false;

  async function lock() {
    const can = track.getCapabilities?.() || {};
    const wanted = LOCKED.filter((mode) => can[mode]?.includes("manual")).map((mode) => ({ [mode]: "manual" }));
    for (const one of wanted) await track.applyConstraints({ advanced: [one] }).catch(() => {});
    window.shinpanHeat.forget(); // a locked exposure has another rate
    document.body.dataset.locked = wanted.map((one) => Object.keys(one)[0]).join(" ");
  }

  // How many pictures the camera gives a second; not while the page was out of view, or the timer stood.
  function rateCamera(before, since) {
    const seconds = here() - since;
    if (!document.hidden && shown > before && seconds < (2 * RATED) / 1000) window.shinpanHeat.measure((shown - before) / seconds);
    setTimeout(rateCamera, RATED, shown, here());
  }

  function watchFrames(now, { captureTime } = {}) {
    taken = (captureTime ?? now ?? performance.now()) / 1000;
    shown += 1;
    video.requestVideoFrameCallback?.(watchFrames);
  }

  async function open() {
    start.hidden = true;
    if (opening || track?.readyState === "live") return;
    opening = true;
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ video: WANTED, audio: false });
      track = stream.getVideoTracks()[0];
      window.shinpanHeat.forget();
      track.addEventListener("ended", () => setTimeout(open, AGAIN)); // a call has taken the camera
      video.srcObject = stream;
      await video.play();
      video.requestVideoFrameCallback?.(watchFrames);
      setTimeout(() => lock().catch(() => {}), SETTLES);
    } catch (error) {
      said.textContent = `${texts.deniedText} (${error.name})`;
      start.hidden = false;
    } finally {
      opening = false;
    }
  }

  function draw({ size, corners, lids, good }) {
    drawn.replaceChildren();
    drawn.classList.toggle("good", good);
    if (!size) return;
    drawn.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
    const add = (name, attributes) => {
      const one = document.createElementNS("http://www.w3.org/2000/svg", name);
      for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
      drawn.append(one);
    };
    if (corners.length) add("polygon", { points: corners.map((corner) => corner.join(",")).join(" ") });
    for (const [x, y, width, height] of lids) add("rect", { x, y, width, height });
  }

  function measure(bytes) {
    const now = here();
    sent = [...sent.filter((one) => now - one.at < MEASURED), { at: now, bytes }];
    const seconds = Math.max(now - sent[0].at, 1);
    const total = sent.reduce((sum, one) => sum + one.bytes, 0);
    const [each, mbit] = [((sent.length - 1) / seconds).toFixed(1), ((8 * total) / seconds / 1e6).toFixed(1)];
    figures.textContent = texts.figuresText.replace("@", `${canvas.width}x${canvas.height}`).replace("#", each).replace("%", mbit);
    Object.assign(figures.dataset, { rate: each, mbit });
  }

  async function picture() {
    const scale = Math.min(1, LONGEST_SIDE / Math.max(video.videoWidth, video.videoHeight));
    canvas.width = Math.round(video.videoWidth * scale);
    canvas.height = Math.round(video.videoHeight * scale);
    const at = taken ?? here();
    context.drawImage(video, 0, 0, canvas.width, canvas.height);
    const data = await new Promise((made) => canvas.toBlob(made, "image/jpeg", QUALITY));
    return { data, at };
  }

  async function send() {
    const { data, at } = await picture();
    const told = { ...own(), run: state.run, t: state.offset === null ? null : boxTime(at) };
    const began = here();
    const answer = await fetch("/phone/picture", {
      method: "POST",
      headers: { "Content-Type": "image/jpeg", "X-State": JSON.stringify(told) },
      body: data,
      cache: "no-store",
      signal: window.shinpanDeadline(PATIENCE),
    });
    if (answer.status === 403) location.replace("/phone?new");
    if (!answer.ok) throw new Error(answer.statusText);
    const found = learn(began, await answer.json());
    rate = found.rate;
    said.textContent = found.say;
    draw(found);
    measure(data.size);
  }

  async function again() {
    const began = performance.now();
    let wait = 1000 / rate;
    const news = !video.requestVideoFrameCallback || shown !== last;
    if (!news) wait = NEWS;
    if (video.videoWidth && !document.hidden && news) {
      last = shown;
      try {
        await send();
      } catch {
        said.textContent = texts.lostText;
        drawn.replaceChildren(); // nobody sees now what was seen then
        wait = AGAIN;
        await fetch("/phone/camera").catch(() => {}); // the page's server may have been started again: it asks who this is
      }
    }
    setTimeout(again, Math.max(0, began + wait - performance.now()));
  }

  start.addEventListener("click", open);
  navigator.permissions?.query({ name: "camera" }).then((found) => found.state === "granted" && open(), () => {});
  document.addEventListener("visibilitychange", () => {
    contact(0).catch(() => {});
    if (!document.hidden && track?.readyState === "ended") open();
  });
  rateCamera(0, here());
  setInterval(() => contact(0).catch(() => {}), CONTACT);
  contact(0).catch(() => {});
  again();
})();
