"use strict";
// The director's page of phones: looks every two seconds for what has changed, and ends a pairing with one tap.
(() => {
  const AGAIN = 2000;
  const token = document.getElementById("token").dataset.token;

  async function renew() {
    const answer = await fetch("phones/now", { cache: "no-store" });
    if (answer.status === 401) location.reload();
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    Idiomorph.morph(document.getElementById("phones"), fresh.getElementById("phones"));
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-post]");
    if (!button) return;
    const headers = { "Content-Type": "application/json", "X-Token": token };
    await fetch(button.dataset.post, { method: "POST", headers, body: "{}" }).catch(() => {});
    renew().catch(() => {});
  });
  setInterval(() => document.hidden || renew().catch(() => {}), AGAIN);
})();
