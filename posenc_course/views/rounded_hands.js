// Up to three hands that write the table of bits: the x of each tip falls into a wave below it,
// and the half of the clock in which the tip is gives a digit.

import { Figure, TURN, clamp, fixed, rounded, tip, _, plural } from "./shared.js";
import { softened } from "./rounding.js";

const ROWS = 8;
const COLUMNS = 3;
const MELTING = 900; // milliseconds that a switch takes, so that the eye can follow
// Of a turn: at six o'clock the second half has begun, though the angle may be computed a little
// smaller.
const MOMENT = 1e-7;

// How far a switch has gone from off, 0, to on, 1.
function gradual(view, trait) {
  let shown = Number(view.get(trait));
  let stop = () => {};
  view.watch(trait, () => {
    stop();
    const [from, to] = [shown, Number(view.get(trait))];
    stop = view.animate(MELTING, (share) => {
      shown = from + share * (to - from);
      view.refresh();
    });
  });
  return () => shown;
}

// Column i is headed 2^i. Its hand goes round once in so many positions, or is π times as slow.
function turnOf(i, slowed) {
  return 2 ** (i + 1) * (slowed ? Math.PI : 1);
}

// 0 in the first half of a turn, 1 in the second.
function digitOf(i, k, slowed) {
  const turns = k / turnOf(i, slowed) + MOMENT;
  return turns - Math.floor(turns) < 0.5 ? 0 : 1;
}

