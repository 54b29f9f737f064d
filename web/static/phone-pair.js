"use strict";
// Uses the code in the address up, once, and goes to the page of its part.
(async () => {
  const state = document.getElementById("state");
  const code = location.hash.slice(1);
  if (!state || !code) return;
  history.replaceState(null, "", location.pathname);
  state.textContent = state.dataset.wait;
  try {
    const answer = await fetch("/phone/pair", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ code }),
    });
    if (answer.ok) location.replace((await answer.json()).at);
    else state.textContent = await answer.text();
  } catch {
    state.textContent = state.dataset.lost;
  }
})();
