"use strict";
// In some fonts letters stand out of their line: only what is half a line too high has a line that is not shown.
window.shinpanIsCut = (name) => name.scrollHeight > name.clientHeight + parseFloat(getComputedStyle(name).fontSize) / 2;

// A wall has no hands to scroll with, unless it is a phone's: all tiles fit, in as many columns as give the largest boards.
window.shinpanFit = (place) => {
  const LETTERS = 27; // lines of text to a tile's height and width
  const LEAST = 9; // pixels
  const NAMES = 0.0108; // of the wall's width: the smallest letters of names, which are read from across the room
  const ONE_LINE = 14; // a tile's width in letters' heights, below which a name has two lines
  if (matchMedia("(max-width: 40rem)").matches) {
    place.removeAttribute("style");
    return;
  }
  const tables = place.childElementCount;
  if (!tables) return;
  let best = { board: -Infinity };
  let rows = 0;
  for (let columns = 1; columns <= tables; columns++) {
    if (Math.ceil(tables / columns) === rows) continue; // One more column would stay empty in the last row.
    rows = Math.ceil(tables / columns);
    const wide = place.clientWidth / columns;
    const high = place.clientHeight / rows;
    const letters = Math.max(LEAST, Math.min(wide, high) / LETTERS);
    const names = Math.max(NAMES * place.clientWidth, 1.5 * letters);
    const lines = wide < ONE_LINE * names ? 2 : 1;
    const board = Math.min(wide - 2 * letters, high - 4 * letters - 2.5 * lines * names);
    if (board > best.board) best = { board, columns, letters, names, lines };
  }
  place.style.fontSize = `${best.letters}px`;
  place.style.setProperty("--names", `${best.names}px`);
  place.style.setProperty("--lines", best.lines);
  place.style.gridTemplateColumns = `repeat(${best.columns}, minmax(0, 1fr))`;
  // A name is rather told whole than the board large.
  if (Array.from(place.querySelectorAll(".game li b")).some(window.shinpanIsCut)) place.style.setProperty("--lines", 2);
};
