// An axis of tokens, decade after decade, for the views that lay wavelengths along it.

import { clamp, _ } from "./shared.js";

export * from "./shared.js";

const POWERS = ["1", "10", "100", "10³", "10⁴", "10⁵", "10⁶", "10⁷", "10⁸"];

// The axis of a drawing that is so wide, and `high` below the line at `top`.
export class Decades {
  constructor(width, top, high) {
    Object.assign(this, { left: 14, right: width - 16, top, bottom: top + high });
    Object.assign(this, { width, high, tall: top + high + 58 });
    this.decade = (this.right - this.left) / (POWERS.length - 1);
  }

  at(tokens) {
    return this.left + Math.log10(tokens) * this.decade;
  }

  tokens(x) {
    return 10 ** ((x - this.left) / this.decade);
  }

  draw(pen) {
    const { left, right, bottom } = this;
    const { colour } = pen;
    POWERS.forEach((name, power) => {
      const x = this.at(10 ** power);
      pen.line(colour.line, 1, [x, bottom], [x, bottom + 5]);
      pen.label(colour.quiet, name, x, bottom + 20, "center");
    });
    pen.line(colour.line, 1, [left, bottom], [right, bottom]);
    pen.label(colour.quiet, _("wavelength, tokens"), (left + right) / 2, bottom + 42, "center");
  }

  // What stands upright at a length of text, with its name above.
  post(pen, x, name, [least, most]) {
    const { colour } = pen;
    pen.line(colour.ink, 2, [x, this.top - 6], [x, this.bottom]);
    pen.dot(colour.ink, x, this.top - 8, 9, colour.ground);
    pen.bold(14, () => pen.label(colour.ink, name, clamp(x, least, most), 18, "center"));
  }

  // What sets the length of text to where the pointer is on the axis, or so many tokens more.
  setting(view, y, more = 0) {
    if (y > this.bottom) return null;
    const length = (x) => clamp(Math.round(this.tokens(x)) + more, ...view.limits("length"));
    return (x) => view.set({ length: length(x) });
  }
}
