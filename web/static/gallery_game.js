"use strict";
// A game of the gallery: the tile's players and clocks beside a large board, on which the public record is replayed.
(() => {
  const ASK_AGAIN = 5000;
  const SILENCE = 30000;
  const LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
  const SVG = "http://www.w3.org/2000/svg";
  const body = document.body.dataset;
  const [place, tile, steps, slider, turns, at, lost] = ["board", "tile", "steps", "slider", "turns", "at", "lost"].map((id) => document.getElementById(id));
  let game = null; // {columns, rows, positions, moves}
  let bare = { path: "", board: null, names: null }; // a template, and its points' names by A1
  let shown = null; // the turn that is shown; null for the newest
  let version = "";
  let record = "";
  let heard = Date.now();

  // The main line of an SGF record: a list of nodes, each a map of properties. Refused turns are later variations.
  function mainLine(text) {
    const nodes = [];
    let depth = 0;
    let left = Infinity; // the depth below which the main line has ended
    let i = 0;
    while (i < text.length) {
      const letter = text[i++];
      if (letter === "(") depth += 1;
      else if (letter === ")") left = Math.min(left, depth--);
      else if (letter === ";" && depth <= left - (left === Infinity ? 0 : 1)) nodes.push(new Map());
      else if (/[A-Z]/.test(letter)) {
        let name = letter;
        while (/[A-Z]/.test(text[i])) name += text[i++];
        const values = [];
        for (;;) {
          while (/\s/.test(text[i])) i++;
          if (text[i] !== "[") break;
          let value = "";
          for (i++; i < text.length && text[i] !== "]"; i++) value += text[i] === "\\" ? text[++i] : text[i];
          i++;
          values.push(value);
        }
        if (left === Infinity && nodes.length) nodes[nodes.length - 1].set(name, values);
      }
    }
    return nodes;
  }

  const columnOf = (point) => point.charCodeAt(0) - 97;
  const rowOf = (point) => point.charCodeAt(1) - 97;

  function points(values) {
    return values.flatMap((value) => {
      const [one, other = one] = value.split(":");
      const found = [];
      for (let row = rowOf(one); row <= rowOf(other); row++) for (let column = columnOf(one); column <= columnOf(other); column++) found.push([column, row]);
      return found;
    });
  }

  function play(stones, columns, rows, column, row, colour) {
    const at = (x, y) => (x < 0 || y < 0 || x >= columns || y >= rows ? "#" : stones[y * columns + x]);
    const around = ([x, y]) => [[x + 1, y], [x - 1, y], [x, y + 1], [x, y - 1]];
    function takeIfSurrounded(start) {
      const own = at(...start);
      const chain = [start];
      const known = new Set([String(start)]);
      for (const stone of chain) {
        for (const near of around(stone)) {
          if (at(...near) === ".") return;
          if (at(...near) === own && !known.has(String(near))) {
            known.add(String(near));
            chain.push(near);
          }
        }
      }
      for (const [x, y] of chain) stones[y * columns + x] = ".";
    }
    stones[row * columns + column] = colour;
    for (const near of around([column, row])) if (!["#", ".", colour].includes(at(...near))) takeIfSurrounded(near);
    takeIfSurrounded([column, row]);
  }

  function replay(text) {
    const nodes = mainLine(text);
    const [columns, rows = columns] = (nodes[0]?.get("SZ")?.[0] ?? "19").split(":").map(Number);
    let stones = Array(columns * rows).fill(".");
    const positions = [];
    const moves = [];
    nodes.forEach((node, number) => {
      stones = [...stones];
      for (const [name, letter] of [["AB", "X"], ["AW", "O"], ["AE", "."]]) {
        for (const [column, row] of points(node.get(name) ?? [])) stones[row * columns + column] = letter;
      }
      const colour = ["B", "W"].find((name) => node.has(name));
      if (colour) {
        const [point] = node.get(colour);
        const on = point.length === 2 && columnOf(point) < columns && rowOf(point) < rows;
        if (on) play(stones, columns, rows, columnOf(point), rowOf(point), colour === "B" ? "X" : "O");
        moves.push({ colour, name: on ? `${LETTERS[columnOf(point)]}${rows - rowOf(point)}` : body.pass, last: on ? [columnOf(point), rowOf(point)] : null });
        positions.push(stones);
      } else if (positions.length && number) positions[positions.length - 1] = stones;
      else positions[0] = stones;
    });
    return { columns, rows, positions, moves };
  }

  function node(name, attributes, text = "") {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.textContent = text;
    return made;
  }

  const CELL = 40; // as in web/page/svg.py, which has drawn the bare board
  const MARGIN = 50;
  const COLOURS = { X: { fill: "url(#board-B)" }, O: { fill: "url(#board-W)", stroke: "#8d887d", "stroke-width": 0.7 } };
  const placeOf = (column, row) => ({ cx: MARGIN + CELL * column, cy: MARGIN + CELL * row });

  function draw() {
    const { columns, positions, moves } = game;
    const turn = shown ?? moves.length;
    const stones = positions[turn];
    const last = moves[turn - 1]?.last;
    const board = bare.board.content.firstElementChild.cloneNode(true);
    const all = node("g", { filter: "url(#board-shadow)" });
    for (const [letter, look] of Object.entries(COLOURS)) {
      const heap = node("g", look);
      stones.forEach((here, index) => {
        if (here === letter) heap.append(node("circle", { ...placeOf(index % columns, Math.floor(index / columns)), r: 19 }));
      });
      all.append(heap);
    }
    board.append(all);
    if (last) board.append(node("circle", { class: "last", ...placeOf(...last), r: 8.5, fill: "none", stroke: moves[turn - 1].colour === "B" ? "#fff" : "#17191c", "stroke-width": 3.2 }));
    place.replaceChildren(board);
    at.textContent = body.turn.replace("#", turn).replace("%", moves.length);
    board.querySelector("desc").textContent = at.textContent;
    slider.max = moves.length;
    slider.value = turn;
    for (const item of turns.children) item.firstElementChild.toggleAttribute("aria-current", item.value === turn);
    const here = turns.querySelector("[aria-current]");
    if (here) turns.scrollTop = here.offsetTop - turns.clientHeight / 2;
  }

  function list() {
    turns.replaceChildren(...game.moves.map((move, index) => {
      const item = document.createElement("li");
      item.value = index + 1;
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = `${index + 1} ${bare.names.get(move.name) ?? move.name}`;
      button.className = move.colour;
      button.addEventListener("click", () => go(index + 1));
      item.append(button);
      return item;
    }));
  }

  function go(turn) {
    if (!game) return;
    const wanted = Math.max(0, Math.min(turn, game.moves.length));
    shown = wanted === game.moves.length ? null : wanted;
    draw();
  }

  const fetchText = async (path) => {
    const answer = await fetch(`${body.root}${path}`, { signal: window.shinpanDeadline(ASK_AGAIN * 2) });
    if (!answer.ok) throw new Error(answer.statusText);
    return answer.text();
  };

  async function refresh() {
    const index = JSON.parse(await fetchText("live/index.json"));
    heard = Date.now();
    const one = index.tables.find(({ table }) => table === body.table);
    if (!one) return;
    if (one.version !== version) {
      const made = document.createElement("template");
      made.innerHTML = await fetchText(`live/tiles/${body.lang}/${one.version}.html`);
      tile.replaceChildren(made.content);
      version = one.version;
    }
    if (!one.record?.endsWith(".sgf")) return;
    const text = await fetchText(one.record);
    if (text === record) return;
    const next = replay(text);
    const path = `live/boards/${body.lang}/${one.coordinates}/${next.columns}x${next.rows}.svg`;
    if (bare.path !== path) {
      const board = document.createElement("template");
      board.innerHTML = await fetchText(path);
      bare = { path, board, names: new Map(window.shinpanPoints.all(board.content)) };
    }
    record = text;
    game = next;
    if (shown !== null && shown > game.moves.length) shown = null;
    steps.hidden = false;
    document.body.classList.add("has-record");
    list();
    draw();
  }

  let busy = false;
  async function keepUp() {
    if (busy) return;
    busy = true;
    await refresh().catch(() => {});
    busy = false;
  }

  steps.addEventListener("click", (event) => {
    const now = shown ?? game.moves.length;
    const turn = { back: now - 1, on: now + 1, now: Infinity }[event.target.dataset.step];
    if (turn !== undefined) go(turn);
  });
  slider.addEventListener("input", () => go(Number(slider.value)));
  addEventListener("keydown", (event) => {
    if (!game || event.target === slider || event.altKey || event.ctrlKey || event.metaKey) return;
    const now = shown ?? game.moves.length;
    const turn = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: Infinity }[event.key];
    if (turn === undefined) return;
    event.preventDefault();
    go(turn);
  });
  new EventSource(`${body.root}live/events`).addEventListener("news", keepUp);
  setInterval(keepUp, ASK_AGAIN * (0.8 + 0.4 * Math.random()));
  setInterval(() => {
    lost.hidden = Date.now() - heard < SILENCE;
    if (!lost.hidden) lost.textContent = body.lost;
  }, 1000);
  keepUp();
})();
