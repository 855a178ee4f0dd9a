// The dot products of the rows of all pairs of positions: they depend on m − k alone.

import { Figure, clamp, dot, encode, fixed, _ } from "./shared.js";

const LENGTH = 64;
const APART = 3; // tokens between the positions whose scores are compared in words

export function render(context) {
  const view = new Figure(context, _("Position, numbers in a row and base"));
  let scores, most, least;

  // All scores, with the largest and the smallest or 0, computed once for each table.
  const measure = () => {
    const [d, base] = view.values("width", "base");
    const rows = Array.from({ length: LENGTH }, (_, k) => encode(k, d, base));
    scores = rows.map((query) => rows.map((key) => dot(query, key)));
    most = d / 2; // that of a row with itself: each pair adds 1
    least = Math.min(0, ...scores.flat());
  };
  for (const trait of ["width", "base"]) view.watch(trait, measure);
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
    pen.label(colour.quiet, _("all scores: k down, m across"), x, 14);
    pen.marks([0, 32, 63], (at) => [x - 6, y + (at + 0.5) * cell], "right", "middle");
    pen.marks([0, 32, 63], (at) => [x + (at + 0.5) * cell, y - 6], "center");
    pen.frame(colour.highlight, 2.5, x, y + k * cell, side, cell);
    pen.colourBar(x + side + 10, y + side + 12, Number(most.toFixed(1)));

    // The framed row as a curve over all positions m.
    const across = (position) => left + (position / (LENGTH - 1)) * (right - left);
    const up = (score) => top + 6 + (high - 12) * ((most - score) / (most - least));
    pen.label(colour.quiet, _("the framed row: its score with each m"), left, top - 26);
    pen.line(colour.line, 1, [left, up(0)], [right, up(0)]);
    pen.line(colour.line, 1, [across(k), top], [across(k), top + high]);
    // A number for the least where it does not touch that of 0.
    for (const score of least < -0.3 * most ? [least, 0, most] : [0, most]) {
      const text = fixed(score, score % 1 ? 1 : 0);
      pen.label(colour.quiet, text, left - 6, up(score), "right", "middle");
    }
    const marks = [0, 16, 32, 48, 63].filter((position) => Math.abs(position - k) >= 6);
    pen.marks(marks, (position) => [across(position), top + high + 16], "center");
    pen.label(colour.ink, `k = ${k}`, across(k), top + high + 16, "center");
    pen.line(colour.highlight, 2, ...scores[k].map((score, m) => [across(m), up(score)]));
    scores[k].forEach((score, m) => pen.dot(colour.highlight, across(m), up(score), 2.2));
    pen.dot(colour.highlight, across(k), up(scores[k][k]), 6, colour.ground);
  });

  view.point((px, py, { side, x, y }) => {
    if (px < x || px > x + side || py < y || py > y + side) return null;
    return (_, to) =>
      view.set({ position: clamp(Math.floor(((to - y) / side) * LENGTH), 0, LENGTH - 1) });
  });

  view.say = () => {
    const k = view.get("position");
    const near = [0, 10, 40].map((from) => {
      const values = { from, to: from + APART, score: fixed(scores[from][from + APART], 3) };
      return _("{from} and {to}: {strong|{score}}", values);
    });
    const said = view.read(
      _("{quiet|score of} {near}. One curve serves all positions.", { near: near.join(", ") }),
    );
    const itself = { k, score: fixed(scores[k][k]) };
    return `${_("Position {k} scores {score} with itself.", itself)} ${said}`;
  };

  view.slider("position", _("position k"), { accent: "--highlight" });
  view.slider("width", _("numbers in a row, d"), { step: 4 });
  view.baseSlider();
  return view.start(["position", "width", "base"]);
}
