// A clock hand: its x draws the sine below, its y draws the cosine to the right.

import { Figure, TURN, clamp, distance, fixed, node, rounded, tip, written, _ } from "./shared.js";

const TOKENS = 24;
const HOLD = 34; // pixels from the tip within which a finger holds the hand
const PHASE = TURN / 48; // the phase slider moves by a forty-eighth of a turn

export function render(context) {
  const view = new Figure(context, _("Clock hand"));
  const first = view.get("frequency");
  const ahead = view.get("phase") !== 0; // a hand that starts ahead has a slider for its start
  const angle = (k) => k * view.get("frequency") + view.get("phase");

  view.turning("position");

  // The clock sits top left: x falls straight into the wave below it, y goes straight to the right.
  const plan = (width) => {
    const radius = clamp(width * 0.14, 42, 96);
    const gap = clamp(width * 0.05, 22, 34);
    const centre = radius + 22;
    const start = centre + radius + gap; // of both waves
    const down = clamp(width * 0.42, 190, 270);
    const narrow = width < 480;
    return { radius, centre, start, right: width - 14, down, narrow, tall: start + down + 24 };
  };

  view.canvas(plan, (pen, { radius, centre, start, right, down, narrow }, colour) => {
    const position = view.get("position");
    const alongX = (k) => start + (k / TOKENS) * (right - start);
    const alongY = (k) => start + (k / TOKENS) * down;
    const sine = (k) => [centre + radius * Math.sin(angle(k)), alongY(k)];
    const cosine = (k) => [alongX(k), centre - radius * Math.cos(angle(k))];
    const now = angle(position);
    const end = tip(centre, centre, radius, now);

    // Axes: whole tokens along each wave, and the two diameters of the dial carried on.
    pen.line(colour.faint, 1, [centre - radius, centre], [right, centre]);
    pen.line(colour.faint, 1, [centre, centre - radius], [centre, alongY(TOKENS)]);
    for (let k = 0; k <= TOKENS; k += 4) {
      pen.line(colour.line, 1, [alongX(k), centre - 3], [alongX(k), centre + 3]);
      pen.line(colour.line, 1, [centre - 3, alongY(k)], [centre + 3, alongY(k)]);
      if (k % 8 === 0) {
        // At the end of a wide axis its name stands in place of the last number.
        if (k < TOKENS || narrow)
          pen.label(colour.quiet, k, alongX(k), centre + radius + 20, "center");
        // One 0 serves both waves: two side by side would read as a power.
        if (k) pen.label(colour.quiet, k, centre + radius + 12, alongY(k) + 4, "left");
      }
    }
    if (!narrow) pen.label(colour.quiet, _("k, tokens"), right, centre + radius + 20, "right");

    // Each wave: pale ahead of the hand, full where the hand has been, a dot at each token.
    for (const [name, wave] of Object.entries({ sine, cosine })) {
      const ink = colour[name];
      const draw = (thickness, from, to) => {
        pen.curve(ink, thickness, wave, from, to, Math.max(2, Math.ceil((to - from) * 16)));
      };
      pen.pale(0.3, () => draw(1.5, position, TOKENS));
      draw(2.5, 0, position);
      for (let k = 0; k <= TOKENS; k += 1) {
        const passed = k <= position;
        const inside = passed ? ink : colour.ground;
        pen.pale(passed ? 1 : 0.45, () => pen.dot(inside, ...wave(k), 2.6, ink));
      }
    }

    // From the tip to each wave.
    pen.dashed([3, 4], colour.sine, 1.25, end, sine(position));
    pen.dashed([3, 4], colour.cosine, 1.25, end, cosine(position));

    // The dial: where the hand starts, how far it has turned, and the hand itself.
    pen.dial(centre, centre, radius);
    const phase = view.get("phase");
    // The spiral grows with the angle, so that it does not run over its own turns. A slow hand has
    // one as wide as after two turns.
    const most = Math.max(angle(TOKENS) - phase, 2 * TURN);
    const away = (part) => radius * (0.24 + (0.5 * part) / most);
    const spiral = (part) => tip(centre, centre, away(part), phase + part);
    pen.curve(colour.quiet, 1.5, spiral, 0, now - phase, 240);
    pen.hand(colour.line, centre, centre, radius, phase, 1.5);
    pen.legs(4, centre, centre, end);
    pen.hand(colour.ink, centre, centre, radius, now, 3);
    pen.dot(colour.ink, centre, centre, 3.5);

    // The name of each leg, on the side where the hand is not, while the leg has room for it.
    const [across, high] = [end[0] - centre, centre - end[1]];
    pen.bold(13, () => {
      const level = centre + (high >= 0 ? 12 : -12);
      if (Math.abs(across) > 16) pen.plate(colour.sine, "x", centre + across / 2, level, "center");
      const beside = end[0] + (across >= 0 ? 11 : -11);
      if (Math.abs(high) > 14) pen.plate(colour.cosine, "y", beside, centre - high / 2, "center");
      pen.label(colour.cosine, _("y, the cosine"), start + 4, 14);
      pen.label(colour.sine, _("x, the sine"), centre - radius, alongY(TOKENS) + 20);
    });
    pen.dot(colour.sine, ...sine(position), 5, colour.ground);
    pen.dot(colour.cosine, ...cosine(position), 5, colour.ground);
    pen.dot(colour.ink, ...end, 8, colour.ground);

    const left = start + (narrow ? 14 : 40);
    Object.assign(view.reading.style, {
      position: "absolute",
      margin: 0,
      left: `${left * view.scale}px`,
      maxWidth: `${(view.across - left) * view.scale}px`,
      top: `${(start + 10) * view.scale}px`,
    });
  });

  // The hand follows the pointer round the dial; on the cosine, the pointer chooses k.
  const grab = (x, y, { radius, centre, start, right }) => {
    if (Math.hypot(x - centre, y - centre) < radius + 22) {
      const now = angle(view.get("position"));
      return view.winding("position", centre, centre, now, view.get("frequency"), 10);
    }
    if (x > start - 12 && Math.abs(y - centre) < radius + 12) {
      const k = (px) => clamp((TOKENS * (px - start)) / (right - start), 0, TOKENS);
      return (px) => view.set({ position: Math.round(k(px) * 10) / 10 });
    }
    return null;
  };
  view.point(grab, (x, y, { radius, centre }) => {
    const end = tip(centre, centre, radius, angle(view.get("position")));
    return distance([x, y], end) < HOLD;
  });

  const table = node("div", { class: "posenc-values" });
  view.reading.append(table);
  view.stage.append(view.reading);

  view.say = () => {
    const k = view.get("position");
    const now = angle(k);
    const values = {
      [_("k, tokens")]: fixed(k, 1),
      [ahead ? "kω + φ" : _("angle")]: `${fixed(now)} rad`,
      [_("in degrees")]: `${fixed((360 * now) / TURN, 0)}°`,
      [_("x, the sine")]: `{sine|${fixed(Math.sin(now))}}`,
      [_("y, the cosine")]: `{cosine|${fixed(Math.cos(now))}}`,
      [_("a full turn")]: _("{count} tokens", { count: rounded(TURN / view.get("frequency")) }),
    };
    table.replaceChildren();
    const said = Object.entries(values).map(([term, text]) => {
      const value = written("b", text);
      table.append(node("span", {}, term), value);
      return `${term}: ${value.textContent}`;
    });
    const state = { position: fixed(k, 1), said: said.join(_("; ")) };
    return _("A clock hand at position {position}. {said}.", state);
  };

  view.slider("position", _("position k"), {
    step: 0.1,
    show: (k) => _("{count} tokens", { count: fixed(k, 1) }),
  });
  const show = (w) => _("{speed} rad/token", { speed: fixed(w) });
  view.slider("frequency", _("turn per token"), { step: 0.01, show });
  if (ahead) {
    view.slider("phase", _("phase φ"), {
      to: (phase) => Math.round(phase / PHASE),
      from: (step) => step * PHASE,
      show: (phase) =>
        _("{radians} rad = {turns} turn", { radians: fixed(phase), turns: fixed(phase / TURN) }),
    });
  }
  const row = view.row();
  view.player(row, "position", 4, false);
  if (ahead) view.button(row, _("Quarter turn"), () => view.set({ phase: TURN / 4 }));
  view.button(row, _("Reset"), () => view.set({ position: 0, phase: 0, frequency: first }));

  return view.start(["position", "frequency", "phase"]);
}
