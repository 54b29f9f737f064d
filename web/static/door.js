"use strict";
// Lets the director in: sends the PIN, and loads the page again, which then is the desk.
(() => {
  const form = document.getElementById("door");
  const answer = document.getElementById("answer");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const said = await fetch("director/session", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ pin: form.pin.value.trim() }),
    }).catch(() => null);
    if (said && said.ok) {
      location.reload();
      return;
    }
    answer.textContent = said ? await said.text() : answer.dataset.lost || "–";
    form.pin.select();
  });
})();
