"use strict";
// Lets the director of the hall in, hands out the round that stands on the page, and shows which boxes have taken it.
(() => {
  const OFTEN = 1000;
  const AT_ONCE = 100; // tables in a request; a hall takes 64 KiB
  const door = document.getElementById("door");
  const round = document.getElementById("round");
  const now = document.getElementById("now");
  const answer = document.getElementById("answer");

  async function send(path, said, token = "") {
    return fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Token": token },
      body: JSON.stringify(said),
    }).catch(() => null);
  }

  door?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const said = await send("session", { pin: door.pin.value.trim(), name: door.elements.name.value.trim(), role: "director" });
    if (said?.ok) location.reload();
    else if (said) answer.textContent = await said.text();
  });

  function matches() {
    const rows = [...round.querySelectorAll("tbody tr")].filter((row) => row.querySelector("[type=checkbox]").checked);
    return rows.map((row) => {
      const value = (name) => row.querySelector(`[name=${name}]`).value.trim();
      const match = { ...JSON.parse(row.dataset.match), rules: round.elements.rules.value };
      match.handicap = Number(value("handicap")) || 0;
      match.komi = value("komi") === "" ? null : Number(value("komi"));
      match.control = value("own") || round.elements.control.value.trim();
      return match;
    });
  }

  async function refresh() {
    const said = await fetch("round/now", { cache: "no-store" }).catch(() => null);
    if (said?.ok) now.innerHTML = await said.text();
  }

  round?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const all = matches();
    answer.textContent = "";
    for (let from = 0; from < all.length && !answer.textContent; from += AT_ONCE) {
      const said = await send("round", { matches: all.slice(from, from + AT_ONCE) }, round.dataset.token);
      if (said && !said.ok) answer.textContent = await said.text();
    }
    refresh();
  });

  now?.addEventListener("click", async (event) => {
    if (!event.target.classList.contains("withdraw")) return;
    event.target.disabled = true;
    await send("round/withdraw", { table: event.target.closest("tr").dataset.table }, now.dataset.token);
    refresh();
  });

  if (now) setInterval(refresh, OFTEN);
})();
