// One clock for each speed, with a hand at position k and a hand Δ tokens later.

import { Figure, distance, dot, encode, fixed, frequency, tip, _ } from "./shared.js";

const LARGEST = 200; // pixels across, of a clock and its margins

export function render(context) {
  const view = new Figure(context, _("Position, shift, numbers in a row and base"));
  const LABEL = 34;
  for (const trait of ["position", "shift"]) view.turning(trait);

  const plan = (width) => {
    const count = view.get("width") / 2;
    const columns = Math.min(count, count <= 8 ? 4 : 8);
    const cell = Math.min(width / Math.max(columns, 4), LARGEST);
    // Two rows of four clocks, whatever d is: a slider must not move while it is held.
    const tall = 2 * (Math.min(width / 4, LARGEST) + LABEL);
    return { columns, cell, left: (width - columns * cell) / 2, tall };
  };

  view.canvas(plan, (pen, { columns, cell, left }, colour) => {
    const d = view.get("width");
    for (let pair = 0; pair < d / 2; pair += 1) {
      const omega = frequency(pair, d, view.get("base"));
      const x = left + ((pair % columns) + 0.5) * cell;
      const y = Math.floor(pair / columns) * (cell + LABEL) + cell / 2;
      const radius = cell * 0.42;
      const opening = view.get("shift") * omega;
      const now = view.get("position") * omega;
      pen.wedge(colour.shift, 0.3, x, y, radius, now, opening);
      pen.dial(x, y, radius);
      for (const [ink, angle] of Object.entries({ shift: now + opening, ink: now })) {
        pen.hand(colour[ink], x, y, radius, angle, 3);
        pen.dot(colour[ink], ...tip(x, y, radius, angle), 4);
      }
      pen.dot(colour.ink, x, y, 2.5);
      pen.label(
        colour.quiet,
        cell < 60 ? pair : _("hand {pair}", { pair }),
        x,
        y + cell / 2 + 8,
        "center",
      );
      const digits = opening && Math.abs(opening) < 0.01 ? 4 : 2;
      const said = fixed(opening, digits);
      pen.bold(13, () => pen.label(colour.shift, said, x, y + cell / 2 + 24, "center"));
    }
  });

  // Turning one clock by hand turns them all: k follows the hand that is held. Only the outer half
  // of its dark hand can be held, so that a finger elsewhere scrolls the page.
  view.drag((px, py, { columns, cell, left }) => {
    const [column, row] = [Math.floor((px - left) / cell), Math.floor(py / (cell + LABEL))];
    const pair = row * columns + column;
    const [x, y] = [left + (column + 0.5) * cell, row * (cell + LABEL) + cell / 2];
    if (column < 0 || column >= columns || pair >= view.get("width") / 2) return null;
    const omega = frequency(pair, view.get("width"), view.get("base"));
    const k = view.get("position");
    const end = tip(x, y, 0.34 * cell, k * omega);
    if (distance([px, py], end) > Math.min(28, cell / 4)) return null;
    return view.winding("position", x, y, k * omega, omega);
  });

  view.say = () => {
    const [k, shift, d, base] = view.values("position", "shift", "width", "base");
    const rows = [encode(k, d, base), encode(k + shift, d, base)];
    const moved = fixed(distance(...rows));
    const product = fixed(dot(...rows));
    const now = view.count(k, "position");
    const later = view.count(k + shift, "position", "shift");
    const said = view.read(
      _(
        "{quiet|hand at} k = {now}{quiet|,} {shift|purple hand at k + Δ = {later}}{quiet|. Under each clock: the angle ωΔ in radians, the same for every k.}",
        { now, later },
      ),
      _(
        "{quiet|the two rows: dot product} {strong|{product}}{quiet|, distance} {strong|{moved}}{quiet|, the same for every k}",
        { product, moved },
      ),
    );
    const last = (shift * frequency(d / 2 - 1, d, base)).toPrecision(2);
    const ends = _("The first clock opens by {first} radians, the last by {last}.", {
      first: fixed(shift * frequency(0, d, base)),
      last,
    });
    return `${said} ${ends}`;
  };

  view.positionAndShift();
  view.slider("width", _("numbers in a row, d"), {
    step: 2,
    show: (d) => _("{numbers}, {clocks} clocks", { numbers: d, clocks: d / 2 }),
  });
  view.baseSlider();
  view.player(view.row(), "position", 4);
  return view.start(["position", "shift", "width", "base"]);
}
