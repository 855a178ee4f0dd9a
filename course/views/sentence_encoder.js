// Type a sentence: each token's embedding, its encoding, and the sum that enters the model.

import {
  Figure,
  band,
  clamp,
  colourBar,
  encode,
  fixed,
  frequency,
  label,
  node,
  picture,
  scattered,
  whole,
  write,
} from "./shared.js";

const TOP = 30;
const MOST_WORDS = 16;
const WIDTHS = [4, 8, 16, 32, 64, 128, 256, 512];

const split = (sentence) => sentence.split(/\s+/).filter(Boolean);

export function render(context) {
  const view = new Figure(context, "Sentence, width and base");
  const tokens = () => split(view.get("sentence"));
  const ROW = 38;

  const plan = (width) => {
    const left = clamp(width * 0.2, 84, 150);
    const gap = width < 480 ? 16 : 26;
    const cells = (width - left - 2 * gap) / 3;
    return { left, cells, starts: [0, 1, 2].map((part) => left + part * (cells + gap)), gap };
  };

  // The three rows of one token: embedding, encoding, sum. The embedding depends on the word
  // alone and stands for one a model has learned.
  const parts = (word, position) => {
    const width = view.get("width");
    const embedding = scattered(word.toLowerCase(), width);
    const encoding = encode(position, width, view.get("base"));
    return [embedding, encoding, embedding.map((value, column) => value + encoding[column])];
  };

  const canvas = view.canvas(
    () => TOP + ROW * tokens().length + 30,
    (pen, width, tall, colour) => {
      const { left, cells, starts, gap } = plan(width);
      const [position, column, count] = [
        view.get("position"),
        view.get("column"),
        view.get("width"),
      ];
      ["embedding", "encoding", "sum"].forEach((title, part) => {
        label(pen, colour.quiet, title, starts[part] + cells / 2, 16, "center");
      });
      const rows = tokens().map(parts);
      const tables = starts.map((_, part) =>
        picture(
          rows.map((row) => row[part]),
          colour.map,
          2,
        ),
      );
      tokens().forEach((word, k) => {
        const y = TOP + k * ROW + 2;
        const tallness = ROW - 8;
        pen.font = `${k === position ? "600 " : ""}14px ${colour.font}`;
        label(pen, colour.quiet, k, 18, y + tallness / 2, "right", "middle");
        let shown = word;
        while (shown.length > 2 && pen.measureText(shown).width > left - 36) {
          shown = `${shown.replace("…", "").slice(0, -1)}…`;
        }
        label(pen, colour.ink, shown, 28, y + tallness / 2, "left", "middle");
        pen.font = `12px ${colour.font}`;
        rows[k].forEach((values, part) => {
          band(pen, colour, tables[part], k, starts[part], y, cells, tallness);
          const cell = cells / count;
          if (cell >= 40) {
            values.forEach((value, c) => {
              const ink = Math.abs(value) > 1.1 ? colour.ground : colour.ink;
              label(
                pen,
                ink,
                fixed(value),
                starts[part] + (c + 0.5) * cell,
                y + tallness / 2,
                "center",
                "middle",
              );
            });
          }
          if (k === position) {
            pen.strokeStyle = colour.highlight;
            pen.lineWidth = 2.5;
            pen.strokeRect(starts[part] + column * cell, y, Math.max(cell, 2), tallness);
          }
        });
        pen.font = `16px ${colour.font}`;
        label(pen, colour.quiet, "+", starts[1] - gap / 2, y + tallness / 2, "center", "middle");
        label(pen, colour.quiet, "=", starts[2] - gap / 2, y + tallness / 2, "center", "middle");
      });
      pen.font = `13px ${colour.font}`;
      colourBar(pen, colour, width, tall - 14, 2);
    },
  );

  view.drag(canvas, (px, py) => {
    const { cells, starts } = plan(canvas.clientWidth);
    const part = starts.findIndex((start) => px >= start && px <= start + cells);
    if (part < 0 || py < TOP || py > TOP + ROW * tokens().length) return null;
    return (x, y) =>
      view.set({
        position: clamp(Math.floor((y - TOP) / ROW), 0, tokens().length - 1),
        column: clamp(
          Math.floor(((x - starts[part]) / cells) * view.get("width")),
          0,
          view.get("width") - 1,
        ),
      });
  });

  const lines = [node("p"), node("p")];
  view.reading.append(...lines);
  view.say = () => {
    const k = clamp(view.get("position"), 0, tokens().length - 1);
    const column = clamp(view.get("column"), 0, view.get("width") - 1);
    const [pair, wave] = [Math.floor(column / 2), column % 2 ? "cos" : "sin"];
    const tone = column % 2 ? "cosine" : "sine";
    const [embedding, encoding, sum] = parts(tokens()[k], k).map((row) => fixed(row[column], 3));
    const [base, width] = [view.get("base"), view.get("width")];
    const speed = fixed(frequency(pair, width, base), 4);
    write(
      lines[0],
      `Token ${k}, column ${column}: ` +
        `${wave}(${k} × ${whole(base)}{sup|−${2 * pair}/${width}}) ` +
        `= ${wave}(${k} × ${speed}) = {${tone}|${encoding}}`,
    );
    write(
      lines[1],
      `{quiet|embedding} ${embedding} {quiet|+ encoding} {${tone}|${encoding}} ` +
        `{quiet|= sum} {strong|${sum}}`,
    );
    return (
      `“${tokens().join(" ")}”: ${tokens().length} tokens of width ${width}, ` +
      `base ${whole(base)}. ` +
      `Token ${k}, “${tokens()[k]}”, column ${column}: ` +
      `embedding ${embedding}, plus encoding ${encoding}, makes ${sum}.`
    );
  };

  // A sentence that is empty or too long is left in the box and not drawn.
  const input = node("input", { type: "text", maxlength: 120, spellcheck: "false" });
  view.on(input, "input", () => {
    const count = split(input.value).length;
    input.setAttribute("aria-invalid", String(count < 1 || count > MOST_WORDS));
    if (count < 1 || count > MOST_WORDS) return;
    view.set({ position: Math.min(view.get("position"), count - 1), sentence: input.value });
  });
  const update = () => {
    if (input.value !== view.get("sentence")) input.value = view.get("sentence");
  };
  view.watch("sentence", update);
  update();
  view
    .labelled(
      input,
      "sentence",
      "sentence",
      (text) => `${split(text).length} of at most ${MOST_WORDS} tokens`,
    )
    .parentNode.classList.add("posenc-across");

  view.slider("width", {
    label: "width d",
    min: 4,
    max: 512,
    to: (width) => WIDTHS.indexOf(width),
    from: (at) => WIDTHS[at],
  });
  view.baseSlider();
  view.slider("position", {
    label: "token k",
    min: 0,
    max: () => tokens().length - 1,
    follows: ["sentence"],
    accent: "--highlight",
  });
  view.slider("column", {
    label: "column",
    min: 0,
    max: () => view.get("width") - 1,
    follows: ["width"],
    accent: "--highlight",
  });
  view.watch("width", () => {
    if (view.get("column") >= view.get("width")) view.set({ column: view.get("width") - 1 });
  });
  return view.start(["sentence", "width", "base", "position", "column"]);
}
