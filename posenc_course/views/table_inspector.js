// Paste a table: what it is, read back from its numbers. The same steps as posenc.diagnose.search
// and posenc.diagnose.table, in the same order and with the same words: tests/course/cases holds
// what both say of some hundred tables. Where a few columns differ, both say that it is none;
// which columns, the function alone says, as a page has no room for more.

import { Figure, TURN, clamp, colourBar, label, node, picture, write } from "./shared.js";

const USUAL_BASES = [1e4, 1e2, 1e3, 2e4, 1e5, 5e5, 1e6, 1e7, 1e8];
const [PROBES, PAIRS, ROWS, SAMPLE, ENTRIES] = [12, 64, 48, 24, 20000];
const [STARTS, ROUGHLY, NEAR, MOST_LOG, FARTHEST] = [3, 0.7, 0.05, 35, 1e8];
const [VAGUE, ROUND, LEAST_ENTRY, MOST_ENTRY] = [0.1, 0.02, 1e-30, 1e30];
const [ENOUGH_BITS, LEAST_BITS_OF_A_ROW, SPOILT] = [24, 40, 0.25];
const BITS = { bfloat16: 8, float16: 11, float32: 24, float64: 53 };
const LEAST = { bfloat16: -126, float16: -14, float32: -126, float64: -1022 };
const TRIES = 4;
const SHORT = ["bfloat16", "float16"];
const unitOf = (kind) => 2 ** -BITS[kind];

// --- Numbers -------------------------------------------------------------------------------

// To the nearest whole number, at a tie to the even one, as NumPy and Python; never -0.
function even(value) {
  const low = Math.floor(value);
  const near = value - low !== 0.5 ? Math.round(value) : low % 2 === 0 ? low : low + 1;
  return near + 0;
}

const wrapped = (angle) => angle - TURN * even(angle / TURN);
const largest = (values) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
const sum = (values) => values.reduce((total, value) => total + value, 0);
const range = (count) => Array.from({ length: count }, (_, index) => index);
const ascending = (values) => Float64Array.from(values).sort();

