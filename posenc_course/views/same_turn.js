// One hand at position k and Δ tokens later: the arrow to add, and the angle to turn.

import { Figure, arrow, distance, fixed, tip, _ } from "./plane.js";

const HEAD = 26;
const FOOT = 44;
const GRIP = 28;

export function render(context) {
  const view = new Figure(context, _("Position and shift"));
  const angle = (tokens) => tokens * view.get("frequency");
  for (const trait of ["position", "shift"]) view.turning(trait);

  const places = () => [view.get("position"), view.get("position") + view.get("shift")];
  const names = () => {
    const [k, later] = places();
    return [view.count(k, "position"), view.count(later, "position", "shift")];
  };

  // A tip as the table stores it: x, the sine, then y, the cosine.
  const pair = ([x, y]) => `(${fixed(x)}, ${fixed(y)})`;
  const point = (turned) => [Math.sin(turned), Math.cos(turned)];
  const step = (now, later) => [0, 1].map((axis) => point(later)[axis] - point(now)[axis]);

  // The clock, and beside it (on a phone below it) what to add and what to turn, at one scale.
  const plan = (width) => {
    const narrow = width < 520;
    const radius = Math.min(narrow ? width / 4 - 12 : (width - 108) / 6, 110);
    const top = HEAD + radius + 26;
    const below = narrow ? top + 2 * radius + 26 + FOOT + HEAD + 38 : top;
    const across = narrow
      ? [width / 2, width / 4, 0.75 * width]
      : [radius + 30, 3 * radius + 84, width - radius - 4];
    return { radius, across, top, below, tall: below + radius + 26 + FOOT };
  };

  view.canvas(plan, (pen, { radius, across: [x, ax, tx], top: y, below }, colour) => {
    const [k, later] = places();
    const [before, after] = names();
    const [from, opening] = [angle(k), angle(view.get("shift"))];
    const angles = [from, from + opening];

    pen.wedge(colour.shift, 0.3, x, y, radius, from, opening);
    pen.wedge(colour.shift, 0.3, tx, below, radius, 0, opening);
    pen.dial(x, y, radius);
    pen.dial(tx, below, radius);
    pen.line(colour.quiet, 2, [tx, below], tip(tx, below, radius, 0));
    pen.hand(colour.shift, tx, below, radius, opening, 3);
    const inks = [colour.ink, colour.shift];
    const ends = angles.map((to) => tip(x, y, radius, to));
    for (const n of [1, 0]) {
      pen.line(inks[n], 3, [x, y], ends[n]);
      pen.dot(inks[n], ...ends[n], 4.5);
    }
    pen.dot(colour.ink, x, y, 3);
    arrow(pen, colour.highlight, 3, ...ends);
    const rim = angles.map((to) => tip(x, y, radius + 15, to));
    pen.bold(14, () => {
      pen.centred(colour.ink, before, ...rim[0]);
      if (later !== k) pen.centred(colour.shift, after, ...rim[1]);
    });

    // The same arrow again, about its middle: its length stays, where it points does not.
    const [right, up] = step(...angles).map((side) => (side * radius) / 2);
    arrow(pen, colour.highlight, 3, [ax - right, below + up], [ax + right, below - up]);

    // Above each drawing what it is, under it its numbers.
    const foot = radius + 26 + 18;
    const [now, then] = [k, later].map(angle);
    for (const [words, ink, at, level] of [
      [_("from {before} to {after}", { before, after }), colour.quiet, x, 16],
      [
        _("position {at}: {point}", { at: before, point: pair(point(now)) }),
        colour.ink,
        x,
        y + foot,
      ],
      [
        _("position {at}: {point}", { at: after, point: pair(point(then)) }),
        colour.shift,
        x,
        y + foot + 20,
      ],
      [_("the arrow to add"), colour.quiet, ax, below - radius - 36],
      [pair(step(now, then)), colour.ink, ax, below + foot],
      [_("the angle to turn"), colour.quiet, tx, below - radius - 36],
      [_("{angle} radians", { angle: fixed(then - now) }), colour.shift, tx, below + foot],
    ]) {
      pen.label(ink, words, at, level, "center");
    }
  });

  // Turning the dark hand turns time: k follows it. Only its outer half can be held, so that a
  // finger elsewhere scrolls the page.
  view.drag((px, py, { radius, across: [x], top: y }) => {
    const k = view.get("position");
    if (distance([px, py], tip(x, y, 0.8 * radius, angle(k))) > GRIP) return null;
    return view.winding("position", x, y, angle(k), view.get("frequency"));
  });

  view.say = () => {
    const [now, then] = places().map(angle);
    const [before, after] = names();
    return _(
      "A hand at position {before}, with its tip at {now}, and at position {after}, with its tip at {later}. The arrow to add is {arrow}, here alone. The angle to turn is {angle} radians at every position.",
      {
        before,
        after,
        now: pair(point(now)),
        later: pair(point(then)),
        arrow: pair(step(now, then)),
        angle: fixed(then - now),
      },
    );
  };

  view.positionAndShift();
  view.player(view.row(), "position", 3);
  return view.start(["position", "shift", "frequency"]);
}
