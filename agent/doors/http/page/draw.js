// @ts-check
/** What is drawn: elements with text in them, never markup made of data. */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | number | null | undefined | false} Part */
/** @typedef {{chunk_id: string, title: string, relevance: number | null, state: "kept" | "dropped", reason: string, isNamed?: boolean}} Candidate */

/**
 * An element of HTML. Strings become text; `class` and other names are attributes, functions are listeners.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Part | Part[])} parts
 * @returns {HTMLElement}
 */
export function h(name, attributes = {}, ...parts) {
  return /** @type {HTMLElement} */ (filled(document.createElement(name), attributes, parts));
}

/**
 * An element of SVG.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Part | Part[])} parts
 */
export function s(name, attributes = {}, ...parts) {
  return /** @type {SVGElement} */ (filled(document.createElementNS(SVG, name), attributes, parts));
}

/**
 * @param {Element} element
 * @param {Record<string, any>} attributes
 * @param {(Part | Part[])[]} parts
 */
function filled(element, attributes, parts) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, String(value));
  }
  for (const part of parts.flat()) {
    if (part === null || part === undefined || part === false) continue;
    element.append(part instanceof Node ? part : document.createTextNode(String(part)));
  }
  return element;
}

/**
 * A table with its heads; `heads` of columns, and rows whose first cell is the head of the row.
 * @param {string} caption
 * @param {string[]} heads
 * @param {Part[][]} rows
 * @param {string | null} [kind] a class
 */
export function table(caption, heads, rows, kind = null) {
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h("table", { class: kind },
      h("caption", {}, caption),
      h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell, place) =>
        place ? h("td", {}, cell) : h("th", { scope: "row" }, cell)))))));
}

/** @typedef {{caption: string, columns: string[][], rows: string[][], notes: string[]}} TableData */
/** @typedef {{row: number, column: number}} Place */

/**
 * The very table that a citation is of, with its cells marked.
 * @param {TableData} data
 * @param {Place[]} marked
 * @param {string} title what stands above it; a caption that this tells is not told again
 */
export function sourceTable(data, marked, title) {
  const deepest = Math.max(0, ...data.columns.map((path) => path.length));
  const heads = Array.from({ length: deepest }, (_, level) => h("tr", {}, headsOf(data.columns, level, marked)));
  const rows = data.rows.map((cells, row) => h("tr", {}, cells.map((cell, column) => {
    const isMarked = marked.some((one) => one.row === row && one.column === column);
    if (isMarked) return h("td", { class: "marked" }, h("mark", {}, cell));
    return column ? h("td", {}, cell)
      : h("th", { scope: "row", class: marked.some((one) => one.row === row) ? "head" : null }, cell);
  })));
  return h("figure", {},
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": data.caption || "Table" },
      h("table", {}, data.caption && !title.includes(data.caption) && h("caption", {}, data.caption), h("thead", {}, heads), h("tbody", {}, rows))),
    data.notes.map((note) => h("p", { class: "small" }, note)));
}

/**
 * The cells of a table that a quote of labels and values is of: those of the one row or column that tells all of it, and
 * where several do, of the row that is called as a thing of the answer.
 * @param {TableData} data
 * @param {string} quote as *Speed: 2; Length: 4 feet*
 * @param {string[]} names
 * @returns {Place[]}
 */