function median(values) {
  const sorted = ascending(values);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// As Python's format ".6g".
function general(value, digits = 6) {
  const [front, back] = value.toExponential(digits - 1).split("e");
  const trimmed = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  const exponent = Number(back);
  if (exponent >= -4 && exponent < digits) return trimmed(value.toFixed(digits - 1 - exponent));
  return `${trimmed(front)}e${back[0]}${back.slice(1).padStart(2, "0")}`;
}

function number(value) {
  if (!Number.isInteger(value) || Math.abs(value) >= 1e15) return general(value);
  return String(value + 0).replace(/\B(?=(\d{3})+$)/g, " ");
}

// At most so many whole numbers below the count, evenly spread.
function spread(count, most) {
  if (count <= most) return range(count);
  const steps = 2 * (most - 1);
  return range(most).map((at) => Math.floor((2 * at * (count - 1) + most - 1) / steps));
}

// --- How the entries are rounded -----------------------------------------------------------

function exponentOf(value) {
  if (value === 0) return 0;
  let exponent = Math.floor(Math.log2(Math.abs(value))) + 1;
  while (Math.abs(value) >= 2 ** exponent) exponent += 1;
  while (Math.abs(value) < 2 ** (exponent - 1)) exponent -= 1;
  return exponent;
}

function roundedTo(value, kind) {
  const unit = 2 ** (Math.max(exponentOf(value), LEAST[kind] + 1) - BITS[kind]);
  return even(value / unit) * unit;
}

const unitIn = ({ relative, absolute }, scale) => Math.max(absolute, relative * Math.abs(scale));
const typed = (name) => ({
  name,
  relative: unitOf(name),
  absolute: name === "float16" ? 2 ** -25 : 0,
});

function entries(rows) {
  const width = rows[0].length;
  const count = rows.length * width;
  const step = Math.max(1, Math.floor(count / ENTRIES));
  const taken = range(Math.ceil(count / step)).map((at) => at * step);
  return taken.map((at) => rows[Math.floor(at / width)][at % width]);
}

function rounding(rows, given = 0) {
  const values = entries(rows);
  const single = values.every((value) => Math.fround(value) === value);
  const slack = Math.max(given, single ? 2 ** -24 : 2 ** -52);
  if (!values.every(Number.isInteger)) {
    for (let digits = 1; digits < 9 && 10 ** -digits >= 100 * slack; digits += 1) {
      const unit = 10 ** -digits;
      const near = (value) =>
        Math.abs(value - even(value / unit) * unit) <= slack * Math.abs(value);
      if (values.every(near)) {
        const before = digits < 8 ? 2 ** -24 : 0; // of a float32 that was cut
        return { name: `${digits} decimals`, relative: before, absolute: 0.5 * unit };
      }
    }
  }
  const allowed = slack > 2 ** -24 ? slack : 0;
  const has = (kind) => (value) =>
    Math.abs(roundedTo(value, kind) - value) <= allowed * Math.abs(value);
  return typed(Object.keys(BITS).find((kind) => values.every(has(kind))) ?? "float64");
}

// The rounding of numbers that were printed: a type that they were in, or the digits.
function roundingOfPrint(rows, { decimals, significant, shortest }) {
  // NumPy prints a short float with as few digits as name it: they are off by its own rounding.
  if (shortest && shortest <= 5) {
    const { name, relative, absolute } = typed("float16");
    return { name, relative: 2 * relative, absolute: absolute + 0.5 * 10 ** -decimals };
  }
  const values = entries(rows);
  const half = (value) =>
    decimals !== undefined
      ? 0.5 * 10 ** -decimals
      : 0.5 * 10 ** (Number(value.toExponential().split("e")[1]) - significant + 1);
  const digits = decimals !== undefined ? 0 : 0.5 * 10 ** (1 - significant);
  const absolute = decimals !== undefined ? 0.5 * 10 ** -decimals : 0;
  const own = (decimals ?? significant) < 8 || shortest ? 2 ** -24 : 0; // of a float32 before
  const slack = (value) => half(value) * (1 + 1e-6) + own * Math.abs(value);
  for (const kind of shortest ? SHORT : ["bfloat16", "float16", "float32"]) {
    // Only where the type is much coarser than the print does a match say anything.
    const telling = values.filter(
      (value) => value && 2 ** (exponentOf(value) - BITS[kind]) > 4 * slack(value),
    );
    const near = (value) => Math.abs(roundedTo(value, kind) - value) <= slack(value);
    if (telling.length > 3 && values.every(near)) {
      const { name, relative, absolute: least } = typed(kind);
      return { name, relative: relative + digits, absolute: absolute + least };
    }
  }
  const name =
    decimals !== undefined ? `${decimals} decimals` : `${significant} significant digits`;
  return { name, relative: digits + 2 * own, absolute };
}

// The rounding of a table that was multiplied by √d or 1/√d after it, and the factor.
function scaledAfter(rows, size) {
  const width = rows[0].length;
  for (const factor of [width ** 0.5, width ** -0.5]) {
    for (const kind of ["float64", "float32", ...SHORT]) {
      const value = roundedTo(factor, kind);
      if (Math.abs(size / value - 1) >= ROUND) continue;
      const kept = rounding(
        rows.map((row) => row.map((entry) => entry / value)),
        2 ** -22,
      );
      if ((BITS[kept.name] ?? 0) < 24) {
        return [{ ...kept, absolute: kept.absolute * value }, value];
      }
    }
  }
  return null;
}

// --- The search for frequencies and positions ----------------------------------------------

const slowed = (beta, index) => Float64Array.from(index, (i) => Math.exp(-beta * i));

// The position of one row, read by ever faster pairs, and how far off its worst angle is.
function read(angles, start, omega) {
  let place = start;
  for (let pair = omega.length - 2; pair >= 0; pair -= 1) {
    place += wrapped(angles[pair] - place * omega[pair]) / omega[pair];
  }
  let worst = 0;
  for (let pair = 0; pair < omega.length; pair += 1) {
    worst = Math.max(worst, Math.abs(wrapped(angles[pair] - place * omega[pair])));
  }
  return { place, worst };
}

function readPositions(rows, index, beta) {
  const omega = slowed(beta, index);
  const last = omega.length - 1;
  const longest = TURN / omega[last];
  const start = rows.map((angles) => angles[last] / omega[last]);
  const found = rows.map((angles, row) => read(angles, start[row], omega));
  const again = (row, from) => {
    const other = read(rows[row], from, omega);
    if (other.worst < 0.5 * found[row].worst) found[row] = other;
  };
  const bad = () => range(rows.length).filter((row) => found[row].worst > 0.05);
  const most = Math.min(12, Math.max(3, Math.ceil(64 / longest)));
  for (let turns = 1; turns <= most; turns += 1) {
    for (const sign of [1, -1]) {
      for (const row of bad()) again(row, start[row] + sign * turns * longest);
    }
  }
  const good = range(rows.length).filter((row) => found[row].worst <= 0.05);
  if (good.length > 1) {
    const steps = good
      .slice(1)
      .map((row, at) => (found[row].place - found[good[at]].place) / (row - good[at]));
    const step = median(steps);
    for (const row of bad()) {
      const line = found[good[0]].place + step * (row - good[0]);
      again(row, start[row] + longest * even((line - start[row]) / longest));
    }
  }
  return found;
}

const turnOf = (angles) => sum(angles.map(Math.abs)) / angles.length;

function byTurn(rows) {
  return rows
    .map((angles) => ({ angles, turned: turnOf(angles) }))
    .filter(({ turned }) => turned > 1e-9)
    .sort((one, other) => one.turned - other.turned)
    .map(({ angles }) => angles);
}

function probesOf(rows) {
  const turned = rows.map(turnOf);
  const least = range(rows.length).sort((one, other) => turned[one] - turned[other]);
  const both = [...spread(rows.length, PROBES), ...least.slice(0, PROBES)];
  const chosen = [...new Set(both)].sort((a, b) => a - b);
  const beside = chosen.filter((row) => row > 0);
  const step = (row) => rows[row].map((angle, pair) => wrapped(angle - rows[row - 1][pair]));
  const kinds = [byTurn(chosen.map((row) => rows[row])), byTurn(beside.map(step))];
  return [...kinds.flatMap((some) => some.slice(0, 4)), ...kinds.flatMap((some) => some.slice(4))];
}

// β as the slow pairs of one row tell it: there the angles are kω, not yet wrapped.
function slopes(angles, index, rough) {
  const sizes = angles.map(Math.abs);
  let last = angles.length - 1;
  while (last > 0 && sizes[last] < 8 * rough) last -= 1;
  let first = last;
  while (
    first > 0 &&
    sizes[first - 1] < 3 &&
    sizes[first - 1] > 0.9 * sizes[first] &&
    angles[first - 1] * angles[last] > 0
  ) {
    first -= 1;
  }
  return [first, Math.floor((first + last) / 2)]
    .filter((start) => start < last)
    .map((start) => Math.log(sizes[start] / sizes[last]) / (index[last] - index[start]))
    .filter((beta) => beta > 0);
}

function screened(probes, index, starts) {
  const found = starts.map((beta) => {
    const omega = slowed(beta, index);
    const last = omega.length - 1;
    const worst = ascending(
      probes.map((angles) => read(angles, angles[last] / omega[last], omega).worst),
    );
    return { beta, least: worst[0], both: sum(worst.slice(0, 2)) };
  });
  const chosen = [];
  for (const { beta, least } of found.sort((one, other) => one.both - other.both)) {
    const other = chosen.every((one) => Math.abs(beta / one - 1) > 1e-7);
    if (least < ROUGHLY && other) chosen.push(beta);
  }
  return chosen.slice(0, STARTS);
}

function refined(probes, index, start, rough) {
  const last = index.length - 1;
  const allowed = (beta) => {
    const log = beta * (index[last] + 1);
    return log > 1e-4 && log < MOST_LOG;
  };
  let [beta, sigma, reach] = [start, Infinity, 0];
  for (let round = 0; round < 20; round += 1) {
    if (!allowed(beta)) return null;
    const omega = slowed(beta, index);
    const norm = sum(omega.map((w) => w * w));
    const found = probes.map((angles) => ({
      angles,
      ...read(angles, angles[last] / omega[last], omega),
    }));
    const least = Math.min(...found.map(({ worst }) => worst));
    if (least > 1) return null;
    const fits = found.filter(({ worst }) => worst <= Math.max(0.05, 4 * least));
    const nearest = Math.min(...fits.map(({ place }) => Math.abs(place)));
    reach = Math.max(8 * reach, 2 * nearest, 2);
    const near = fits.filter(({ place }) => Math.abs(place) <= reach);
    let [squares, size, along] = [0, 0, 0];
    for (const { place, angles } of near) {
      const slope = omega.map((w, pair) => -place * index[pair] * w);
      const share = sum(slope.map((value, pair) => value * omega[pair])) / norm;
      for (let pair = 0; pair <= last; pair += 1) {
        const left = wrapped(angles[pair] - place * omega[pair]);
        const value = slope[pair] - share * omega[pair];
        squares += left ** 2;
        size += value ** 2;
        along += value * left;
      }
    }
    if (size === 0) return null;
    const change = along / size;
    beta += change;
    const count = near.length * (last + 1);
    sigma = Math.sqrt(((squares / count) * (1 + 8 / count) + (rough / 8) ** 2) / size);
    const all = fits.every(({ place }) => Math.abs(place) <= reach);
    if (all && Math.abs(change) <= 1e-3 * sigma + 1e-15) break;
  }
  return allowed(beta) ? { beta, sigma } : null;
}

// A ladder with what speaks for it: what fits, less what was chosen to make it fit.
function judged(probes, index, { beta, sigma }, rough) {
  const found = readPositions(probes, index, beta).map(({ place, worst }) => {
    const allowed = Math.min(3 * rough + 1e-6 + 6e-7 * Math.abs(place), 0.3);
    return { place, worst, allowed, fits: worst <= allowed && Math.abs(place) <= FARTHEST };
  });
  const kept = new Map();
  for (const { place, allowed } of found.filter(({ fits }) => fits)) {
    const key = even(place * 1e6) / 1e6;
    if (!kept.has(key)) kept.set(key, Math.log2(Math.PI / allowed));
  }
  const whole = kept.size > 0 && largest([...kept.keys()].map((key) => key - even(key))) < 0.02;
  let bits = -20 - 40 * found.filter(({ fits }) => !fits).length;
  for (const [place, each] of kept) {
    const cost = 2 * Math.log2(2 + Math.abs(place)) + (whole ? 0 : each);
    if (Math.abs(place) >= 1e-6) bits += index.length * each - cost;
  }
  const near = largest(ascending(found.map(({ worst }) => worst)).slice(0, 2));
  return { beta, sigma, bits, near, fits: found.every(({ fits }) => fits) };
}

function findLadder(rows, index, rough) {
  const probes = probesOf(rows);
  if (index.length < 2 || !probes.length) return null;
  const last = index[index.length - 1];
  const starts = probes.slice(0, 8).flatMap((angles) => Array.from(slopes(angles, index, rough)));
  for (const base of USUAL_BASES) {
    starts.push(Math.log(base) / (last + 1), Math.log(base) / last);
  }
  let best = null;
  for (const start of screened(probes, index, starts)) {
    const found = refined(probes, index, start, rough);
    if (!found) continue;
    const ladder = judged(probes, index, found, rough);
    const better = best && ladder.fits === best.fits ? ladder.bits > best.bits : ladder.fits;
    if (!best || better) best = ladder;
  }
  return best && best.near <= NEAR + 8 * rough ? best : null;
}

// --- Hypotheses and their error ------------------------------------------------------------

const slope = (omega) => Math.log(omega[0] / omega.at(-1)) / Math.max(1, omega.length - 1);

// Frequencies near those of a ladder, the likely ones first.
function rulesNear(ladder, pairs, total) {
  const doubt = 6 * ladder.sigma * total + 4e-6;
  const rule = (n, spacing, short = "") => {
    const steps = spacing === "tensor2tensor" ? total - 1 : total;
    const beta = spacing === "measured" ? ladder.beta : Math.log(n) / steps;
    const omega = slowed(beta, range(pairs));
    return {
      n,
      spacing,
      short,
      omega: short ? omega.map((w) => roundedTo(w, short)) : omega,
      doubt,
      total,
    };
  };
  if (pairs === 1) return [rule(1e4, "paper")];
  const found = [];
  for (const [spacing, steps] of [
    ["paper", total],
    ["tensor2tensor", total - 1],
  ]) {
    const exact = Math.exp(ladder.beta * steps);
    const power = 10 ** Math.floor(Math.log10(exact));
    for (const digit of doubt > 2e-3 ? [10, 20, 50, 100] : range(91).map((at) => at + 10)) {
      const n = power >= 10 ? even((digit * power) / 10) : (digit * power) / 10;
      const off = Math.abs(Math.log(n / exact));
      if (n >= 2 && off <= doubt) {
        const near = Math.round((1e9 * off) / steps); // 100 and 10 for one other pair are the same
        found.push([n !== 1e4, digit % 10 !== 0, near, spacing !== "paper", n, spacing]);
      }
    }
  }
  found.sort((one, other) => {
    const at = one.findIndex((value, place) => value !== other[place]);
    return at < 0 || at > 4 ? 0 : one[at] - other[at];
  });
  const ranked = found.slice(0, 6).map(([, , , , n, spacing]) => [n, spacing]);
  const rules = ranked.map(([n, spacing]) => rule(n, spacing));
  rules.push(rule(Math.exp(ladder.beta * total), "measured"));
  const usual = [...ranked, [1e4, "paper"], [1e4, "tensor2tensor"]];
  const names = new Map(usual.map((pair) => [pair.join(), pair]));
  for (const [n, spacing] of pairs > 3 ? names.values() : []) {
    for (const short of SHORT) rules.push(rule(n, spacing, short));
  }
  return rules;
}

function known(value, digits) {
  const near = 10 ** -digits;
  for (const one of [Math.PI / 180, TURN]) if (Math.abs(value / one - 1) < near) return one;
  return Math.abs(value) > near ** 2 ? Number(value.toPrecision(digits)) : 0;
}

// Positions near the measured ones: whole numbers, in equal steps, or of their own.
function hypotheses(measured, rows, counted) {
  const whole = measured.map(even);
  const along = (begin, step) => rows.map((row) => begin + step * row);
  if (counted) {
    const sizes = measured.map(Math.abs);
    const nearest = sizes.indexOf(Math.min(...sizes));
    const line = [whole[nearest] - rows[nearest], 1];
    return [{ kind: "whole", values: along(...line), line }];
  }
  const own = { kind: "own", values: measured, fitted: true };
  if (rows.length < 2) return [{ kind: "whole", values: whole }, own];
  const end = rows.length - 1;
  let step = (whole[end] - whole[0]) / (rows[end] - rows[0]);
  let begin = whole[0] - step * rows[0];
  const isLine = along(begin, step).every((value, at) => value === whole[at]);
  const made = [{ kind: "whole", values: whole, line: isLine ? [begin, step] : null }];
  const steps = range(end).map(
    (at) => (measured[at + 1] - measured[at]) / (rows[at + 1] - rows[at]),
  );
  step = median(steps);
  begin = median(measured.map((place, at) => place - step * rows[at]));
  if (!isLine && even(step)) {
    const line = [even(begin), even(step)];
    made.push({ kind: "whole", values: along(...line), line });
  }
  if (
    largest(measured.map((place, at) => place - begin - step * rows[at])) <
    0.1 * Math.abs(step)
  ) {
    const [middle, mean] = [sum(rows) / rows.length, sum(measured) / rows.length];
    const apart = rows.map((row) => row - middle);
    step = sum(apart.map((x, at) => x * (measured[at] - mean))) / sum(apart.map((x) => x * x));
    begin = mean - step * middle;
  }
  for (const digits of [2, 3, 4, 5, 6]) {
    const line = [known(begin, digits), known(step, digits)];
    made.push({ kind: "line", values: along(...line), line });
  }
  made.push({ kind: "line", values: along(begin, step), fitted: true, line: [begin, step] });
  return [...made, own];
}

// The largest error of each row as a part of the bound, for angles in float64 and in float32.
function compared(columns, omega, places, kept, slip, index) {
  const size = Math.abs(columns.scale);
  const relative = kept.relative * (size === 1 ? 1 : 2);
  const weights = omega.map((w) => 3 + 3 * Math.abs(Math.log(w || 1)));
  const [exact, single] = [new Float64Array(places.length), new Float64Array(places.length)];
  let error = 0;
  places.forEach((place, row) => {
    for (let pair = 0; pair < omega.length; pair += 1) {
      const angle = place * omega[pair];
      const moves = (Math.abs(angle) * weights[pair] + 2) * size;
      const slips = (Math.abs(angle) * index[pair] * slip[0] + omega[pair] * slip[1]) * size;
      for (const [found, turned] of [
        [columns.sines[row][pair], Math.sin(angle)],
        [columns.cosines[row][pair], Math.cos(angle)],
      ]) {
        const right = columns.scale * turned;
        const off = Math.abs(found - right);
        const stored = relative * Math.abs(right) + kept.absolute * (1 + 1e-9);
        const part = (unit) => off / (stored + Math.min(unit * moves + slips, VAGUE * size));
        error = Math.max(error, off);
        exact[row] = Math.max(exact[row], part(2 ** -53));
        single[row] = Math.max(single[row], part(2 ** -24));
      }
    }
  });
  return { exact, single, error };
}

function typeOfAngles({ exact, single }, limit) {
  if (exact.every((part) => part <= limit)) return "float64";
  return single.every((part) => part <= limit) ? "float32" : "";
}

const some = ({ sines, cosines, scale }, rows, index) => {
  const taken = (numbers) => rows.map((row) => Float64Array.from(index, (i) => numbers[row][i]));
  return { sines: taken(sines), cosines: taken(cosines), scale };
};

const anglesOf = ({ sines, cosines, scale }) =>
  sines.map((row, at) =>
    row.map((sine, pair) =>
      Math.atan2(Math.sign(scale) * sine, Math.sign(scale) * cosines[at][pair]),
    ),
  );

function scaleOf(columns, rough, width) {
  const radii = columns.sines.flatMap((row, at) =>
    Array.from(row, (sine, pair) => Math.hypot(sine, columns.cosines[at][pair])),
  );
  const size = median(radii);
  const sign = Math.sign(columns.scale);
  const near = (8 * rough) / Math.sqrt(radii.length) + 1e-6;
  if (Math.abs(size - 1) <= 3 * rough + 1e-6) return [sign, false];
  const short = [0, 1, 2].map((digits) => Number(size.toExponential(digits)));
  const named = [1, width ** 0.5, width ** -0.5];
  for (const one of [...named, ...short]) {
    const off = Math.abs(size / one - 1);
    if (off <= near) return [sign * one, off > 1e-6 && !named.includes(one)];
  }
  return [sign * size, true];
}

const share = (flags) => flags.filter(Boolean).length / flags.length;
const same = (one, other) => one.every((value, at) => value === other[at]);

// Whole positions first, lists that were rounded last.
function* guesses(ladder, angles, index, [pairs, total], rows) {
  const rules = rulesNear(ladder, pairs, total);
  for (const stage of [0, 1, 2]) {
    for (const rule of rules.filter(({ short }) => (short !== "") === (stage === 2))) {
      const counted = stage === 2 || pairs === 1;
      const beta = counted ? ladder.beta : slope(rule.omega);
      rule.found ??= readPositions(angles, index, beta).map(({ place }) => place);
      for (const places of hypotheses(rule.found, rows, counted)) {
        if (places.values.every((place) => place === even(place)) === (stage !== 1)) {
          yield [stage > 0, rule, places];
        }
      }
    }
  }
}

function fitted(given, kept, rows, total) {
  const pairs = given.sines[0].length;
  const [sample, index] = [spread(rows.length, ROWS), spread(pairs, PAIRS)];
  const few = some(given, sample, index);
  const angles = anglesOf(few);
  if (rows.length > 1 && angles.every((row) => same(row, angles[0]))) return null;
  const rough = unitIn(kept, given.scale) / Math.abs(given.scale);
  const one = { beta: 0, sigma: 0, bits: Infinity };
  // Rows side by side at the beginning tell frequencies of which all turn round between others.
  const near = [...new Set([...range(Math.min(rows.length, SAMPLE)), ...sample])];
  const begin = anglesOf(some(given, [...ascending(near)], index));
  const ladder = pairs > 1 ? findLadder(begin, index, rough) : one;
  if (!ladder) return null;
  const [scale, measuredScale] = scaleOf(few, rough, 2 * total);
  const [columns, part] = [
    { ...given, scale },
    { ...few, scale },
  ];
  const some48 = sample.map((at) => rows[at]);
  const limit = measuredScale ? 2 : 1;
  let [best, chance, tried] = [null, "", 0];
  for (const [late, rule, places] of guesses(ladder, angles, index, [pairs, total], some48)) {
    const whole = places.kind === "whole";
    if (late && best && best.places.kind === "whole" && share(best.bad) <= SPOILT) break;
    if (chance && rule.short) break;
    const measured = rule.spacing === "measured";
    const readOff = Number(measured) + Number(!whole);
    if (pairs === 1 && (readOff || rows.length < 4)) continue;
    const slip = [
      measured ? 6 * ladder.sigma + 1e-15 * ladder.beta : 0,
      places.fitted ? 4 * rough + 1e-15 * largest(places.values) : 0,
    ];
    const omega = Float64Array.from(index, (i) => rule.omega[i]);
    const parts = compared(part, omega, places.values, kept, slip, index);
    if (typeOfAngles(parts, limit)) {
      const much = ladder.bits >= ENOUGH_BITS || rule.short;
      // Rows that hardly move, for their rounding, follow any line.
      const span = Math.max(...places.values) - Math.min(...places.values);
      const still = sample.length > 1 && span < 20 * slip[1];
      const vague = still || rule.doubt > (whole ? 0.5 : 0.1);
      if ((pairs > 1 && pairs < 2 + readOff) || vague || !much) {
        chance = "they fit a sinusoidal table, and would by chance";
        continue;
      }
    } else {
      const good = share(Array.from(parts.single, (value) => value <= limit));
      if (best || rule.short || pairs === 1 || !whole || good < 0.5) continue;
    }
    const fit = ofAll(columns, kept, either(rule), places, rows, limit, slip);
    if (fit && (!best || share(fit.bad) < share(best.bad))) best = fit;
    tried += 1;
    const wrong = fit ? fit.bad.filter(Boolean).length : 1;
    if (!wrong) return fit;
    // No other guess mends one row of many, or pairs that were not looked at.
    if ((wrong === 1 && rows.length > ROWS) || tried === TRIES) break;
  }
  return chance || best;
}

function ofAll(columns, kept, rule, places, rows, limit, slip) {
  const tried = places.line ? [rows.map((row) => places.line[0] + places.line[1] * row)] : [];
  if (!places.line || places.kind === "whole") {
    if (places.values.length === rows.length) tried.push(places.values);
    else {
      const index = spread(rule.omega.length, PAIRS);
      const angles = anglesOf(some(columns, range(rows.length), index));
      const found = readPositions(angles, index, slope(rule.omega)).map(({ place }) => place);
      tried.push(places.kind === "whole" ? found.map(even) : found);
    }
  }
  let best = null;
  for (const values of tried) {
    const parts = compared(columns, rule.omega, values, kept, slip, range(rule.omega.length));
    let kind = typeOfAngles(parts, limit);
    const wrong = Array.from(parts.exact, (part) => part > limit);
    const wrong32 = Array.from(parts.single, (part) => part > limit);
    const fine = kept.relative < 1e-6 && kept.absolute < 1e-6;
    if (kind === "float32" && rule.omega.length > 3 && fine) {
      const after = wrong.filter((_, row) => Math.abs(values[row]) >= 0.5);
      kind = sum(after.map(Number)) > 1 || share(after) > 0.34 ? "float32" : "float64";
    }
    if (!kind) kind = share(wrong) <= share(wrong32) + 0.2 ? "float64" : "float32";
    const off = kind === "float64" ? wrong : wrong32;
    const bad = off.map((is, row) => is || Math.abs(values[row]) > FARTHEST);
    const { error } = parts;
    const fit = {
      columns,
      kept,
      rule,
      places: { ...places, values },
      rows,
      angles: kind,
      bad,
      error,
    };
    if (!bad.some(Boolean)) return fit;
    if (!best || share(bad) < share(best.bad)) best = fit;
  }
  return best && share(best.bad) <= 0.5 ? best : null;
}

function either(rule) {
  const pairs = rule.total;
  if (rule.n !== 1e4 || rule.short || pairs === 1) return rule;
  const other = rule.spacing === "paper" ? pairs - 1 : pairs;
  const exact = Math.exp(slope(rule.omega) * other);
  return Math.abs(Math.log(exact / 1e4)) <= rule.doubt ? { ...rule, spacing: "either" } : rule;
}

// --- One coordinate ------------------------------------------------------------------------

const no = (reason) => ({
  sinusoidal: false,
  text: `Not a sinusoidal table: ${reason}.`,
  change: [],
  ground: "",
});
const tooFew = (reason, more = "") => ({
  sinusoidal: false,
  text: `Too few numbers to tell: ${reason}. Add rows, that of position 1 too${more}.`,
  change: [],
  ground: "",
});

const part = (rows, from, to) => rows.map((row) => row.slice(from, to));
const every = (rows, first) => rows.map((row) => row.filter((_, column) => column % 2 === first));
const pairsOf = (rows, halves) =>
  halves
    ? [part(rows, 0, rows[0].length / 2), part(rows, rows[0].length / 2)]
    : [every(rows, 0), every(rows, 1)];

function standsStill(rows) {
  const even2 = part(rows, 0, 2 * Math.floor(rows[0].length / 2));
  const still = (one, other) =>
    one.every((row) => row.every((value) => value === 0)) &&
    other[0][0] !== 0 &&
    other.every((row) => row.every((value) => value === other[0][0]));
  return [true, false].some((halves) => {
    const [one, other] = pairsOf(even2, halves);
    return still(one, other) || still(other, one);
  });
}

// (Cosines first, sign), those first under which the slow pairs have turned least.
function orientations(one, other, size) {
  const slow = Math.max(1, Math.floor(one[0].length / 4));
  const mean = (rows) =>
    sum(rows.flatMap((row) => Array.from(row.slice(-slow)))) / (rows.length * slow);
  const [first, second] = [mean(one) / size, mean(other) / size];
  return [
    [second, false, 1],
    [first, true, 1],
    [-second, false, -1],
    [-first, true, -1],
  ].sort((a, b) => b[0] - a[0]);
}

// A table whose last pairs stand still, where it shows that they do.
function cutFit(columns, rows, print) {
  const pairs = columns[0].length / 2;
  for (const halves of [false, true]) {
    for (const swapped of [false, true]) {
      const both = pairsOf(columns, halves);
      const [sines, cosines] = swapped ? both.reverse() : both;
      const last = cosines[0][pairs - 1];
      const turns = (i) => sines.some((row, at) => row[i] !== 0 || cosines[at][i] !== last);
      const count = range(pairs).findLastIndex(turns) + 1;
      if (count < 3 || count === pairs) continue;
      const kept = ({ length }, column) => (halves ? column % pairs : column / 2) < count && length;
      const taken = columns.map((row) => row.filter((_, column) => kept(row, column)));
      const fit = findFit(taken, rows, print, pairs);
      if (typeof fit === "string" || fit.bad.some(Boolean)) continue;
      if (fit.halves !== halves || fit.cosinesFirst !== swapped) continue;
      // The next pair would have turned by more than its rounding.
      const { n, spacing } = fit.rule;
      const steps = pairs - Number(spacing === "tensor2tensor");
      const { scale } = fit.columns;
      const angle = scale * largest(fit.places.values) * n ** (-count / steps);
      const [unit, off] = [unitIn(fit.kept, scale), Math.abs(last - scale)];
      if (off <= 2 * unit && Math.abs(angle) > 4 * unit) {
        return { ...fit, error: Math.max(fit.error, off) };
      }
    }
  }
  return "no pairs at the end stand still";
}

function findFit(columns, rows, print, total = columns[0].length / 2) {
  const kept = print ? roundingOfPrint(columns, print) : rounding(columns);
  const sample = spread(columns.length, SAMPLE).map((row) => columns[row]);
  let [circles, chance, best] = [0, "", null];
  // One row, or one of so few digits, follows many bases: the search may not meet the right one.
  const squares = columns.map((row) => sum(Array.from(row, (value) => value ** 2)));
  const length = Math.sqrt((2 * sum(squares)) / columns.length / columns[0].length);
  const unit = unitIn(kept, length) / length;
  const said = Math.floor(columns[0].length / 2) * Math.log2(Math.PI / (3 * unit));
  const single = columns.length === 1 || columns[0].length === 2;
  const loose = said < LEAST_BITS_OF_A_ROW || unit > VAGUE || single;
  const spoilt = loose && (columns.length < 3 || unit > 0.02) ? 0 : SPOILT;
  for (const halves of [false, true]) {
    const [one, other] = pairsOf(sample, halves);
    const radii = one.map((row, at) => row.map((a, pair) => Math.hypot(a, other[at][pair])));
    let size = median(radii.flatMap((row) => Array.from(row)));
    if (!size) continue;
    const byRow = ascending(radii.map((row) => largest(row.map((radius) => radius / size - 1))));
    const noise = byRow[Math.floor((3 * byRow.length - 1) / 4)];
    const explained = (3 * unitIn(kept, size)) / size + 3e-6;
    if (noise > ROUND + explained) continue;
    let now = kept;
    if (noise > explained) {
      const after = scaledAfter(columns, size);
      if (!after) {
        circles = Math.max(circles, noise);
        continue;
      }
      [now, size] = after;
    }
    circles = Math.max(circles, 1e-12);
    const pair = pairsOf(columns, halves);
    for (const [, cosinesFirst, sign] of orientations(one, other, size)) {
      const [sines, cosines] = cosinesFirst ? [pair[1], pair[0]] : pair;
      const fit = fitted({ sines, cosines, scale: sign * size }, now, rows, total);
      if (typeof fit === "string") chance = chance || fit;
      else if (fit) {
        Object.assign(fit, { halves, cosinesFirst });
        if (share(fit.bad) <= spoilt) return fit;
        if (!best || share(fit.bad) < share(best.bad)) best = fit;
      }
    }
  }
  // One row alone, as that of position 0, follows many bases.
  if (best && !loose && best.bad.filter((is) => !is).length > 1) return best;
  const why = chance || reason(columns, kept, circles);
  const onCircles = why.startsWith("its pairs lie on");
  return (loose && (best || onCircles)) || (!best && columns.length < 4 && onCircles)
    ? chance || "they lie on circles, as those of many bases do to so few numbers"
    : why;
}

const COLUMNS = [
  [0, "every column turns by one radian per token: the exponent is 0, as 2*(i//2)//d is"],
  [1, "each column has a frequency of its own, by its number in place of its pair's"],
  [
    2,
    "each column has a frequency of its own, by twice its number: 2*i of an i that is even, " +
      "as in " +
      "a tutorial that is often copied",
  ],
];

function reason(rows, kept, circles) {
  if (rows.length > 1 && rows.every((row) => same(row, rows[0]))) return "all rows are the same";
  const width = rows[0].length;
  const first = rows.slice(0, SAMPLE);
  for (const [times, said] of width > 2 ? COLUMNS : []) {
    for (const begin of [0, 1]) {
      const near = (row, k) =>
        row.every((value, column) => {
          const angle = (k + begin) * 1e4 ** ((-times * column) / width);
          const own = column % 2 ? Math.cos(angle) : Math.sin(angle);
          const bound = kept.relative * Math.abs(own) + kept.absolute + 1e-4;
          return Math.abs(own - value) <= bound;
        });
      if (first.every(near)) return said;
    }
  }
  const equal = ([one, other]) => one.every((row, at) => same(row, other[at]));
  const cache = "as in RoPE's table of cosines or of sines";
  if (equal(pairsOf(rows, true))) return `both halves are equal, ${cache}`;
  if (equal(pairsOf(rows, false))) return `neighbouring columns are equal, ${cache}`;
  const listed = rows.length === 1 ? listOfFrequencies(rows[0], kept) : "";
  if (listed) return listed;
  if (circles > 1e-9) {
    const far = general(circles, 1);
    return `its pairs lie near circles, but are off by up to ${far} of their radius`;
  }
  if (circles) {
    return "its pairs lie on circles, but no base and positions that were tried give the angles";
  }
  const cut = rows.length < 3 ? " (or a row is cut)" : "";
  return `sine² + cosine² differs from pair to pair, in either order of columns${cut}`;
}

function listOfFrequencies(row, kept) {
  const pairs = row.length;
  const falls = row.every((value, at) => value > 0 && (at === 0 || value < row[at - 1]));
  if (!falls || Math.abs(row[0] - 1) > 0.01 || pairs < 3) return "";
  for (const [name, steps] of [
    ["", pairs],
    [" in tensor2tensor's spacing", pairs - 1],
  ]) {
    const exact = row[pairs - 1] ** (-steps / (pairs - 1));
    for (const n of [0, 1, 2].map((digits) => Number(exact.toExponential(digits)))) {
      const near = row.every((value, i) => {
        const omega = n ** (-i / steps);
        const angles = 2 ** -24 * omega * (3 + 3 * Math.abs(Math.log(omega)));
        return Math.abs(value - omega) <= kept.relative * omega + kept.absolute + angles;
      });
      if (near) {
        return (
          `a list of ${pairs} frequencies, those of base ${number(n)}${name} and width ` +
          `${2 * pairs}; a table has their sines and cosines at each position`
        );
      }
    }
  }
  return "";
}

// --- What is said --------------------------------------------------------------------------

function scaleSaid(scale, width) {
  const found = [
    [-1, "-1", "change all signs"],
    [width ** -0.5, `1/√${width}`, `multiply by √${width}`],
    [width ** 0.5, `√${width}`, `divide by √${width}`],
  ].find(([value]) => Math.abs(scale / value - 1) < 5e-3);
  return found ? found.slice(1) : [general(scale), `divide by ${general(scale)}`];
}

function sayBase(say, rule, width) {
  const { spacing, doubt, short } = rule;
  let { n } = rule;
  if (spacing === "measured") {
    const known = Number(n.toPrecision(Math.min(6, Math.ceil(1 - Math.log10(2 * doubt)))));
    n = known === 1e4 ? n : known;
  }
  if (width === 2) return say("one pair, of 1 radian per token for every base");
  let text = `base ${number(n)}`;
  if (spacing === "either") {
    text += " (too short to tell the paper's spacing from tensor2tensor's)";
  } else if (doubt > 5e-3 && !short) {
    text += ` (within ${Math.max(1, even(100 * doubt))} %)`;
  }
  let last = `${number(n)}^(-2i/${width})`;
  if (spacing === "tensor2tensor") {
    text += " in tensor2tensor's spacing";
    last = `${number(n)}^(-i/${width / 2 - 1})`;
  }
  if (short) {
    text += ` with frequencies rounded to ${short}`;
    return say(text, "take frequencies that are not rounded to 16 bits");
  }
  const wider = (Math.log(1e4) * width) / Math.log(rule.n);
  const cut = 2 * even(wider / 2);
  const sure = doubt * wider < Math.log(rule.n) && Math.abs(wider - cut) < 1e-6 * wider;
  if (spacing === "measured" && wider < 1e5 && cut > width && sure) {
    text += `, as in the first ${width} columns of width ${cut} and base 10 000`;
    return say(text, `take all ${cut} columns`);
  }
  if (spacing === "tensor2tensor" || n !== 1e4) {
    const doubled = width > 2 && n === 1e8 && spacing === "paper";
    if (doubled) text += " (10 000 with twice the exponent: 2*i of an i that is even)";
    return say(text, `take the frequencies 10 000^(-2i/${width}), not ${last}`);
  }
  return say(text);
}

function stepName(step, omega) {
  const found = [
    ["degrees taken for radians", Math.PI / 180],
    ["turns taken for radians", TURN],
    ["pairs counted from 1", omega[Math.min(1, omega.length - 1)]],
  ].find(([, value]) => Math.abs(step / value - 1) < 1e-5);
  return found ? ` (${found[0]})` : "";
}

const roundedCount = (at) =>
  SHORT.find((kind) => at.every((place, row) => place === roundedTo(at[0] + row, kind)));

function sayPositions(say, at, fit) {
  const { rows, rule } = fit;
  const [first, whole] = [at[0], fit.places.kind === "whole"];
  if (at.length === 1) return say(`position ${number(first)}`);
  const steps = at.slice(1).map((place, row) => (place - at[row]) / (rows[row + 1] - rows[row]));
  let step = median(steps);
  let begin = first - step * rows[0];
  let where = "";
  if (rows[0] && begin < 0 && first >= 0) {
    where = ` in row ${rows[0]}`;
    begin = first;
  }
  begin = Math.abs(begin) > 1e-9 ? Number(begin.toPrecision(6)) : 0;
  const toZero = begin ? `begin with position 0, not ${number(begin)}` : "";
  const from = `first position ${number(begin)}${where}`;
  const sorted = ascending(at);
  const apart = largest(steps.map((value) => value - step));
  if (whole && steps.every((value) => value === 1)) {
    return say(from, toZero);
  }
  if (step && apart <= (whole ? 0 : 1e-9 * Math.abs(step) + 1e-9)) {
    step = whole ? step : Number(step.toPrecision(6));
    if (step === 1) return say(from, toZero);
    const name = stepName(Math.abs(step), rule.omega);
    return say(
      `${from}, in steps of ${number(step)}${name}`,
      `take positions in steps of 1, not ${number(step)}`,
    );
  }
  if (whole && roundedCount(at)) {
    const words = `first position ${number(first)}, positions rounded to ${roundedCount(at)}`;
    return say(words, "count the positions in integers");
  }
  if (whole && sorted.slice(1).every((place, row) => place - sorted[row] === 1)) {
    const words = `rows shuffled, positions ${number(sorted[0])} to ${number(sorted.at(-1))}`;
    return say(words, "sort the rows by position");
  }
  const off = largest(at.map((place) => place - even(place)));
  const jitter = !whole && off < 0.3 ? ` (up to ${general(off, 2)} off whole numbers)` : "";
  const listed = at.slice(0, 5).map(number).join(", ") + (at.length > 5 ? ", …" : "");
  const row = at.findIndex((place, index) => place !== first + step * (rows[index] - rows[0]));
  const astray = whole && row > 4 ? ` (row ${rows[row]} is at ${number(at[row])})` : "";
  return say(`positions ${listed}${jitter}${astray}`, "take the positions 0, 1, 2, ...");
}

function worstEntry({ places, rule, columns, halves, cosinesFirst }, row) {
  let [column, most] = [0, -1];
  const pairs = rule.omega.length;
  for (const kind of [0, 1]) {
    for (let pair = 0; pair < pairs; pair += 1) {
      const angle = places.values[row] * rule.omega[pair];
      const [found, turned] = kind
        ? [columns.cosines[row][pair], Math.cos(angle)]
        : [columns.sines[row][pair], Math.sin(angle)];
      const off = Math.abs(found - columns.scale * turned);
      if (off <= most) continue;
      const second = Number((kind === 1) !== cosinesFirst);
      most = off;
      column = halves ? pair + second * pairs : 2 * pair + second;
    }
  }
  return [column, most];
}

function groundOf(rows, width, roundings, name) {
  let most = name === "float64" ? 1000 : 1;
  while (roundings > most * (1 + 1e-6)) most *= 10;
  const unit = /decimals|digits/.test(name)
    ? `half of the last ${name.includes("decimals") ? "decimal" : "digit"}`
    : `a rounding to ${name}`;
  const times = most > 1 ? `${number(most)} times ` : "";
  const size = `${number(rows)} × ${number(width)}`;
  return `All ${size} entries are within ${times}${unit} of the formula.`;
}

function report(fit, count, padding, odd) {
  const { rule, columns, rows, kept } = fit;
  const pairs = rule.total;
  const width = 2 * pairs;
  const order = fit.halves ? "halves" : "interleaved";
  const words = [order + (fit.cosinesFirst ? ", cosines first" : "")];
  const change = [];
  const say = (text, step = "") => {
    words.push(text);
    if (step) change.push(step);
  };
  if (fit.halves) {
    change.push(`put column i and column i + ${pairs} side by side, i from 0 to ${pairs - 1}`);
  }
  if (fit.cosinesFirst) change.push("swap the sine and the cosine of each pair");
  sayBase(say, rule, width);
  if (rule.omega.length < pairs) {
    const most = kept.absolute / largest(fit.places.values.map((place) => place * columns.scale));
    const about = most ? ` (by at most about ${general(most, 1)} radians per token)` : "";
    say(`no pair turns from pair ${rule.omega.length} on${about}`, "let every pair turn");
  }
  let at = Array.from(fit.places.values, (place) => place + 0);
  const falling = at.slice(1).every((place, row) => place < at[row]);
  if (falling && at.every((place) => place <= 0) && at.some((place) => place < 0)) {
    at = at.map((place) => 0 - place);
    say("sines with the opposite sign", "change the sign of the sines");
  }
  sayPositions(say, at, fit);
  if (columns.scale !== 1) {
    const [scale, back] = scaleSaid(columns.scale, width);
    say(`times ${scale}`, back);
  }
  if (padding.length) {
    const listed = padding.slice(0, 3).join(", ") + (padding.length > 3 ? ", ..." : "");
    const before = padding.at(-1) < rows[0] && at[0] < rows[0];
    say(`row ${listed} all zeros (padding)`, `${before ? "drop" : "fill"} the rows of zeros`);
  }
  if (odd) say("a last column of zeros (the width is odd)", "drop the last column");
  if (kept.name !== "float64") say(`rounded to ${kept.name}`);
  if (fit.angles === "float32") say("angles in float32");
  const said = words.join(", ");
  const row = fit.bad.indexOf(true);
  if (row >= 0) {
    const [column, off] = worstEntry(fit, row);
    const bad = fit.bad.filter(Boolean).length;
    const shares =
      `${bad} of ${rows.length} rows do not fit, first row ${rows[row]}, whose column ${column} ` +
      `is off by ${general(off, 1)}`;
    return { ...no(`it would be ${said}, but ${shares}`), layout: order };
  }
  let text = `Sinusoidal: ${said}.`;
  if (!change.length) {
    text += count > 1 ? " This is the paper's table." : " A row of the paper's table.";
  }
  const roundings = fit.error / unitIn(kept, columns.scale);
  const ground = groundOf(at.length, width, roundings, kept.name);
  const usual = rule.n === 1e4 || rule.spacing === "tensor2tensor";
  const { name } = kept;
  return { sinusoidal: true, text, change, layout: order, roundings, name, ground, usual };
}

function wholeTable(rows, print, cut = false) {
  const empty = (row) => row.every((value) => value === 0);
  const padding = range(rows.length).filter((row) => empty(rows[row]));
  const held = range(rows.length).filter((row) => !empty(rows[row]));
  const kept = held.map((row) => rows[row]);
  if (!kept.length) return no("all entries are 0");
  const width = kept[0].length;
  const odd = width % 2 === 1;
  if (odd && kept.some((row) => row[width - 1] !== 0)) {
    return no(`an odd number of columns, ${width}, and the last is not 0`);
  }
  const columns = odd ? part(kept, 0, width - 1) : kept;
  if (standsStill(columns)) {
    return tooFew("every row is that of position 0, which is the same for every base");
  }
  const found = (cut ? cutFit : findFit)(columns, held, print);
  if (typeof found !== "string") return report(found, rows.length, padding, odd);
  return found.startsWith("they ") ? tooFew(found, ", or digits") : no(found);
}

// --- Several coordinates -------------------------------------------------------------------

const SPLITS = [
  [1 / 2, 1 / 2],
  [1 / 3, 1 / 3, 1 / 3],
  [1 / 4, 1 / 4, 1 / 4, 1 / 4],
  [1 / 4, 3 / 8, 3 / 8],
  [1 / 8, 7 / 16, 7 / 16],
];

// Coordinates side by side, or stacked: the sines of all, and then the cosines of all.
function parts(rows, shares, stacked, print) {
  const width = rows[0].length;
  const count = shares.length;
  const widths = shares.map((one) => even(width * one));
  if (widths.some((one) => one % 2 || !one) || sum(widths) !== width) return null;
  if (stacked && new Set(widths).size > 1) return null;
  const ends = widths.map((_, at) => sum(widths.slice(0, at + 1)));
  const half = width / count / 2;
  const reports = [];
  for (const place of range(count)) {
    const [from, to] = [ends[place] - widths[place], ends[place]];
    const both = (row) => [
      ...row.slice(place * half, (place + 1) * half),
      ...row.slice(width / 2 + place * half, width / 2 + (place + 1) * half),
    ];
    const piece = stacked ? rows.map((row) => Float64Array.from(both(row))) : part(rows, from, to);
    const still = standsStill(piece);
    const found = still || piece[0].length < 4 ? tooFew("position 0") : wholeTable(piece, print);
    if (!found.sinusoidal && !still) return null;
    reports.push(found);
  }
  const named = reports.filter(({ sinusoidal }) => sinusoidal);
  if (!named.length) return null;
  const said = reports.map(({ sinusoidal, text }, place) => {
    const found = text.replace("Sinusoidal: ", "").split(". ")[0].replace(/\.+$/, "");
    const where = `columns ${ends[place] - widths[place]} to ${ends[place] - 1}`;
    const name = stacked ? `coordinate ${place}` : where;
    return `${name}: ${sinusoidal ? found : "position 0"}`;
  });
  const order = stacked ? "first the sines of all, then the cosines" : "side by side";
  const text = `Sinusoidal in ${count} coordinates, ${order}; ${said.join("; ")}.`;
  const roundings = Math.max(...named.map((one) => one.roundings));
  const ground = groundOf(rows.length, width, roundings, named[0].name);
  const { usual, name } = named[0];
  const still = named.length < count;
  return { sinusoidal: true, text, change: [], ground, still, usual, name };
}

// The answer for rows of numbers, all of one length, at least 2; `print` has the digits of a
// print, as `parse` reads them.
export function inspect(table, print = null) {
  const rows = table.map((row) => Float64Array.from(row));
  const width = rows[0].length;
  const most = Math.max(...rows.map(largest));
  if (most && (most < LEAST_ENTRY || most > MOST_ENTRY)) {
    return no("its entries are below 1e-30, or above 1e+30");
  }
  const found = wholeTable(rows, print);
  if (found.sinusoidal || rows.length * width < 8) return found;
  const cut = wholeTable(rows, print, true);
  if (found.layout || cut.usual) return cut.sinusoidal ? cut : found;
  const vague = found.text.startsWith("Too few");
  for (const shares of SPLITS) {
    for (const stacked of [false, true]) {
      const several = parts(rows, shares, stacked, print);
      if (several && !several.still) return several;
      const coarse = vague || (several && !several.usual && /decimals|digits/.test(several.name));
      if (several && !coarse) return cut.sinusoidal && !several.usual ? cut : several;
    }
  }
  if (cut.sinusoidal) return cut;
  if (Math.min(rows.length, width) > 1) {
    const across = range(width).map((j) => Float64Array.from(rows, (row) => row[j]));
    const turned = wholeTable(across, print);
    if (turned.sinusoidal) {
      const text = turned.text.replace("Sinusoidal: ", "Transposed, sinusoidal in its columns: ");
      const change = ["transpose it", ...turned.change];
      return { ...turned, text: text.replace(/ This is the paper's table\.$/, ""), change };
    }
  }
  return found;
}

export function answer({ text, change, ground }) {
  const steps = change.length ? `To get the paper's table: ${change.join("; ")}.` : "";
  return [text, steps, ground].filter(Boolean).join(" ");
}

// --- What is pasted ------------------------------------------------------------------------

const NUMBER = /[-+\u2212]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/g;

// With more digits than this a print is as good as the number.
const EXACT = 13;

// The digits of a print: so many decimals, or so many significant digits where it is in powers of
// ten. NumPy leaves zeros out at the end, so the token with the most digits speaks for all.
function digitsOf(tokens) {
  const shown = tokens.map((token) => {
    const [, decimals = "", power] = token.match(/^[^.eE]*\.?(\d*)(?:[eE](.*))?$/);
    const digits = token
      .replace(/[eE].*$/, "")
      .replace(/\D/g, "")
      .replace(/^0+/, "");
    return {
      decimals: decimals.length,
      scientific: power !== undefined,
      significant: digits.length,
    };
  });
  const most = Math.max(...shown.map(({ decimals }) => decimals));
  const scientific = shown.filter((token) => token.scientific).length;
  if (most >= EXACT || (scientific && scientific < tokens.length)) return null;
  if (scientific) return { significant: most + 1 };
  if (!most) return null;
  const fractions = shown.filter((token) => token.decimals);
  const trimmed = fractions.some((token) => token.decimals < most);
  const shortest = trimmed && Math.max(...shown.map((token) => token.significant));
  return { decimals: most, shortest };
}

// Rows of numbers and the digits they are printed with, or a sentence that says why there are
// none. Brackets make rows, as NumPy and PyTorch print them; without brackets lines do.
export function parse(text) {
  if (/\.\.\.|\u2026/.test(text)) {
    return (
      "The print is cut short (...). Print all of a row: np.set_printoptions(threshold=np.inf), " +
      'or torch.set_printoptions(profile="full").'
    );
  }
  if (/\b(nan|inf(inity)?)\b/i.test(text)) return "There are entries that are NaN or infinite.";
  const bare = text.replace(/\w*(?:float|int)\d+/g, "");
  const pieces = bare.includes("[") ? (bare.match(/\[[^[\]]*\]/g) ?? []) : bare.split("\n");
  const tokens = pieces.map((piece) => piece.match(NUMBER) ?? []).filter((row) => row.length);
  if (!tokens.length) return "Paste rows of a table: the numbers of one position to a line.";
  if (tokens.some((row) => row.length !== tokens[0].length)) {
    const lengths = [...new Set(tokens.map((row) => row.length))].slice(0, 4).join(", ");
    return `The rows have different lengths (${lengths}). Each row must be whole, one to a line.`;
  }
  if (tokens[0].length < 2) return "A row must have at least two numbers.";
  const rows = tokens.map((row) => row.map((token) => Number(token.replace("\u2212", "-"))));
  return { rows, print: digitsOf(tokens.flat()) };
}

// --- The view ------------------------------------------------------------------------------

// What some libraries make; each is written out here, to be read like any pasted table.
function sample(layout, base, first, count, width, digits) {
  return range(count)
    .map((row) => {
      const pair = range(width / 2).map((i) => (row + first) * base ** ((-2 * i) / width));
      const sines = pair.map((angle) => Math.sin(angle));
      const cosines = pair.map((angle) => Math.cos(angle));
      const joined =
        layout === "interleaved"
          ? pair.flatMap((_, i) => [sines[i], cosines[i]])
          : layout === "halves"
            ? [...sines, ...cosines]
            : [...cosines, ...sines];
      return joined.map((value) => value.toFixed(digits)).join(" ");
    })
    .join("\n");
}

const SPACED = (width) => 1e4 ** (width / (width - 2));
const SAMPLES = [
  ["the paper, width 16", () => sample("interleaved", 1e4, 0, 6, 16, 6)],
  ["Marian in Transformers, width 16", () => sample("halves", 1e4, 0, 6, 16, 6)],
  ["Whisper, width 16", () => sample("halves", SPACED(16), 0, 6, 16, 6)],
  ["M2M100, its first tokens, width 16", () => sample("halves", SPACED(16), 2, 6, 16, 6)],
  ["MusicGen, width 16", () => sample("cosines", SPACED(16), 0, 6, 16, 6)],
  ["row 1 alone, width 64", () => sample("interleaved", 1e4, 1, 1, 64, 4)],
];

export function render(context) {
  const view = new Figure(context, "Your table");
  const parsed = () => parse(view.get("table"));
  const rowsOf = (found) => (typeof found === "string" ? found : found.rows);
  const height = () => {
    const rows = rowsOf(parsed());
    return typeof rows === "string" ? 60 : clamp(rows.length * 14, 28, 160) + 44;
  };
  view.canvas(height, (pen, width, tall, colour) => {
    const rows = rowsOf(parsed());
    if (typeof rows === "string") {
      label(pen, colour.quiet, "no table yet", width / 2, 34, "center");
      return;
    }
    const shown = rows.slice(0, 200);
    const most = Math.max(...shown.map(largest)) || 1;
    pen.imageSmoothingEnabled = false;
    pen.drawImage(picture(shown, colour.map, most), 0, 0, width, tall - 44);
    const size = `${rows.length} row${rows.length > 1 ? "s" : ""} of ${rows[0].length} columns`;
    label(pen, colour.quiet, size, 0, tall - 12);
    colourBar(pen, colour, width, tall - 20, most);
  });

  const lines = [node("p"), node("p")];
  view.reading.append(...lines);
  view.say = () => {
    const read = parsed();
    if (typeof read === "string") {
      lines[0].textContent = read;
      lines[1].textContent = "";
      return read;
    }
    const found = inspect(read.rows, read.print);
    const end = found.text.indexOf(":") + 1;
    write(lines[0], `{strong|${found.text.slice(0, end)}}${found.text.slice(end)}`);
    lines[1].textContent = answer({ ...found, text: "" });
    return answer(found);
  };

  const input = node("textarea", { rows: 6, spellcheck: "false", autocomplete: "off" });
  const update = () => {
    if (input.value !== view.get("table")) input.value = view.get("table");
  };
  view.on(input, "input", () => view.set({ table: input.value }));
  view
    .labelled(input, "table", "paste rows of a table", () => "")
    .parentElement.classList.add("posenc-across");
  view.watch("table", update);
  update();
  const choices = node(
    "select",
    {},
    node("option", { value: "" }, "a table to try"),
    ...SAMPLES.map(([name], at) => node("option", { value: at }, name)),
  );
  view.on(choices, "change", () => {
    if (choices.value !== "") view.set({ table: SAMPLES[choices.value][1]() });
  });
  view.controls.append(
    node("label", {}, node("span", { class: "posenc-name" }, "or take one of these"), choices),
  );
  return view.start(["table"]);
}
