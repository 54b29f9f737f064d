"use strict";
// How people here call the intersections, by the labels at the board's edge. Acts and addresses have A1, without I.
window.shinpanPoints = (() => {
  const LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

  // The name A1 of each point, and what people may type: the name here, and the numbers of column and row from the upper left.
  function all(page = document) {
    const names = page.querySelector("svg .names");
    if (!names) return [];
    const [columns, rows] = ["letters", "numbers"].map((kind) =>
      Array.from(names.querySelectorAll(`[id^="board-${kind}-"] text`), (label) => label.textContent),
    );
    const joint = names.dataset.joint ?? "";
    return columns.flatMap((column, col) =>
      rows.map((row, at) => [`${LETTERS[col]}${rows.length - at}`, column + joint + row, `${col + 1}-${at + 1}`]),
    );
  }

  // What people type, with digits and letters of either width, and の or any hyphen for the sign between the two.
  function typed(text) {
    const plain = (name) => name.normalize("NFKC").trim().toUpperCase().replace(/[の\u2010\u2212]/, "-");
    const found = all();
    const written = plain(text);
    return (found.find(([, name]) => plain(name) === written) ?? found.find(([, , figures]) => figures === written) ?? [written])[0];
  }

  const shown = (point) => all().find(([name]) => name === point)?.[1] ?? point;
  return { all, shown, typed };
})();