export function quotedCells({ columns, rows }, quote, names) {
  const label = (/** @type {number} */ column) => columns[column]?.join(" ") ?? "";
  /** @type {[(place: Place) => string, Place[][]][]} A row is told by the heads of its cells, a column by those of its rows. */
  const ways = [
    [({ column }) => label(column), rows.map((cells, row) => cells.map((_, column) => ({ row, column })))],
    [({ row }) => rows[row][0], columns.map((_, column) => rows.map((_, row) => ({ row, column })))],
  ];
  const found = ways.flatMap(([called, lines]) => lines.map((line) => {
    const told = line.map((place) => ({ place, text: `${called(place)}: ${rows[place.row][place.column]}` }))
      .filter(({ text }) => `; ${quote};`.includes(`; ${text};`));
    return told.map(({ text }) => text).join("; ") === quote ? told.map(({ place }) => place) : [];
  })).filter((line) => line.length);
  const plain = (/** @type {string} */ name) => name.toLowerCase().replace(/[^\p{L}\p{N}.]/gu, "");
  const named = found.filter(([{ row }]) => names.some((name) => plain(name) === plain(rows[row][0])));
  return found.length === 1 ? found[0] : named.length === 1 ? named[0] : [];
}

/**
 * The heads of one level; neighbours under the same head share it.
 * @param {string[][]} columns
 * @param {number} level
 * @param {Place[]} marked
 */
function headsOf(columns, level, marked) {
  /** @type {{text: string, key: string, span: number, holds: boolean}[]} */
  const heads = [];
  columns.forEach((path, place) => {
    const key = path.length > level ? JSON.stringify(path.slice(0, level + 1)) : "";
    const last = heads.at(-1);
    const holds = marked.some((one) => one.column === place);
    if (last && key && last.key === key && path.length > level + 1) {
      last.span += 1;
      last.holds ||= holds;
    } else heads.push({ text: path[level] ?? "", key, span: 1, holds });
  });
  return heads.map((head) =>
    h("th", { scope: "col", colspan: head.span > 1 ? head.span : null, class: head.holds ? "head" : null }, head.text));
}

/**
 * The odds of a fight: a bar for each side with its number beside it, where there are odds, and the figures below.
 * @param {any} values
 */
export function odds(values) {
  /** @type {any[]} */
  const sides = values.sides ?? values.combatants;
  const isDecided = sides.length === 2 && sides.every((side) => side.win_probability != null);
  const both = values.draw_probability ? [{ name: "both fall", win_probability: values.draw_probability }] : [];
  const bars = isDecided ? [h("figcaption", {}, "Who wins"), ...[...sides, ...both].map(bar)] : [];
  const figures = [["armor class", "armor_class"], ["needs to hit", "to_hit"], ["average hit points", "average_hit_points"],
    ["attacks a round", "attacks_per_round"], ["average damage", "average_damage"]];
  const rows = figures.map(([label, key]) => [label, ...values.combatants.map((/** @type {any} */ one) => one[key] ?? "–")]);
  return h("figure", { class: "odds" }, bars,
    table("What it rests on", ["", ...values.combatants.map((/** @type {any} */ one) => one.name)], rows));
}

/**
 * @param {{name: string, win_probability: number}} side
 * @param {number} place
 */
function bar(side, place) {
  return h("div", { class: "bar" },
    h("span", {}, side.name),
    rail(side.win_probability, place),
    h("strong", {}, percent(side.win_probability)));
}

/**
 * A bar as long as a share of the whole.
 * @param {number} share
 * @param {number} place chooses its colour
 */
function rail(share, place) {
  return s("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true", class: "rails" },
    s("rect", { width: 100, height: 8, class: "rail" }),
    s("rect", { width: 100 * share, height: 8, class: `side${place}` }));
}

/**
 * So many things in words.
 * @param {number} number
 * @param {string} thing
 */
export const counted = (number, thing) => `${number.toLocaleString("en")} ${thing}${number === 1 ? "" : "s"}`;

/** @param {number} share */
const percent = (share) => `${(100 * share).toFixed(1)}%`;

/**
 * A comparison as a table, or null where a finding is none. A column is a thing, a row what is told of it.
 * @param {any} values
 * @param {(label: string) => Part[]} marks the citations of a row
 */
