// Eight bits and eight hands that count the same positions: how far a step goes in each.

import { Figure, clamp, distance, encode, fixed, frequency, tip, _, plural } from "./shared.js";

const DIGITS = 8;
const SHOWN = 64; // steps in a strip
const BARS = 40; // pixels, the height of a strip
const LAST = 2 ** DIGITS - 1;

const bit = (k, place) => (k >> place) & 1;
// How many bits differ between two positions.
const differing = (one, other) =>
  Array.from({ length: DIGITS }, (_, place) => bit(one ^ other, place)).reduce((a, b) => a + b);

export function render(context) {
  const view = new Figure(context, _("Position"));
  const TOP = 30;
  view.turning("position");
  const plan = (width) => {
    const left = width < 480 ? 4 : 76;
    const cell = (width - left - 4) / DIGITS;
    const [box, radius] = [Math.min(cell - 8, 46), Math.min(cell * 0.42, 32)];
    const dials = TOP + box + BARS + 62 + radius;
    return { width, left, cell, box, radius, dials, tall: dials + radius + BARS + 60 };
  };
  const row = (k) => encode(k, view.get("width"), view.get("base"));
  // Eight of the hands, evenly spread.
  const handOf = (place) => (place * view.get("width")) / (2 * DIGITS);
  // How far the step to a position goes: bits that flip, and the distance of the rows of hands.
  const flips = (k) => differing(k - 1, k);
  const moves = (k) => distance(row(k - 1), row(k));
  const lastStep = () => {
    const k = Math.floor(view.get("position")); // while the hands turn on, it is the step before
    if (!k) return [_("no step yet"), _("no step yet")];
    const digits = _("{count} of {all} bits flipped", { count: flips(k), all: DIGITS });
    return [digits, _("the row of hands moved by {distance}", { distance: fixed(moves(k)) })];
  };

  view.canvas(plan, (pen, { width, left, cell, box, radius, dials }, colour) => {
    const k = view.get("position");
    if (left > 40) {
      pen.label(colour.quiet, _("bits"), 0, TOP + box / 2, "left", "middle");
      pen.label(colour.quiet, _("hands"), 0, dials, "left", "middle");
    }
    for (let place = 0; place < DIGITS; place += 1) {
      const x = left + (place + 0.5) * cell;
      const on = bit(k, place);
      pen.label(colour.quiet, 2 ** place, x, 18, "center");
      pen.context.beginPath();
      pen.context.roundRect(x - box / 2, TOP, box, box, 6);
      pen.fill(on ? colour.ink : colour.faint);
      if (k && bit(k ^ (k - 1), place)) pen.stroke(colour.highlight, 3);
      const ink = on ? colour.ground : colour.quiet;
      pen.bold(17, () => pen.centred(ink, on, x, TOP + box / 2 + 1));
      const angle = k * frequency(handOf(place), view.get("width"), view.get("base"));
      const end = tip(x, dials, radius, angle);
      pen.dial(x, dials, radius);
      pen.legs(2, x, dials, end);
      pen.hand(colour.ink, x, dials, radius, angle);
      pen.dot(colour.ink, ...end, 3.5, colour.ground);
      const name = width < 480 ? handOf(place) : _("hand {pair}", { pair: handOf(place) });
      pen.label(colour.quiet, name, x, dials + radius + 20, "center");
    }

    // Under each counter a bar for each step near this one, the last step in gold. The scale of a
    // strip ends at the largest step that there can be.
    const words = lastStep();
    const now = Math.floor(k);
    const first = clamp(now - SHOWN / 2, 1, LAST - SHOWN + 1);
    const wide = (width - left - 8) / SHOWN;
    for (const [n, size, most, y] of [
      [0, flips, DIGITS, TOP + box + 16],
      [1, moves, Math.sqrt(2 * view.get("width")), dials + radius + 32],
    ]) {
      pen.block(colour.faint, left + 4, y, SHOWN * wide, BARS);
      for (let at = first; at < first + SHOWN; at += 1) {
        const tall = (BARS * size(at)) / most;
        const ink = at === now ? colour.highlight : colour.edge;
        pen.block(ink, left + 4 + (at - first) * wide, y + BARS - tall, wide - 1, tall);
      }
      pen.label(colour.ink, _("last step: {words}", { words: words[n] }), left + 4, y + BARS + 18);
    }
  });

  // A digit that is pressed flips.
  view.point((px, py, { left, cell, box }) => {
    const place = Math.floor((px - left) / cell);
    if (py < TOP || py > TOP + box || place < 0 || place >= DIGITS) return null;
    const position = view.get("position") ^ (2 ** place);
    return () => view.set({ position });
  });

  view.say = () => {
    const k = view.get("position");
    const differ = differing(0, k);
    const apart = plural("{count} of {all} bits differs", "{count} of {all} bits differ", differ, {
      all: DIGITS,
    });
    const far = fixed(distance(row(0), row(k)));
    const now = view.count(k, "position");
    const said = view.read(
      _(
        "{quiet|from row 0 to row} {now}{quiet|:} {strong|{apart}}{quiet|, and the rows of hands are} {strong|{far}} {quiet|apart}",
        { now, apart, far },
      ),
    );
    const digits = Array.from({ length: DIGITS }, (_, place) => bit(k, place)).join("");
    const [bits, hands] = lastStep();
    const spoken = _(
      "In binary, the fastest bit first: {digits}. In the last step {bits}, and {hands}.",
      { digits, bits, hands },
    );
    return `${spoken} ${said}`;
  };

  view.slider("position", _("position k"), { accent: "--highlight" });
  const buttons = view.row();
  const step = (by) => view.set({ position: clamp(view.get("position") + by, 0, LAST) });
  view.button(buttons, _("Step back"), () => step(-1));
  view.button(buttons, _("Step on"), () => step(1));
  view.player(buttons, "position", 6);
  return view.start(["position", "width", "base"]);
}
