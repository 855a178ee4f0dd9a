// A plane with arrows, for the views that draw one.

import { clamp, distance } from "./shared.js";

export * from "./shared.js";

const [REACH_X, REACH_Y] = [6, 4]; // whole numbers to either side of the middle
const HOLD = 44; // pixels from a point within which it can be held

// An arrow from one point to another; one that is shorter than its head has none.
export function arrow(pen, ink, thickness, [x, y], [toX, toY]) {
  const length = Math.hypot(toX - x, toY - y);
  const head = 4 * thickness;
  if (length <= head) {
    pen.line(ink, thickness, [x, y], [toX, toY]);
    return;
  }
  const [right, down] = [(toX - x) / length, (toY - y) / length];
  const [baseX, baseY] = [toX - head * right, toY - head * down];
  pen.line(ink, thickness, [x, y], [baseX, baseY]);
  const side = (way) => [baseX - 0.5 * way * head * down, baseY + 0.5 * way * head * right];
  pen.shape(ink, [toX, toY], side(1), side(-1));
}

// A plane with its origin in the middle of a drawing that is so wide.
export class Plane {
  constructor(width) {
    this.tall = Math.min((width * REACH_Y) / REACH_X, 380);
    this.unit = Math.min(width / (2 * REACH_X), this.tall / (2 * REACH_Y));
    this.origin = [width / 2, this.tall / 2];
  }

  // Where on the canvas a point of the plane is.
  place = ([x, y]) => [this.origin[0] + x * this.unit, this.origin[1] - y * this.unit];

  // A line at each whole number.
  draw(pen) {
    const { colour } = pen;
    const { place } = this;
    for (let n = -REACH_X; n <= REACH_X; n += 1) {
      pen.line(n ? colour.faint : colour.line, 1, place([n, -REACH_Y]), place([n, REACH_Y]));
    }
    for (let n = -REACH_Y; n <= REACH_Y; n += 1) {
      pen.line(n ? colour.faint : colour.line, 1, place([-REACH_X, n]), place([REACH_X, n]));
    }
    const [left, top] = this.origin;
    pen.marks([1, 2, 3, 4], (n) => [left + n * this.unit, top + 16], "center");
    pen.marks([1, 2, 3], (n) => [left - 8, top - n * this.unit], "right", "middle");
  }

  // The name of an arrow from the origin, a little beyond its tip.
  name(pen, ink, text, end) {
    const length = distance(this.origin, end) || 1; // an arrow to the origin has no direction
    const [x, y] = end.map((side, axis) => side + (16 * (side - this.origin[axis])) / length);
    pen.bold(15, () => pen.centred(ink, text, x, y));
  }

  // What follows a pointer that holds the nearest of some points, each given by the two traits that
  // are its entries: it sets them, to multiples of 1/2. Nothing where none is near.
  holding(view, x, y, points) {
    const away = (traits) => distance([x, y], this.place(view.values(...traits)));
    const [nearest] = [...points].sort((one, other) => away(one) - away(other));
    if (away(nearest) > HOLD) return null;
    const entry = (trait, value) => clamp(Math.round(2 * value) / 2, ...view.limits(trait));
    return (toX, toY) => {
      const there = [(toX - this.origin[0]) / this.unit, (this.origin[1] - toY) / this.unit];
      view.set(Object.fromEntries(nearest.map((trait, n) => [trait, entry(trait, there[n])])));
    };
  }
}