export function comparison(values, marks) {
  const told = values?.values;
  if (!told) return null;
  if (Array.isArray(told)) return told.length > 1 && told.every((one) => one?.name && one?.value != null) ? measured(values, marks) : null;
  const labels = Object.keys(told);
  const names = [...new Set(labels.flatMap((label) => Object.keys(told[label] ?? {})))];
  if (!labels.length || names.length < 2 || typeof told[labels[0]] !== "object") return null;
  return table("Side by side", ["", ...names, "sources"], labels.map((label) =>
    [label, ...names.map((name) => told[label][name] ?? h("span", { class: "absent" }, "not stated")), h("span", {}, marks(label))]));
}

/**
 * Things by one measure, the most first, each with a bar where all are of one unit.
 * @param {any} values
 * @param {(label: string) => Part[]} marks
 */
function measured(values, marks) {
  const unit = (/** @type {any} */ one) => String(one.value).replace(/[\d.,]+/, "#").trim();
  /** @type {any[]} */
  const told = values.values;
  const isOneUnit = told.every((one) => one.number >= 0 && unit(one) === unit(told[0]) && /^\D{0,3}#\D*$/.test(unit(one)));
  const rows = isOneUnit ? [...told].sort((a, b) => b.number - a.number) : told;
  const most = Math.max(...told.map((one) => one.number));
  return table(values.attribute || "Compared", ["", values.attribute ?? "", "sources"], rows.map((one, place) => [
    one.name,
    h("span", { class: "measure" },
      one.name === values.better ? h("strong", {}, one.value) : h("span", {}, one.value), isOneUnit && most > 0 && rail(one.number / most, 0)),
    h("span", {}, marks(one.name)),
  ]), "measured");
}

const WIDE = 600, LEFT = 20, DOT = 9, AXIS_ROOM = 30;

/** @param {number} relevance */
const x = (relevance) => LEFT + Math.max(0, Math.min(1, relevance)) * (WIDE - 2 * LEFT);

/**
 * The candidates of a sub-query on an axis of relevance: kept ones are filled circles above it, squares where it was for
 * their name, dropped ones hollow diamonds below. With the arrow keys, or under the mouse, each tells its reason.
 * @param {any} retrieved
 * @param {Candidate[]} candidates
 */
export function strip(retrieved, candidates) {
  const placed = candidates.filter((one) => one.relevance !== null).sort((a, b) => Number(a.relevance) - Number(b.relevance));
  const up = levels(placed, "kept"), down = levels(placed, "dropped");
  const axis = Math.max(2, ...up.values()) * DOT + 34, tall = axis + Math.max(2, ...down.values()) * DOT + AXIS_ROOM;
  const said = h("output", { class: "small" }, 
    `● kept, ${placed.some((one) => one.isNamed) ? "■ kept for its name, " : ""}◇ dropped; arrow keys or the mouse tell why.`);
  const marks = placed.map((one) => {
    const level = (one.state === "kept" ? up : down).get(one) ?? 1;
    const y = one.state === "kept" ? axis - level * DOT + 2 : axis + level * DOT + 12;
    const at = x(Number(one.relevance));
    if (one.state === "dropped") return s("path", { d: `M${at} ${y - 4.5}l4.5 4.5l-4.5 4.5l-4.5-4.5z`, class: "dropped" });
    return one.isNamed ? s("rect", { x: at - 3.5, y: y - 3.5, width: 7, height: 7, class: "kept" }) : s("circle", { cx: at, cy: y, r: 4, class: "kept" });
  });
  let at = -1;
  const show = (/** @type {number} */ place) => {
    marks[at]?.classList.remove("at");
    at = Math.max(0, Math.min(marks.length - 1, place));
    marks[at]?.classList.add("at");
    if (placed[at]) said.textContent = tell(placed[at]);
  };
  marks.forEach((mark, place) => mark.addEventListener("mouseenter", () => show(place)));
  const picture = s("svg", {
    viewBox: `0 0 ${WIDE} ${tall}`, class: "strip", tabindex: 0, role: "img",
    "aria-label": `${retrieved.kept} kept and ${candidates.length - retrieved.kept} dropped by relevance; the table below tells the same`,
    keydown: (/** @type {KeyboardEvent} */ event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step) { show(at + step); event.preventDefault(); }
    },
  }, gapsOf(retrieved, axis), thresholds(retrieved, axis), scale(axis), marks);
  return h("figure", {}, h("div", { class: "scroll" }, picture), said);
}

