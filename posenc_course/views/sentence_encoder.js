// Type a sentence: each word's own row, the row of its position, and the sum that enters the model.

import { Figure, clamp, encode, fixed, frequency, node, scattered, whole, _ } from "./shared.js";

const TOP = 30;
const MOST_WORDS = 16;

// The sum of a word and a position is seldom larger.
const MOST = 3;

const split = (sentence) => sentence.split(/\s+/).filter(Boolean);
const plain = (value, digits) => (Number.isInteger(value) ? whole(value) : fixed(value, digits));

export function render(context) {
  const view = new Figure(context, _("Sentence, width and base"));
  const tokens = () => split(view.get("sentence"));
  const ROW = 38;

  // The three blocks: where each starts and how wide it is. A word's own numbers are whole, and
  // need less room. On a phone the sum has the room.
  const plan = (width) => {
    const phone = width < 480;
    const left = clamp(width * 0.15, 80, 150);
    const gap = phone ? 20 : 26;
    const room = width - left - 2 * gap;
    const sizes = (phone ? [0.15, 0.15, 0.7] : [0.24, 0.38, 0.38]).map((share) => share * room);
    const starts = [0, 1, 2].map((part) =>
      sizes.slice(0, part).reduce((at, size) => at + size + gap, left),
    );
    return { width, left, gap, sizes, starts, tall: TOP + ROW * tokens().length + 30 };
  };

  // A word's own row: the embedding's, or one made up from the letters.
  const own = (word) => {
    const width = view.get("width");
    const names = split(view.get("vocabulary")).map((name) => name.toLowerCase());
    const row = view.get("embedding")[names.indexOf(word.toLowerCase())];
    if (row && row.length === width) return row;
    return Array.from(scattered(word.toLowerCase(), width), (value) => Math.round(2 * value));
  };

  // The three rows of one token: the word's, the position's, and the sum.
  const parts = (word, position) => {
    const row = own(word);
    const encoding = encode(position, view.get("width"), view.get("base"));
    return [row, encoding, row.map((value, column) => value + encoding[column])];
  };

  view.canvas(plan, (pen, { width, left, gap, sizes, starts, tall }, colour) => {
    const [position, column, count] = view.values("position", "column", "width");
    [_("word"), _("position"), _("sum")].forEach((title, part) => {
      pen.label(colour.quiet, title, starts[part] + sizes[part] / 2, 16, "center");
    });
    const rows = tokens().map(parts);
    tokens().forEach((word, k) => {
      const y = TOP + k * ROW + 2;
      const tallness = ROW - 8;
      pen.context.font = `${k === position ? "600 " : ""}14px ${colour.font}`;
      pen.label(colour.quiet, k, 18, y + tallness / 2, "right", "middle");
      let shown = word;
      while (shown.length > 2 && pen.context.measureText(shown).width > left - 36) {
        shown = `${shown.replace("…", "").slice(0, -1)}…`;
      }
      pen.label(colour.ink, shown, 28, y + tallness / 2, "left", "middle");
      pen.plain();
      rows[k].forEach((values, part) => {
        pen.band(values, MOST, starts[part], y, sizes[part], tallness);
        const cell = sizes[part] / count;
        const places = cell >= 44 ? 3 : 2; // as the text has, where there is room
        if (cell >= (part === 0 ? 24 : 36)) {
          values.forEach((value, c) => {
            const ink = Math.abs(value) > 0.55 * MOST ? colour.ground : colour.ink;
            const at = starts[part] + (c + 0.5) * cell;
            pen.centred(ink, plain(value, places), at, y + tallness / 2);
          });
        }
        if (k === position) {
          const edge = starts[part] + column * cell;
          pen.frame(colour.highlight, 2.5, edge, y, Math.max(cell, 2), tallness);
        }
      });
      pen.context.font = `16px ${colour.font}`;
      pen.centred(colour.quiet, "+", starts[1] - gap / 2, y + tallness / 2);
      pen.centred(colour.quiet, "=", starts[2] - gap / 2, y + tallness / 2);
    });
    pen.plain();
    pen.colourBar(width, tall - 14, MOST);
  });

  view.point((px, py, { sizes, starts }) => {
    const part = starts.findIndex((start, at) => px >= start && px <= start + sizes[at]);
    if (part < 0 || py < TOP || py > TOP + ROW * tokens().length) return null;
    const width = view.get("width");
    const columnAt = (x) => Math.floor(((x - starts[part]) / sizes[part]) * width);
    return (x, y) =>
      view.set({
        position: clamp(Math.floor((y - TOP) / ROW), 0, tokens().length - 1),
        column: clamp(columnAt(x), 0, width - 1),
      });
  });

  view.say = () => {
    const [k, column, base, width] = view.values("position", "column", "base", "width");
    const [pair, wave] = [Math.floor(column / 2), column % 2 ? "cos" : "sin"];
    const tone = column % 2 ? "cosine" : "sine";
    const row = parts(tokens()[k], k).map((values) => plain(values[column], 3));
    const angle = plain(Number((k * frequency(pair, width, base)).toFixed(6)), 3);
    const entry = _("{quiet|position {k}, column {column}:}", { k, column });
    view.read(
      `${entry} ` +
        `${wave}(${k} / ${whole(base)}{sup|${2 * pair}/${width}}) ` +
        `= ${wave} ${angle} = {${tone}|${row[1]}}`,
      _("“{word}” {own} {quiet|+ position {k}} {place} {quiet|= sum} {strong|{sum}}", {
        word: tokens()[k],
        own: row[0],
        k,
        place: `{${tone}|${row[1]}}`,
        sum: row[2],
      }),
    );
    return _(
      "“{text}”: {count} words of width {width}, base {base}. Position {k}, “{word}”, column {column}: the word has {own}, the position {place}, and the sum is {sum}.",
      {
        text: tokens().join(" "),
        count: tokens().length,
        width,
        base: whole(base),
        k,
        word: tokens()[k],
        column,
        own: row[0],
        place: row[1],
        sum: row[2],
      },
    );
  };

  // A sentence that is empty or too long is left in the box and not drawn.
  const input = node("input", { type: "text", maxlength: 120, spellcheck: "false" });
  input.addEventListener("input", () => {
    const count = split(input.value).length;
    input.setAttribute("aria-invalid", String(count < 1 || count > MOST_WORDS));
    if (count < 1 || count > MOST_WORDS) return;
    view.set({ position: Math.min(view.get("position"), count - 1), sentence: input.value });
  });
  view.follow("sentence", () => {
    input.value = view.get("sentence");
  });
  const counted = (text) =>
    _("{count} of at most {most} words", { count: split(text).length, most: MOST_WORDS });
  view
    .labelled(input, "sentence", _("sentence"), counted)
    .parentNode.classList.add("posenc-across");
  view.button(view.row("posenc-across"), _("Swap the first two words"), () => {
    const [first, second, ...rest] = tokens();
    if (second) view.set({ sentence: [second, first, ...rest].join(" ") });
  });

  view.slider("width", _("numbers in a row, d"));
  view.baseSlider();
  const accent = "--highlight";
  const [words, columns] = [() => tokens().length - 1, () => view.get("width") - 1];
  view.slider("position", _("position k"), { most: words, follows: "sentence", accent });
  view.slider("column", _("column"), { most: columns, follows: "width", accent });
  return view.start(["sentence", "width", "base", "position", "column"]);
}
