// One hand at position k and Δ tokens later: the arrow to add, and the angle to turn.

import {
  Figure,
  TURN,
  arrow,
  clamp,
  dial,
  dot,
  fixed,
  hand,
  label,
  line,
  wedge,
  write,
} from "./plane.js";

const MOST = 60;
const HEAD = 26;
const FOOT = 44;
const GRIP = 28;

// A point in units of the radius around (x, y), upwards positive.
const at = (x, y, radius, [right, up]) => [x + radius * right, y - radius * up];

export function render(context) {
  const view = new Figure(context, "Position and shift");
  const angles = () => {
    const omega = view.get("frequency");
    const [now, opening] = [omega * view.get("position"), omega * view.get("shift")];
    return [now, now + opening, opening];
  };
  const tip = (angle) => [Math.cos(angle), Math.sin(angle)];
  const step = (now, later) => [Math.cos(later) - Math.cos(now), Math.sin(later) - Math.sin(now)];

  // A pair as the table stores it: the height, then the width.
  const pair = ([width, height]) => `(${fixed(height)}, ${fixed(width)})`;

  // The clock, and beside it (on a phone below it) what to add and what to turn.
  const plan = (width) => {
    const narrow = width < 520;
    const radius = Math.min(narrow ? width * 0.27 : width * 0.17, 120);
    const small = narrow ? Math.min(width * 0.17, 80) : radius * 0.8;
    const top = HEAD + radius + 26;
    const below = top + radius + 26 + FOOT + 16 + HEAD + small;
    const places = narrow
      ? [
          [0.5, top],
          [0.25, below],
          [0.75, below],
        ]
      : [
          [0.2, top],
          [0.54, top],
          [0.83, top],
        ];
    const tall = narrow ? below + small + 30 : top + radius + 26 + FOOT;
    return { radius, small, places, tall };
  };

  const canvas = view.canvas(
    (width) => plan(width).tall,
    (pen, width, tall, colour) => {
      const { radius, small, places } = plan(width);
      const [[x, y], [ax, ay], [tx, ty]] = places.map(([part, down]) => [part * width, down]);
      const [k, shift] = [view.get("position"), view.get("shift")];
      const [now, later, opening] = angles();

      pen.globalAlpha = 0.3;
      wedge(pen, colour.shift, x, y, radius, now, opening);
      wedge(pen, colour.shift, tx, ty, small, 0, opening);
      pen.globalAlpha = 1;
      dial(pen, colour, x, y, radius);
      hand(pen, colour.shift, x, y, radius, later, 3);
      hand(pen, colour.ink, x, y, radius, now, 3);
      dot(pen, colour.ink, x, y, 3);
      const ends = [now, later].map((angle) => at(x, y, radius, tip(angle)));
      dot(pen, colour.ink, ...ends[0], 4.5);
      dot(pen, colour.shift, ...ends[1], 4.5);
      arrow(pen, colour.highlight, 3, ...ends);
      const rim = [now, later].map((angle) => at(x, y, radius + 15, tip(angle)));
      pen.font = `600 14px ${colour.font}`;
      label(pen, colour.ink, k, ...rim[0], "center", "middle");
      if (shift) label(pen, colour.shift, k + shift, ...rim[1], "center", "middle");
      pen.font = `13px ${colour.font}`;

      // All arrows from one point: their tips lie on a circle.
      const reach = small / 2;
      const long = reach * Math.hypot(...step(now, later));
      pen.beginPath();
      pen.arc(ax, ay, long, 0, TURN);
      pen.strokeStyle = colour.line;
      pen.lineWidth = 1.25;
      pen.stroke();
      for (let token = 0; token <= MOST; token += 1) {
        const angle = token * view.get("frequency");
        dot(pen, colour.line, ...at(ax, ay, reach, step(angle, angle + opening)), 2);
      }
      arrow(pen, colour.highlight, 3, [ax, ay], at(ax, ay, reach, step(now, later)));
      dot(pen, colour.quiet, ax, ay, 2.5);

      dial(pen, colour, tx, ty, small);
      line(pen, colour.quiet, 2, [tx, ty], [tx + small, ty]);
      hand(pen, colour.shift, tx, ty, small, opening, 3);

      label(pen, colour.quiet, `from ${k} to ${k + shift}`, x, 16, "center");
      const head = ay === y ? 16 : ay - small - 14;
      label(pen, colour.quiet, "the arrow to add", ax, head, "center");
      label(pen, colour.quiet, "the angle to turn", tx, head, "center");

      // Under each drawing its numbers.
      const foot = y + radius + 26 + 18;
      label(pen, colour.ink, `position ${k}: ${pair(tip(now))}`, x, foot, "center");
      label(
        pen,
        colour.shift,
        `position ${k + shift}: ${pair(tip(later))}`,
        x,
        foot + 20,
        "center",
      );
      const side = ay === y ? foot : ay + small + 22;
      label(pen, colour.ink, pair(step(now, later)), ax, side, "center");
      label(pen, colour.shift, `${fixed(opening)} radians`, tx, side, "center");
    },
  );

  // Turning the dark hand turns time: k follows it. Only its outer half can be held, so that a
  // finger elsewhere scrolls the page.
  view.drag(canvas, (px, py) => {
    const width = view.across;
    const { radius, places } = plan(width);
    const [x, y] = [places[0][0] * width, places[0][1]];
    const [tipX, tipY] = at(x, y, 0.8 * radius, tip(angles()[0]));
    if (Math.hypot(px - tipX, py - tipY) > GRIP) return null;
    const omega = view.get("frequency");
    let k = view.get("position");
    return (toX, toY) => {
      const turned = Math.atan2(y - toY, toX - x) - k * omega;
      k = clamp(k + (turned - TURN * Math.round(turned / TURN)) / omega, 0, MOST);
      view.set({ position: Math.round(k) });
    };
  });

  view.say = () => {
    const [now, later, opening] = angles();
    const [width, height] = step(now, later);
    const [k, shift] = [view.get("position"), view.get("shift")];
    write(
      view.reading,
      `{quiet|to add, at} k = ${k} {quiet|alone:} {strong|${pair([width, height])}} ` +
        `{quiet|· to turn, at every k:} {shift|${fixed(opening)} radians}`,
    );
    return (
      `A hand at position ${k}, with the pair ${pair(tip(now))} of height and width, and at ` +
      `position ${k + shift}, with ${pair(tip(later))}. The arrow to add is ` +
      `${pair([width, height])}, here alone. The angle to turn is ${fixed(opening)} radians at ` +
      "every position."
    );
  };

  const tokens = (count) => `${fixed(count, 0)} ${Math.abs(count) === 1 ? "token" : "tokens"}`;
  view.slider("position", { label: "position k", min: 0, max: MOST, show: tokens });
  view.slider("shift", {
    label: "shift Δ",
    min: -5,
    max: 5,
    accent: "--shift",
    show: tokens,
  });
  view.player("position", { max: MOST, rate: 3, parent: view.row() });
  return view.start(["position", "shift", "frequency"]);
}