/** @param {Candidate} one */
const tell = (one) => `${one.title}: ${one.state}, relevance ${Number(one.relevance).toFixed(3)}. ${one.reason}`;

/**
 * How high each candidate is stacked where several are of one relevance.
 * @param {Candidate[]} placed
 * @param {"kept" | "dropped"} state
 */
function levels(placed, state) {
  const found = new Map();
  const high = new Map();
  for (const one of placed.filter((each) => each.state === state)) {
    const bin = Math.round(x(Number(one.relevance)) / DOT);
    high.set(bin, (high.get(bin) ?? 0) + 1);
    found.set(one, high.get(bin));
  }
  return found;
}

/** @param {number} axis */
function scale(axis) {
  const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1].map((tick) =>
    s("text", { x: x(tick), y: axis + 13, "text-anchor": "middle" }, tick));
  return [s("line", { x1: x(0), x2: x(1), y1: axis + 1, y2: axis + 1, class: "axis" }), ...ticks];
}

/**
 * The two thresholds; the higher one is what cuts.
 * @param {any} retrieved
 * @param {number} axis
 */
function thresholds(retrieved, axis) {
  const both = [["absolute", retrieved.absolute_min], ["dynamic", retrieved.dynamic_threshold]];
  const higher = Math.max(retrieved.absolute_min, retrieved.dynamic_threshold);
  return both.filter(([, value]) => value > 0).map(([name, value], row) => {
    const isHigher = value === higher;
    const cuts = value >= retrieved.effective_threshold;
    return s("g", { class: cuts ? "threshold cuts" : "threshold" },
      s("line", { x1: x(value), x2: x(value), y1: 26, y2: axis }),
      s("text", { x: x(value) + (isHigher ? 3 : -3), y: 13 + 11 * row, "text-anchor": isHigher ? "start" : "end" },
        `${name} ${Number(value).toFixed(2)}${cuts ? " (cuts here)" : ""}`));
  });
}

/**
 * The gap that cut, shaded. A distance becomes relevance as that of a hit does, for each store measures in its own way.
 * @param {any} retrieved
 * @param {number} axis
 */
function gapsOf(retrieved, axis) {
  const hit = retrieved.hits.find((/** @type {any} */ one) => one.distance > 0 && one.relevance > 0);
  const slope = hit ? (1 - hit.relevance) / hit.distance : 1;
  return (retrieved.gaps ?? []).filter((/** @type {any} */ gap) => gap.cuts).map((/** @type {any} */ gap) => {
    const [far, near] = [x(1 - slope * gap.far), x(1 - slope * gap.near)];
    return s("rect", { x: far, y: 26, width: Math.max(1, near - far), height: axis - 26, class: "gap" }, s("title", {}, `gap: ${gap.reason}`));
  });
}

/**
 * The same as a table.
 * @param {Candidate[]} candidates
 */
export function candidateTable(candidates) {
  return table("Candidates", ["", "kept?", "relevance", "why"], candidates.map((one) =>
    [one.title, one.state, one.relevance === null ? "–" : one.relevance.toFixed(3), one.reason]));
}

/**
 * What went wrong, and what to do.
 * @param {any} told
 */
export function problem(told) {
  const fields = (told.errors ?? []).map((/** @type {any} */ each) => h("p", {}, `${each.pointer}: ${each.detail}`));
  return h("section", { class: "problem", role: "alert" }, h("h3", {}, told.title), h("p", {}, told.detail), fields);
}
