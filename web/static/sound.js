"use strict";
// A sound for each turn and each refusal, if wanted: made here, so that nothing is fetched.
window.shinpanSound = (() => {
  const KEPT = "shinpan-sound";
  const TONES = {
    legal: [[1250, 0, 0.05]],
    unfinished: [[620, 0, 0.12]],
    illegal: [[330, 0, 0.16], [247, 0.19, 0.26]],
    unexplained: [[330, 0, 0.16]],
    called: [[880, 0, 0.2], [880, 0.35, 0.2], [880, 0.7, 0.3]],
  };
  const button = document.getElementById("sound");
  const texts = document.body.dataset;
  let context = null;
  const hearers = [];
  let on = false;

  function tone([pitch, from, length]) {
    const [wave, loud] = [context.createOscillator(), context.createGain()];
    const start = context.currentTime + from;
    wave.type = "triangle";
    wave.frequency.value = pitch;
    loud.gain.setValueAtTime(0.25, start);
    loud.gain.exponentialRampToValueAtTime(0.001, start + length);
    wave.connect(loud).connect(context.destination);
    wave.start(start);
    wave.stop(start + length);
  }

  function turn(wanted) {
    on = wanted;
    button.setAttribute("aria-pressed", String(on));
    button.querySelector(".words").textContent = on ? texts.onText : texts.offText;
    if (on) context = context || new AudioContext();
    hearers.forEach((hear) => hear(on));
  }

  function play(kind) {
    if (!on || !TONES[kind]) return;
    button.dataset.played = kind;
    if (context.state === "suspended") context.resume().catch(() => {}); // it was turned on before anybody touched the page
    TONES[kind].forEach(tone);
  }

  button.hidden = false;
  button.addEventListener("click", () => {
    turn(!on);
    localStorage.setItem(KEPT, on ? "1" : "0");
    play("legal");
  });
  if (localStorage.getItem(KEPT) === "1") turn(true);

  function onTurn(hear) {
    hearers.push(hear);
    hear(on);
  }

  return { play, onTurn };
})();
