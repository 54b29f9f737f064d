"use strict";
// A wall has no hands to scroll with: all tiles fit, in as many columns as give the largest boards.
window.shinpanFit = (place) => {
  const LETTERS = 27; // lines of text to a tile's height and width
  const LEAST = 9; // pixels
  const tables = place.childElementCount;
  if (!tables) return;
  let best = { board: -Infinity };
  for (let columns = 1; columns <= tables; columns++) {
    const wide = place.clientWidth / columns;
    const high = place.clientHeight / Math.ceil(tables / columns);
    const letters = Math.max(LEAST, Math.min(wide, high) / LETTERS);
    const board = Math.min(wide - 2 * letters, high - 6 * letters);
    if (board > best.board) best = { board, columns, letters };
  }
  place.style.fontSize = `${best.letters}px`;
  place.style.gridTemplateColumns = `repeat(${best.columns}, minmax(0, 1fr))`;
};
