"use strict";
// The director's page that removes a name: it looks first, shows where the name is, and removes it on a second word.
(() => {
  const AGAIN = 1000;
  const { token, lost } = document.getElementById("token").dataset;
  const form = document.getElementById("forget-form");
  const answer = form.querySelector(".answer");
  const now = () => document.getElementById("forget");

  async function renew() {
    const found = await fetch("forget/now", { cache: "no-store" });
    if (found.status === 401) location.reload();
    if (!found.ok) return;
    const fresh = new DOMParser().parseFromString(await found.text(), "text/html");
    Idiomorph.morph(now(), fresh.getElementById("forget"));
  }

  async function send(act, name) {
    answer.textContent = "";
    const headers = { "Content-Type": "application/json", "X-Token": token };
    const said = await fetch("forget", { method: "POST", headers, body: JSON.stringify({ act, name }) }).catch(() => null);
    if (said?.status === 401) location.reload();
    answer.textContent = said?.ok ? "" : said ? await said.text() : lost;
    answer.classList.toggle("refused", !said?.ok);
    await renew().catch(() => {});
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send("find", form.elements.name.value.trim());
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-remove]");
    if (!button) return;
    button.disabled = true;
    form.reset();
    send("remove", button.dataset.remove);
  });
  setInterval(() => "busy" in now().dataset && renew().catch(() => {}), AGAIN);
})();
