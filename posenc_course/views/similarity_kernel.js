// The scores p_k A p_lᵀ of all pairs of positions: with no A they depend on l − k alone.

import {
  Figure,
  clamp,
  colourBar,
  dot,
  encode,
  fixed,
  label,
  line,
  picture,
  scattered,
  whole,
  write,
} from "./shared.js";

const LENGTH = 64;
const REACH = 32; // distances drawn to either side

export function render(context) {
  const view = new Figure(context, "Position, width, base and weights");
  let [known, scores, most, least] = ["", null, 1, 0];
  let [table, drawn] = [null, ""];
  let weights = [];

  // All scores, computed once for each width, base and switch. A is drawn at random once and
  // scaled so that it keeps lengths on average.
  const measure = () => {
    const [d, base, mixed] = ["width", "base", "random_weights"].map((n) => view.get(n));
    const key = [d, base, mixed].join();
    if (key === known) return;
    known = key;
    const rows = Array.from({ length: LENGTH }, (_, k) => encode(k, d, base));
    let keys = rows;
    if (mixed) {
      if (weights.length !== d * d) weights = scattered("weights", d * d);
      const scale = Math.sqrt(3 / d);
      keys = rows.map((row) =>
        row.map((_, r) => {
          let sum = 0;
          for (let c = 0; c < d; c += 1) sum += weights[r * d + c] * row[c];
          return scale * sum;
        }),
      );
    }
    scores = rows.map((query) =>
      keys.map((other) => {
        let sum = 0;
        for (let c = 0; c < d; c += 1) sum += query[c] * other[c];
        return sum / (d / 2);
      }),
    );
    const all = scores.flat();
    most = mixed ? Math.max(...all.map(Math.abs)) : 1;
    least = mixed ? -most : Math.min(0, ...all);
  };

  const drawTable = (colour) => {
    const key = `${known} ${view.mapKey}`;
    if (key === drawn) return;
    drawn = key;
    table = picture(scores, colour.map, most);
  };

  // The picture on the left and the curves on its right, or below it on a phone.
  const plan = (width) => {
    const narrow = width < 480;
    const side = narrow ? Math.min(width - 40, 260) : Math.min(width * 0.42, 290);
    return narrow
      ? { side, x: 30, y: 24, left: 34, right: width - 10, top: side + 100, tall: 170 }
      : { side, x: 30, y: 24, left: 30 + side + 58, right: width - 12, top: 24, tall: side };
  };
  const height = (width) => plan(width).top + plan(width).tall + 48;

  const canvas = view.canvas(height, (pen, width, tall, colour) => {
    measure();
    drawTable(colour);
    const { side, x, y, left, right, top, tall: high } = plan(width);
    const k = view.get("position");
    const cell = side / LENGTH;
    pen.imageSmoothingEnabled = false;
    pen.drawImage(table, x, y, side, side);
    label(pen, colour.quiet, "position l", x, 14);
    for (const at of [0, 32, 63]) {
      label(pen, colour.quiet, at, x - 6, y + (at + 0.5) * cell, "right", "middle");
      label(pen, colour.quiet, at, x + (at + 0.5) * cell, y + side + 16, "center");
    }
    pen.strokeStyle = colour.highlight;
    pen.lineWidth = 2.5;
    pen.strokeRect(x, y + k * cell, side, cell);
    colourBar(pen, colour, x + side + 10, y + side + 32, Number(most.toFixed(1)));

    // Every eighth row as a curve over l − k, and the chosen one on top of them.
    const across = (shift) => left + ((shift + REACH) / (2 * REACH)) * (right - left);
    const up = (score) => top + 6 + (high - 12) * ((most - score) / (most - least));
    label(
      pen,
      colour.quiet,
      "score, for each distance l − k",
      (left + right) / 2,
      top - 10,
      "center",
    );
    line(pen, colour.line, 1, [left, up(0)], [right, up(0)]);
    line(pen, colour.line, 1, [across(0), top], [across(0), top + high]);
    for (const score of least < -0.3 * most ? [least, 0, most] : [0, most]) {
      label(pen, colour.quiet, fixed(score, 1), left - 6, up(score), "right", "middle");
    }
    for (const shift of [-REACH, -16, 0, 16, REACH]) {
      label(pen, colour.quiet, fixed(shift, 0), across(shift), top + high + 16, "center");
    }
    const curve = (row) =>
      scores[row].flatMap((score, j) =>
        Math.abs(j - row) <= REACH ? [[across(j - row), up(score)]] : [],
      );
    pen.globalAlpha = 0.4;
    for (let row = 0; row < LENGTH; row += 8) line(pen, colour.sine, 1.5, ...curve(row));
    pen.globalAlpha = 1;
    line(pen, colour.highlight, 3, ...curve(k));
    dot(pen, colour.highlight, across(0), up(scores[k][k]), 5.5, colour.ground);
  });

  view.point(canvas, (px, py) => {
    const { side, x, y } = plan(view.across);
    if (px < x || px > x + side || py < y || py > y + side) return null;
    return (_, to) =>
      view.set({ position: clamp(Math.floor(((to - y) / side) * LENGTH), 0, LENGTH - 1) });
  });

  view.say = () => {
    const [k, mixed] = [view.get("position"), view.get("random_weights")];
    const near = [8, 24, 40].map((row) => fixed(scores[row][row + 3]));
    write(
      view.reading,
      `{quiet|score at distance 3 from positions 8, 24 and 40:} {strong|${near.join(", ")}}. ` +
        (mixed
          ? "The random A breaks it: each position has a curve of its own."
          : "One curve serves all positions."),
    );
    return (
      `Scores of ${LENGTH} by ${LENGTH} positions, width ${view.get("width")}, ` +
      `base ${whole(view.get("base"))}, ${mixed ? "with random weights" : "without weights"}. ` +
      `Row ${k}: ${fixed(scores[k][k])} with itself. At distance 3 from positions 8, 24 and 40 ` +
      `the scores are ${near.join(", ")}.`
    );
  };

  view.slider("position", { label: "position k", min: 0, max: LENGTH - 1, accent: "--highlight" });
  view.slider("width", { label: "width d", min: 4, max: 128, step: 4 });
  view.baseSlider();
  view.toggle("random_weights", { label: "Put a random A between them" });
  return view.start(["position", "width", "base", "random_weights"]);
}