export function render(context) {
  const view = new Figure(context, _("Hands"));
  view.turning("position");
  const [rounding, slowing] = ["rounded", "slowed"].map((trait) => gradual(view, trait));

  // The slowest hand comes first, then faster ones to its left.
  const shownColumns = () => [0, 1, 2].filter((i) => i >= COLUMNS - view.get("hands"));

  const plan = (width) => {
    const narrow = width < 480;
    const [left, digit, gap, row] = narrow ? [20, 32, 5, 24] : [30, 46, 10, 26];
    const slot = (width - left) / COLUMNS;
    const radius = clamp((slot - digit - 2.5 * gap) / 2, 28, 60);
    // Columns that are not shown leave their room on both sides.
    const from = left - ((COLUMNS - view.get("hands")) * slot) / 2;
    const centre = (i) => from + i * slot + (slot - 2 * radius - digit - gap) / 2 + radius;
    const level = 28 + radius;
    const top = level + radius + 22 + row / 2; // where position 0 is, in the middle of its row
    const bottom = top + ROWS * row;
    return { narrow, left, digit, gap, row, radius, centre, level, top, bottom, tall: bottom + 10 };
  };

  view.canvas(plan, (pen, p, colour) => {
    const { narrow, digit, gap, row, radius, centre, level, top, bottom } = p;
    const [k, slowed, soft] = [view.get("position"), slowing(), 1 - rounding()];
    const y = (position) => top + position * row;
    for (let n = 0; n < ROWS; n += 1) {
      const beside = centre(shownColumns()[0]) - radius - 8;
      pen.label(colour.quiet, n, beside, y(n), "right", "middle");
    }
    for (const i of shownColumns()) {
      const [middle, boxes] = [centre(i), centre(i) + radius + gap];
      const heading = narrow ? 2 ** i : _("column headed {number}", { number: 2 ** i });
      pen.label(colour.quiet, heading, middle, 14, "center");
      pen.wedge(colour.line, 0.4, middle, level, radius, TURN / 2, TURN / 2);
      pen.dial(middle, level, radius);
      for (let n = 0; n <= ROWS; n += 1) {
        pen.line(colour.faint, 1, [middle - radius, y(n)], [middle + radius, y(n)]);
      }
      pen.line(colour.line, 1, [middle, top], [middle, bottom]);

      // In which half is the tip? The left half gives 1, the right half 0.
      const head = top - row / 2 - 5;
      pen.label(colour.quiet, "1", middle - radius, head, "center");
      pen.label(colour.quiet, "0", middle + radius, head, "center");
      const what = view.get("rounded") ? _("digit") : "x";
      pen.label(colour.quiet, what, boxes + digit / 2, head, "center");
      const pace = turnOf(i, false) * Math.PI ** slowed;
      const angle = (position) => TURN * (position / pace + MOMENT);
      const wave = (position) => [
        middle + radius * softened(Math.sin(angle(position)), soft),
        y(position),
      ];
      pen.pale(0.3, () => pen.curve(colour.sine, 1.5, wave, k, ROWS, 40 * ROWS));
      pen.curve(colour.sine, 2.5, wave, 0, k, Math.max(1, Math.ceil(40 * k)));
      const end = tip(middle, level, radius, angle(k));
      pen.dashed([3, 4], colour.sine, 1.25, end, wave(k));
      pen.line(colour.sine, 4, [middle, level], [end[0], level]);
      pen.hand(colour.ink, middle, level, radius, angle(k), 3);
      pen.dot(colour.ink, middle, level, 3);
      pen.dot(colour.ink, ...end, 6, colour.ground);
      pen.dot(colour.sine, ...wave(k), 5, colour.ground);

      // The row of each position that the hand has reached: a digit, or the x of the tip.
      for (let n = 0; n < ROWS && n <= k + 1e-9; n += 1) {
        const on = digitOf(i, n, view.get("slowed"));
        const box = [boxes, y(n - 0.5) + 2, digit, row - 4];
        const at = [boxes + digit / 2, y(n) + 1];
        pen.pale(1 - soft, () => {
          pen.block(on ? colour.ink : colour.faint, ...box);
          pen.bold(14, () => pen.centred(on ? colour.ground : colour.quiet, on, ...at));
        });
        const x = fixed(Math.sin(angle(n)), narrow ? 1 : 2);
        pen.pale(soft, () => pen.centred(colour.sine, x, ...at));
      }
      const ends = [middle - radius, middle + radius].map((x) => [x, y(k)]);
      if (k < ROWS) pen.line(colour.highlight, 2, ...ends);
    }
  });

  // A hand follows the pointer round its dial; on its wave the pointer chooses the position.
  const over = (px, py, { centre, level, radius }) =>
    shownColumns().find((i) => Math.hypot(px - centre(i), py - level) < radius + 8);
  view.point((px, py, p) => {
    const i = over(px, py, p);
    if (i !== undefined) {
      const speed = TURN / turnOf(i, view.get("slowed"));
      const angle = view.get("position") * speed;
      return view.winding("position", p.centre(i), p.level, angle, speed, 10);
    }
    if (py < p.top || py > p.bottom || px < p.left) return null;
    const at = (height) => clamp((height - p.top) / p.row, 0, ROWS);
    return (_, height) => view.set({ position: Math.round(at(height) * 10) / 10 });
  });

  view.say = () => {
    const [k, slowed] = view.values("position", "slowed");
    const columns = shownColumns();
    const list = (each) => columns.map(each).join(", ");
    const many = columns.length;
    const turns = list((i) => rounded(turnOf(i, slowed)).replace(/\.00$/, ""));
    const pace = plural(
      "a turn takes {turns} positions",
      "the turns take {turns} positions",
      many,
      { turns },
    );
    let what = "";
    if (view.get("rounded")) {
      const digits = list((i) => digitOf(i, k, slowed));
      what = plural("the digit is {strong|{digits}}", "the digits are {strong|{digits}}", many, {
        digits,
      });
    } else {
      const point = (i) => {
        const angle = (TURN * k) / turnOf(i, slowed);
        return `({sine|${fixed(Math.sin(angle))}}, {cosine|${fixed(Math.cos(angle))}})`;
      };
      what = plural("the tip is at {points}", "the tips are at {points}", many, {
        points: list(point),
      });
    }
    const headed = columns.map((i) => 2 ** i).join(", ");
    const values = { k: fixed(k, 1), what, pace };
    const said = view.read(_("{quiet|Position} {k}{quiet|:} {what}{quiet|; {pace}}", values));
    const hands = _("Hands that write the columns headed {headed}.", { headed });
    return `${hands} ${said}`;
  };

  view.slider("position", _("position k"), { step: 0.1, show: (k) => fixed(k, 1) });
  view.slider("hands", _("hands"));
  view.toggle("rounded", _("Round"));
  view.toggle("slowed", _("Slow all hands down"));
  view.player(view.row(), "position", 1, false);
  return view.start(["position", "hands", "rounded", "slowed"]);
}
