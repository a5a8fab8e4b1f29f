"use strict";
// Shows one position of the game at a time. All of it stands in data.js; what people wrote is put in as text only.

(() => {
  const album = window.album;
  const count = album.seq.length;
  const last = album.seq[count - 1];
  const PAUSE = 1100; // milliseconds from turn to turn while the game is played
  const REST = 300; // and until the address of the page is that of the position

  const element = (id) => document.getElementById(id);
  const slider = element("slider");
  const log = element("log");
  const play = element("play");
  const lines = [...log.querySelectorAll("a")];
  const ends = lines.map((line) => stepOf(Number(line.hash.slice(1))));

  let now = count - 1;
  let marked = null;
  let playing = 0;
  let resting = 0;

  // ---- positions

  // The last position that is not after the entry `seq`.
  function stepOf(seq) {
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (album.seq[middle] <= seq) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  function show(step) {
    now = Math.min(Math.max(step, 0), count - 1);
    const where = whereText();
    element("where").textContent = where;
    slider.value = now;
    slider.setAttribute("aria-valuetext", where);
    showPictures(album.sheet[now]);
    showStandings(album.standings[album.standing[now]]);
    markLine();
    moveCursor();
    for (const [id, ended] of [["round-back", now === 0], ["back", now === 0], ["on", now === count - 1], ["round-on", now === count - 1]]) {
      element(id).setAttribute("aria-disabled", ended);
    }
    clearTimeout(resting);
    resting = setTimeout(() => history.replaceState(null, "", "#" + album.seq[now]), REST);
  }

  function fill(words, values) {
    return words.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
  }

  function whereText() {
    const words = album.words;
    if (album.seq[now] === 0) return words.before;
    const round = album.round[now] ? fill(words.round, { round: album.round[now] }) : words.setup;
    return round + " · " + fill(words.entry, { seq: album.seq[now], last });
  }

  // ---- pictures

  function source(number) {
    const shape = album.shapes[number];
    if (typeof shape === "string") return shape;
    return "<g" + shape[0] + ">" + shape.slice(1).map(source).join("") + "</g>";
  }

  function drawn(sheet) {
    const [, head, shapes] = album.sheets[sheet];
    const text = album.shapes[head] + shapes.map(source).join("") + "</svg>";
    return document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  }

  function showPictures(sheets) {
    const frame = element("pictures");
    while (frame.children.length > sheets.length) frame.lastElementChild.remove();
    sheets.forEach((sheet, at) => {
      let figure = frame.children[at];
      if (!figure) {
        figure = frame.appendChild(document.createElement("figure"));
        figure.setAttribute("role", "img");
      }
      if (figure.dataset.sheet === String(sheet)) return;
      figure.dataset.sheet = sheet;
      figure.setAttribute("aria-label", album.sheets[sheet][0]);
      figure.replaceChildren(drawn(sheet));
    });
  }

  // ---- standings, log, chart

  function cell(tag, text, name) {
    const made = document.createElement(tag);
    made.textContent = text;
    if (name) made.className = name;
    if (tag === "th") made.scope = "row";
    return made;
  }

  function showStandings(rows) {
    const body = element("standings").tBodies[0];
    body.replaceChildren(
      ...rows.map(([seat, rank, points, ...parts]) => {
        const from = parts.map((number, at) => (number ? album.parts[at] + " " + number : "")).filter(Boolean);
        const row = document.createElement("tr");
        row.append(
          cell("td", rank + ".", "n"),
          cell("th", album.names[seat]),
          cell("td", points, "n"),
          cell("td", from.join(", "), "quiet"),
        );
        return row;
      }),
    );
  }

  // The line that is being told: the first that ends here or later.
  function markLine() {
    let at = ends.findIndex((end) => end >= now);
    if (at < 0) at = ends.length - 1;
    const line = now === 0 ? null : lines[at] || null;
    if (marked) marked.removeAttribute("aria-current");
    marked = line;
    for (const one of lines) one.tabIndex = one === (line || lines[0]) ? 0 : -1; // one stop for the key Tab
    element("told").textContent = line ? line.textContent : "";
    if (!line) {
      log.scrollTop = 0;
      return;
    }
    line.setAttribute("aria-current", "step");
    const box = line.getBoundingClientRect();
    const around = log.getBoundingClientRect();
    log.scrollTop += box.top - around.top - (around.height - box.height) / 2;
  }

  function moveCursor() {
    const chart = element("chart");
    const svg = chart.querySelector("svg");
    const { left, right, top, bottom } = chart.dataset;
    let cursor = svg.querySelector(".cursor");
    if (!cursor) {
      cursor = svg.appendChild(document.createElementNS(svg.namespaceURI, "path"));
      cursor.setAttribute("class", "cursor");
    }
    const x = Number(left) + ((right - left) * now) / Math.max(1, count - 1);
    cursor.setAttribute("d", `M${x.toFixed(1)} ${top}V${bottom}`);
  }

  // ---- moving

  function roundBack() {
    let step = now - 1;
    while (step > 0 && album.round[step - 1] === album.round[step]) step -= 1;
    show(step);
  }

  function roundOn() {
    let step = now + 1;
    while (step < count - 1 && album.round[step - 1] === album.round[step]) step += 1;
    show(step);
  }

  function nextTurn() {
    const next = ends.find((end) => end > now);
    show(next === undefined ? count - 1 : next);
    if (now === count - 1) stop();
    else playing = setTimeout(nextTurn, PAUSE);
  }

  function stop() {
    clearTimeout(playing);
    playing = 0;
    namePlay(album.words.play);
  }

  function start() {
    if (now === count - 1) show(0);
    playing = setTimeout(nextTurn, PAUSE);
    namePlay(album.words.stop);
  }

  function namePlay(words) {
    play.setAttribute("aria-label", words);
    play.title = words;
    play.classList.toggle("playing", playing !== 0);
  }

  const toggle = () => (playing ? stop() : start());

  const moves = {
    ArrowLeft: () => show(now - 1),
    ArrowRight: () => show(now + 1),
    PageUp: roundBack,
    PageDown: roundOn,
    Home: () => show(0),
    End: () => show(count - 1),
  };

  function moved(move) {
    stop();
    move();
  }

  function onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (event.key === " " && !event.target.closest("button")) toggle();
    else if (event.key in moves) moved(moves[event.key]);
    else return;
    event.preventDefault();
  }

  function fromAddress() {
    const seq = location.hash.slice(1);
    if (/^\d+$/.test(seq)) moved(() => show(stepOf(Number(seq))));
  }

  document.addEventListener("keydown", onKey);
  slider.addEventListener("input", () => moved(() => show(Number(slider.value))));
  play.addEventListener("click", toggle);
  for (const [id, key] of [["round-back", "PageUp"], ["back", "ArrowLeft"], ["on", "ArrowRight"], ["round-on", "PageDown"]]) {
    element(id).addEventListener("click", () => moved(moves[key]));
  }
  for (const line of lines) {
    // also where the address is that of the line already
    line.addEventListener("click", () => moved(() => show(stepOf(Number(line.hash.slice(1))))));
  }
  window.addEventListener("hashchange", fromAddress);

  element("controls").hidden = false;
  show(now);
  fromAddress();
})();
