// The scores p_k A p_mᵀ of all pairs of positions: with no A they depend on m − k alone.

import { Figure, clamp, dot, encode, fixed, scattered } from "./shared.js";

const LENGTH = 64;
const APART = 3; // tokens between the positions whose scores are compared in words

export function render(context) {
  const view = new Figure(context, "Position, numbers in a row, base and weights");
  let [scores, most, least] = [null, 1, 0];

  // All scores, computed once for each table and switch. A is drawn at random once and
  // scaled so that it keeps lengths on average.
  const measure = () => {
    const [d, base, mixed] = view.values("width", "base", "random_weights");
    const rows = Array.from({ length: LENGTH }, (_, k) => encode(k, d, base));
    const weights = mixed ? scattered("weights", d * d) : [];
    const scale = Math.sqrt(3 / d);
    const weighed = (row) => row.map((_, r) => scale * dot(weights.slice(r * d, (r + 1) * d), row));
    const keys = mixed ? rows.map(weighed) : rows;
    scores = rows.map((query) => keys.map((other) => dot(query, other)));
    const all = scores.flat();
    most = mixed ? Math.max(...all.map(Math.abs)) : d / 2;
    least = mixed ? -most : Math.min(0, ...all);
  };
  for (const trait of ["width", "base", "random_weights"]) view.watch(trait, measure);
  measure();

  // The picture on the left and the curves on its right, or below it on a phone.
  const plan = (width) => {
    const narrow = width < 480;
    const side = narrow ? Math.min(width - 40, 260) : Math.min(width * 0.42, 290);
    const [x, y] = [30, 40];
    return narrow
      ? { side, x, y, left: 34, right: width - 10, top: side + 120, high: 170, tall: side + 338 }
      : { side, x, y, left: side + 96, right: width - 12, top: y, high: side, tall: side + 88 };
  };

  view.canvas(plan, (pen, { side, x, y, left, right, top, high }, colour) => {
    const k = view.get("position");
    const cell = side / LENGTH;
    pen.image(scores, most, x, y, side, side);
    pen.label(colour.quiet, "all scores: k down, l across", x, 14);
    pen.marks([0, 32, 63], (at) => [x - 6, y + (at + 0.5) * cell], "right", "middle");
    pen.marks([0, 32, 63], (at) => [x + (at + 0.5) * cell, y - 6], "center");
    pen.frame(colour.highlight, 2.5, x, y + k * cell, side, cell);
    pen.colourBar(x + side + 10, y + side + 12, Number(most.toFixed(1)));

    // The framed row as a curve over all positions l.
    const across = (position) => left + (position / (LENGTH - 1)) * (right - left);
    const up = (score) => top + 6 + (high - 12) * ((most - score) / (most - least));
    pen.label(colour.quiet, "the framed row: its score with each l", left, top - 26);
    pen.line(colour.line, 1, [left, up(0)], [right, up(0)]);
    pen.line(colour.line, 1, [across(k), top], [across(k), top + high]);
    for (const score of least < -0.3 * most ? [least, 0, most] : [0, most]) {
      const text = fixed(score, score % 1 ? 1 : 0);
      pen.label(colour.quiet, text, left - 6, up(score), "right", "middle");
    }
    const marks = [0, 16, 32, 48, 63].filter((position) => Math.abs(position - k) >= 6);
    pen.marks(marks, (position) => [across(position), top + high + 16], "center");
    pen.label(colour.ink, `k = ${k}`, across(k), top + high + 16, "center");
    pen.line(colour.highlight, 2, ...scores[k].map((score, l) => [across(l), up(score)]));
    scores[k].forEach((score, l) => pen.dot(colour.highlight, across(l), up(score), 2.2));
    pen.dot(colour.highlight, across(k), up(scores[k][k]), 6, colour.ground);
  });

  view.point((px, py, { side, x, y }) => {
    if (px < x || px > x + side || py < y || py > y + side) return null;
    return (_, to) =>
      view.set({ position: clamp(Math.floor(((to - y) / side) * LENGTH), 0, LENGTH - 1) });
  });

  view.say = () => {
    const [k, mixed] = [view.get("position"), view.get("random_weights")];
    const near = [0, 10, 40].map((from) => {
      const score = fixed(scores[from][from + APART], 3);
      return `${from} and ${from + APART}: {strong|${score}}`;
    });
    const own = "With the random A each position has a curve of its own.";
    const curves = mixed ? own : "One curve serves all positions.";
    const said = view.read(`{quiet|score of} ${near.join(", ")}. ${curves}`);
    return `Position ${k} scores ${fixed(scores[k][k])} with itself. ${said}`;
  };

  view.slider("position", "position k", { accent: "--highlight" });
  view.slider("width", "numbers in a row, d", { step: 4 });
  view.baseSlider();
  view.toggle("random_weights", "Put a random A between them");
  return view.start(["position", "width", "base", "random_weights"]);
}
