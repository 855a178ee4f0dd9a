// A query and a key, each turned by its own position: their score depends on the difference.

import { Figure, TURN, clamp, distance, fixed, node, tip } from "./shared.js";

const REACH = 12; // tokens to either side, from the first position to the last
const POSITIONS = ["query_position", "key_position"];
const HOLD = 34; // pixels from a tip within which a finger holds the hand
const LENGTH = Math.sqrt(5); // of the query (2, 1) and of the key (1, 2)
const DIRECTION = Math.atan2(2, 1); // of the query before it is turned, clockwise from twelve
const BETWEEN = Math.atan2(1, 2) - DIRECTION; // from query to key before any turning
const DEGREES = 180 / Math.PI;

export function render(context) {
  const view = new Figure(context, "Query and key");
  for (const trait of POSITIONS) view.turning(trait);
  const query = (k) => DIRECTION + k * view.get("frequency");
  const key = (m) => query(m) + BETWEEN;
  const score = (shift) => 5 * Math.cos(shift * view.get("frequency") + BETWEEN); // of m − k
  const pair = (angle) =>
    `(${fixed(LENGTH * Math.sin(angle))}, ${fixed(LENGTH * Math.cos(angle))})`;

  const plan = (width) => {
    const radius = clamp(width * 0.17, 84, 120);
    const below = { x: width / 2, left: 36, top: 2 * radius + 88, high: 130 };
    const beside = { x: radius + 44, left: 2 * radius + 126, top: 36, high: 2 * radius - 22 };
    const place = width < 480 ? below : beside;
    const tall = place.top + place.high + 48;
    return { radius, y: radius + 26, right: width - 12, tall, ...place };
  };

  view.canvas(plan, (pen, { radius, x, y, left, right, top, high }, colour) => {
    const [k, m] = view.values(...POSITIONS);
    pen.dial(x, y, radius);
    const between = key(m) - query(k);
    const opening = between - TURN * Math.round(between / TURN);
    pen.wedge(colour.shift, 0.35, x, y, radius * 0.5, query(k), opening);
    // Pale where each is before it is turned, full after.
    for (const [from, angle, ink, name, start] of [
      [query(0), query(k), colour.sine, "query", "(2, 1)"],
      [key(0), key(m), colour.cosine, "key", "(1, 2)"],
    ]) {
      pen.pale(0.35, () => pen.hand(ink, x, y, radius, from, 2));
      if (Math.cos(angle - from) < 0.8) {
        pen.centred(colour.quiet, start, ...tip(x, y, radius + 20, from));
      }
      pen.hand(ink, x, y, radius, angle, 4);
      pen.dot(ink, ...tip(x, y, radius, angle), 7, colour.ground);
      pen.bold(13, () => pen.centred(ink, name, ...tip(x, y, radius + 20, angle)));
    }
    pen.dot(colour.ink, x, y, 3.5);

    // The score as a function of the difference, and where this pair stands on it.
    const across = (shift) => left + ((shift + REACH) / (2 * REACH)) * (right - left);
    const up = (value) => top + high * (0.5 - 0.092 * value);
    const point = (shift) => [across(shift), up(score(shift))];
    pen.label(colour.quiet, "score, for each m − k", (left + right) / 2, top - 14, "center");
    pen.line(colour.line, 1, [left, up(0)], [right, up(0)]);
    pen.marks([-5, 0, 5], (value) => [left - 8, up(value)], "right", "middle");
    const shifts = [-REACH, -8, -4, 0, 4, 8, REACH];
    pen.marks(shifts, (shift) => [across(shift), top + high + 18], "center");
    for (const shift of shifts) {
      pen.line(colour.line, 1, [across(shift), up(0) - 3], [across(shift), up(0) + 3]);
    }
    pen.curve(colour.line, 1.75, point, -REACH, REACH, 20 * REACH);
    for (let shift = -REACH; shift <= REACH; shift += 1) pen.dot(colour.ink, ...point(shift), 2.5);
    pen.line(colour.highlight, 1.5, [across(m - k), top], [across(m - k), top + high]);
    pen.dot(colour.highlight, ...point(m - k), 8, colour.ground);
  });

  // Hold either hand: it follows the pointer, in whole positions.
  const angles = () => {
    const [k, m] = view.values(...POSITIONS);
    return [query(k), key(m)];
  };
  const grab = (px, py, { radius, x, y }) => {
    if (Math.hypot(px - x, py - y) > radius + 26) return null;
    const near = angles().map((angle) => Math.cos(Math.atan2(px - x, y - py) - angle));
    const held = near[1] > near[0] ? 1 : 0;
    return view.winding(POSITIONS[held], x, y, angles()[held], view.get("frequency"));
  };
  view.point(grab, (px, py, { radius, x, y }) =>
    angles().some((angle) => distance([px, py], tip(x, y, radius, angle)) < HOLD),
  );

  view.say = () => {
    const [k, m] = view.values(...POSITIONS);
    const value = fixed(score(m - k));
    const turn = (BETWEEN + (m - k) * view.get("frequency")) * DEGREES;
    const angle = fixed(turn - 360 * Math.round(turn / 360));
    return view.read(
      `{quiet|turned:} {sine|query ${pair(query(k))}}{quiet|,} {cosine|key ${pair(key(m))}}` +
        `{quiet|; from query to key} ${angle}°{quiet|, score} {strong|${value}}`,
    );
  };

  view.slider("query_position", "query at k", { accent: "--sine" });
  view.slider("key_position", "key at m", { accent: "--cosine" });
  const show = (w) => `${fixed(w * DEGREES, 0)}° per token`;
  view.slider("frequency", "turn per token, ω", { step: 0.01, show });
  const shift = (by) => {
    const [k, m] = view.values(...POSITIONS).map((position) => position + by);
    if (Math.min(k, m) < 0 || Math.max(k, m) > REACH) return;
    view.set({ query_position: k, key_position: m });
  };
  const row = view.row();
  row.append(node("span", {}, "Move both"));
  const back = view.button(row, "\u2212 1", () => shift(-1));
  back.setAttribute("aria-label", "Move both back by one token");
  view.button(row, "+ 1", () => shift(1)).setAttribute("aria-label", "Move both on by one token");
  return view.start([...POSITIONS, "frequency"]);
}
