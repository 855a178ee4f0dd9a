// A plane with arrows, for the views that draw one.

import { clamp } from "./shared.js";

export * from "./shared.js";

const REACH = [6, 4]; // whole numbers to either side of the middle
export const HOLD = 44; // pixels from a point within which it can be held

// An arrow from one point to another; one that is shorter than its head has none.
export function arrow(pen, ink, thickness, [x, y], [toX, toY]) {
  const length = Math.hypot(toX - x, toY - y);
  const head = 4 * thickness;
  const [right, down] = [(toX - x) / (length || 1), (toY - y) / (length || 1)];
  if (length <= head) {
    pen.line(ink, thickness, [x, y], [toX, toY]);
    return;
  }
  const [baseX, baseY] = [toX - head * right, toY - head * down];
  pen.line(ink, thickness, [x, y], [baseX, baseY]);
  const side = (way) => [baseX - 0.5 * way * head * down, baseY + 0.5 * way * head * right];
  pen.shape(ink, [toX, toY], side(1), side(-1));
}

// A plane with its origin in the middle, and a line at each whole number. Returns where on the
// canvas a point of the plane is.
export function plane(pen, width, tall) {
  const { colour } = pen;
  const [reachX, reachY] = REACH;
  const unit = Math.min(width / (2 * reachX), tall / (2 * reachY));
  const [left, top] = [width / 2, tall / 2];
  const place = ([x, y]) => [left + x * unit, top - y * unit];
  for (let n = -reachX; n <= reachX; n += 1) {
    pen.line(n ? colour.faint : colour.line, 1, place([n, -reachY]), place([n, reachY]));
  }
  for (let n = -reachY; n <= reachY; n += 1) {
    pen.line(n ? colour.faint : colour.line, 1, place([-reachX, n]), place([reachX, n]));
  }
  for (const n of [1, 2, 3, 4].filter((number) => number < reachX)) {
    pen.label(colour.quiet, n, left + n * unit, top + 16, "center");
    if (n < reachY) pen.label(colour.quiet, n, left - 8, top - n * unit, "right", "middle");
  }
  return place;
}

// As high as the plane is for a width.
export const planeHeight = (width) => Math.min((width * REACH[1]) / REACH[0], 380);

// What follows a pointer that holds a point of the plane: it sets the two traits that are its
// entries, in halves.
export function holding(view, place, [x, y]) {
  const [left, top] = place([0, 0]);
  const unit = place([1, 0])[0] - left;
  const entry = (trait, value) => clamp(Math.round(2 * value) / 2, ...view.limits(trait));
  return (px, py) =>
    view.set({ [x]: entry(x, (px - left) / unit), [y]: entry(y, (top - py) / unit) });
}

// The name of an arrow, a little beyond its tip.
export function tipLabel(pen, ink, text, from, tip) {
  const length = Math.hypot(tip[0] - from[0], tip[1] - from[1]) || 1;
  const [x, y] = [0, 1].map((axis) => tip[axis] + (16 * (tip[axis] - from[axis])) / length);
  pen.centred(ink, text, x, y);
}
