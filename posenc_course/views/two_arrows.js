// Two arrows: drag their tips, read their lengths, their dot product and the cosine between them.

import { Figure, Plane, arrow, clamp, dot, fixed, _ } from "./plane.js";

export function render(context) {
  const view = new Figure(context, _("Two arrows"));
  view.controls.style.gridTemplateColumns = "1fr 1fr";
  const arrows = ["a", "b"].map((name) => [`${name}_x`, `${name}_y`]);
  const numbers = () => {
    const [a, b] = arrows.map((traits) => view.values(...traits));
    const lengths = [a, b].map(([x, y]) => Math.hypot(x, y));
    const product = dot(a, b);
    const cosine = clamp(product / (lengths[0] * lengths[1]), -1, 1);
    return { a, b, lengths, product, cosine };
  };

  const plan = (width) => new Plane(width);
  view.canvas(plan, (pen, plane, colour) => {
    plane.draw(pen);
    const { a, b, cosine } = numbers();
    if (Number.isFinite(cosine)) {
      const [from, to] = [a, b].map(([x, y]) => Math.atan2(y, x));
      const turn = Math.atan2(Math.sin(to - from), Math.cos(to - from));
      pen.context.beginPath();
      pen.context.arc(...plane.origin, 26, -from, -from - turn, turn > 0);
      pen.stroke(colour.highlight, 3);
    }
    for (const [name, point] of Object.entries({ a, b })) {
      const ink = name === "a" ? colour.ink : colour.quiet;
      const end = plane.place(point);
      arrow(pen, ink, 3, plane.origin, end);
      plane.name(pen, ink, name, end);
    }
  });
  view.drag((x, y, plane) => plane.holding(view, x, y, arrows));

  const short = (value) => fixed(value, Number.isInteger(value) ? 0 : 1);
  const pair = ([x, y]) => `(${short(x)}, ${short(y)})`;
  const signed = (value) => (value < 0 ? `(${short(value)})` : short(value));
  view.say = () => {
    const { a, b, lengths, product, cosine } = numbers();
    const known = Number.isFinite(cosine);
    const angle = known ? `${fixed((Math.acos(cosine) * 180) / Math.PI, 0)}°` : _("none");
    const sum = `${short(a[0])} · ${signed(b[0])} + ${signed(a[1])} · ${signed(b[1])}`;
    return view.read(
      _(
        "a = {a}, length {strong|{longA}}; b = {b}, length {strong|{longB}}. {quiet|Dot product} {sum} = {strong|{product}}. {quiet|Cosine} {strong|{cosine}}, {quiet|angle} {angle}",
        {
          a: pair(a),
          b: pair(b),
          longA: fixed(lengths[0]),
          longB: fixed(lengths[1]),
          sum,
          product: fixed(product),
          cosine: known ? fixed(cosine) : _("none"),
          angle,
        },
      ),
    );
  };

  for (const [name, accent] of Object.entries({ a: "--ink", b: "--quiet" })) {
    const look = { step: 0.5, accent, show: (value) => fixed(value, 1) };
    for (const axis of ["x", "y"]) view.slider(`${name}_${axis}`, `${name}, ${axis}`, look);
  }
  return view.start(arrows.flat());
}
