// A matrix of two rows and two columns, and the point that it moves.

import { Figure, Plane, TURN, arrow, clamp, distance, fixed, _ } from "./plane.js";

const ENTRIES = ["top_left", "top_right", "bottom_left", "bottom_right"];
const STEP = TURN / 12;
const UNITS = [
  [1, 0],
  [0, 1],
];

export function render(context) {
  const view = new Figure(context, _("A matrix and a point"));
  view.controls.style.gridTemplateColumns = "1fr 1fr";
  const matrix = () => view.values(...ENTRIES);
  const moved = ([x, y]) => {
    const [a, b, c, d] = matrix();
    return [a * x + b * y, c * x + d * y];
  };
  const point = () => view.values("x", "y");

  const plan = (width) => new Plane(width);
  view.canvas(plan, (pen, plane, colour) => {
    plane.draw(pen);
    const { origin, place } = plane;
    // The unit square, and what becomes of it.
    const [flat, upright] = UNITS;
    const corners = [[0, 0], flat, [1, 1], upright, [0, 0]];
    pen.line(colour.line, 1.5, ...corners.map(place));
    pen.shape(colour.faint, ...corners.map((corner) => place(moved(corner))));
    for (const unit of UNITS) arrow(pen, colour.quiet, 2, origin, place(moved(unit)));
    const [before, after] = [place(point()), place(moved(point()))];
    pen.dashed([3, 4], colour.quiet, 1.25, before, after);
    arrow(pen, colour.line, 3, origin, before);
    arrow(pen, colour.ink, 3, origin, after);
    pen.dot(colour.highlight, ...before, 7, colour.ground);
    if (distance(before, after) > 20) plane.name(pen, colour.quiet, "p", before);
    plane.name(pen, colour.ink, "Mp", after);
  });
  view.drag((x, y, plane) => plane.holding(view, x, y, [["x", "y"]]));

  const short = (value) => fixed(value, Math.abs(value - Math.round(value)) < 1e-9 ? 0 : 2);
  const signed = (value) => (value < 0 ? `(${short(value)})` : short(value));
  view.say = () => {
    const [a, b, c, d] = matrix();
    const [x, y] = point();
    const [right, up] = moved([x, y]);
    const sum = (one, other) => `${short(one)} · ${signed(x)} + ${signed(other)} · ${signed(y)}`;
    return view.read(
      _(
        "p = ({x}, {y}). {quiet|Top row:} {top} = {strong|{right}}. {quiet|Bottom row:} {bottom} = {strong|{up}}. {quiet|So} Mp = {strong|({right}, {up})}",
        {
          x: short(x),
          y: short(y),
          top: sum(a, b),
          bottom: sum(c, d),
          right: fixed(right),
          up: fixed(up),
        },
      ),
    );
  };

  const names = [_("top left"), _("top right"), _("bottom left"), _("bottom right")];
  ENTRIES.forEach((trait, n) => view.slider(trait, names[n], { step: 0.1, show: (v) => fixed(v) }));
  const look = { step: 0.5, accent: "--highlight", show: (value) => fixed(value, 1) };
  for (const axis of ["x", "y"]) view.slider(axis, `p, ${axis}`, look);
  const row = view.row("posenc-across");
  const become = (...entries) =>
    view.set(Object.fromEntries(ENTRIES.map((name, n) => [name, clamp(entries[n], -2, 2)])));
  view.button(row, _("Leave"), () => become(1, 0, 0, 1));
  view.button(row, _("Quarter turn"), () => become(0, 1, -1, 0));
  view.button(row, _("Turn by 30°"), () => {
    const [a, b, c, d] = matrix();
    const [cosine, sine] = [Math.cos(STEP), Math.sin(STEP)];
    const turned = ([x, y]) => [cosine * x + sine * y, -sine * x + cosine * y];
    const [[left, down], [right, up]] = [turned([a, c]), turned([b, d])];
    become(left, right, down, up);
  });
  view.button(row, _("Exchange x and y"), () => become(0, 1, 1, 0));
  return view.start([...ENTRIES, "x", "y"]);
}
