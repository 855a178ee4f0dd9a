// Paste a table: what it is, read back from its numbers. The same steps as posenc.diagnose.table,
// in the same order and with the same words, so that both give the same answer.

import { Figure, TURN, clamp, colourBar, label, node, picture, write } from "./shared.js";

const USUAL_BASES = [1e4, 1e2, 1e3, 2e4, 1e5, 5e5, 1e6, 1e7, 1e8];
const [PROBES, ENTRIES, MOST_LOG, FARTHEST, ENOUGH_BITS, SURE_BITS] = [12, 20000, 35, 1e8, 24, 100];
const TYPES = [
  ["bfloat16", 8, 2 ** -9],
  ["float16", 11, 2 ** -11],
  ["float32", 24, 2 ** -24],
];

// --- Numbers -------------------------------------------------------------------------------

// To the nearest whole number, at a tie to the even one, as NumPy and Python.
function even(value) {
  const low = Math.floor(value);
  if (value - low !== 0.5) return Math.round(value);
  return low % 2 === 0 ? low : low + 1;
}

const wrapped = (angle) => angle - TURN * even(angle / TURN);
const largest = (values) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
const sum = (values) => values.reduce((total, value) => total + value, 0);
const range = (count) => Array.from({ length: count }, (_, index) => index);

function median(values) {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// As Python's format ".6g".
function general(value, digits = 6) {
  const [, exponent] = value.toExponential(digits - 1).split("e");
  if (Number(exponent) >= -4 && Number(exponent) < digits) {
    const text = value.toFixed(digits - 1 - Number(exponent));
    return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  }
  const [front, back] = value.toExponential(digits - 1).split("e");
  const power = back.slice(1).padStart(2, "0");
  return `${front.includes(".") ? front.replace(/\.?0+$/, "") : front}e${back[0]}${power}`;
}

function number(value) {
  if (!Number.isInteger(value) || Math.abs(value) >= 1e15) return general(value);
  return String(value === 0 ? 0 : value).replace(/\B(?=(\d{3})+$)/g, " ");
}

// --- How the entries are rounded -----------------------------------------------------------

// The power of 2 that a number is at least half of.
function exponentOf(value) {
  if (value === 0) return 0;
  let exponent = Math.floor(Math.log2(Math.abs(value))) + 1;
  while (Math.abs(value) >= 2 ** exponent) exponent += 1;
  while (Math.abs(value) < 2 ** (exponent - 1)) exponent -= 1;
  return exponent;
}

function hasBits(value, name, bits) {
  const exponent = exponentOf(value);
  const unit = 2 ** ((name === "float16" ? Math.max(exponent, -13) : exponent) - bits);
  const scaled = value / unit;
  return scaled === Math.round(scaled);
}

function rounding(rows) {
  const all = rows.flatMap((row) => Array.from(row));
  const step = Math.max(1, Math.floor(all.length / ENTRIES));
  const values = all.filter((_, index) => index % step === 0);
  if (!values.every(Number.isInteger)) {
    for (let digits = 1; digits < 9; digits += 1) {
      const near = (value) => Math.abs(value * 10 ** digits - even(value * 10 ** digits)) < 1e-6;
      if (values.every(near)) return [`${digits} decimals`, 0.5 * 10 ** -digits];
    }
  }
  for (const [name, bits, grain] of TYPES) {
    if (values.every((value) => hasBits(value, name, bits))) return [name, grain];
  }
  return ["float64", 2 ** -53];
}

// --- The search for positions and frequencies ----------------------------------------------

const ladder = (beta, pairs) => Float64Array.from({ length: pairs }, (_, i) => Math.exp(-beta * i));

// The position of one row, read by ever faster pairs, each at most twice as fast.
function read(angles, start, omega, beta) {
  const pairs = omega.length;
  const stride = Math.max(1, Math.floor(Math.log(2) / beta));
  let place = start;
  const use = (pair) => {
    place += wrapped(angles[pair] - place * omega[pair]) / omega[pair];
  };
  for (let pair = pairs - 1 - stride; pair > 0; pair -= stride) use(pair);
  use(0);
  const left = angles.map((angle, pair) => wrapped(angle - place * omega[pair]));
  return { place, left, worst: largest(left) };
}

function places(rows, beta) {
  const omega = ladder(beta, rows[0].length);
  const last = omega.length - 1;
  const longest = TURN / omega[last];
  const start = rows.map((angles) => angles[last] / omega[last]);
  const found = rows.map((angles, row) => read(angles, start[row], omega, beta));
  const again = (row, from) => {
    const other = read(rows[row], from, omega, beta);
    if (other.worst < 0.5 * found[row].worst) found[row] = other;
  };
  const bad = () => range(rows.length).filter((row) => found[row].worst > 0.05);
  const most = Math.min(12, Math.max(3, Math.ceil(64 / longest)));
  for (let turns = 1; turns <= most; turns += 1) {
    for (const sign of [1, -1]) {
      for (const row of bad()) again(row, start[row] + sign * turns * longest);
    }
  }
  // Follow the rows that fit, in equal steps.
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

function byTurn(rows) {
  return rows
    .map((angles) => ({ angles, turned: sum(angles.map(Math.abs)) / angles.length }))
    .filter(({ turned }) => turned > 1e-9)
    .sort((one, other) => one.turned - other.turned)
    .map(({ angles }) => angles);
}

function probesOf(rows) {
  const count = rows.length;
  const turned = rows.map((angles) => sum(angles.map(Math.abs)) / angles.length);
  const least = range(count).sort((one, other) => turned[one] - turned[other]);
  const spread = range(PROBES).map((at) => even((at * (count - 1)) / (PROBES - 1)));
  const chosen = [...new Set([...spread, ...least.slice(0, PROBES)])].sort((a, b) => a - b);
  const beside = chosen.filter((row) => row > 0);
  const step = (row) => rows[row].map((angle, pair) => wrapped(angle - rows[row - 1][pair]));
  const both = [byTurn(chosen.map((row) => rows[row])), byTurn(beside.map(step))];
  return [...both.flatMap((some) => some.slice(0, 4)), ...both.flatMap((some) => some.slice(4))];
}

// β as the slow pairs of one row tell it: there the angles are kω, not yet wrapped.
function slopes(angles, grain) {
  const sizes = angles.map(Math.abs);
  let last = angles.length - 1;
  while (last > 0 && sizes[last] < 8 * grain) last -= 1;
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
    .filter((start) => last - start >= 1)
    .map((start) => Math.log(sizes[start] / sizes[last]) / (last - start))
    .filter((beta) => beta > 0);
}

function refined(probes, start, grain) {
  const pairs = probes[0].length;
  const allowed = (beta) => beta * pairs > 1e-4 && beta * pairs < MOST_LOG;
  let [beta, sigma, reach] = [start, 0, 0];
  for (let round = 0; round < 20; round += 1) {
    if (!allowed(beta)) return null;
    const omega = ladder(beta, pairs);
    const norm = sum(omega.map((w) => w * w));
    const found = probes.map((angles) =>
      read(angles, angles[pairs - 1] / omega[pairs - 1], omega, beta),
    );
    const least = Math.min(...found.map(({ worst }) => worst));
    if (least > 1) return null;
    const fits = found.filter(({ worst }) => worst <= Math.max(0.05, 4 * least));
    const nearest = Math.min(...fits.map(({ place }) => Math.abs(place)));
    reach = Math.max(8 * reach, 2 * nearest, 2);
    const near = fits.filter(({ place }) => Math.abs(place) <= reach);
    let [squares, size, along] = [0, 0, 0];
    for (const { place, left } of near) {
      const slope = omega.map((w, pair) => -place * pair * w);
      const share = sum(slope.map((value, pair) => value * omega[pair])) / norm;
      for (let pair = 0; pair < pairs; pair += 1) {
        const value = slope[pair] - share * omega[pair];
        squares += left[pair] ** 2;
        size += value ** 2;
        along += value * left[pair];
      }
    }
    if (size === 0) return null;
    const change = along / size;
    beta += change;
    const entries = near.length * pairs;
    sigma = Math.sqrt(((squares / entries) * (1 + 8 / entries) + (grain / 8) ** 2) / size);
    const all = fits.every(({ place }) => Math.abs(place) <= reach);
    if (all && Math.abs(change) <= 1e-3 * sigma + 1e-15) break;
  }
  return allowed(beta) ? { beta, sigma } : null;
}

// Frequencies in float32 are off all to the same side.
const baseError = (sigma, pairs) => 6 * sigma * pairs + 4e-6;

function roundBase(beta, sigma, pairs) {
  const error = baseError(sigma, pairs);
  const found = [];
  for (const [spacing, steps] of [
    ["paper", pairs],
    ["tensor2tensor", pairs - 1],
  ]) {
    const exact = Math.exp(beta * steps);
    const power = 10 ** Math.floor(Math.log10(exact));
    for (const digit of error > 2e-3 ? [10, 20, 50, 100] : range(91).map((at) => at + 10)) {
      const n = power >= 10 ? even((digit * power) / 10) : (digit * power) / 10;
      const off = Math.abs(Math.log(n / exact));
      const round = digit % 10 === 0;
      if (n >= 2 && off <= error) found.push({ usual: n === 1e4, round, off, n, spacing });
    }
  }
  if (!found.length) return null;
  found.sort(
    (one, other) => other.usual - one.usual || other.round - one.round || one.off - other.off,
  );
  const usual = found.filter((one) => one.usual);
  return { n: found[0].n, spacing: usual.length === 2 ? "either" : found[0].spacing };
}

function roundBeta(beta, sigma, pairs) {
  const found = roundBase(beta, sigma, pairs);
  if (!found || found.spacing === "either") return beta;
  return Math.log(found.n) / (found.spacing === "paper" ? pairs : pairs - 1);
}

const tolerance = (place, grain) => Math.min(3 * grain + 1e-6 + 6e-7 * Math.abs(place), 0.3);

function judged(rows, beta, sigma, grain) {
  const pairs = rows[0].length;
  const found = places(rows, beta);
  const misses = found.map(({ place, worst }) =>
    Math.abs(place) > FARTHEST ? Infinity : worst / tolerance(place, grain),
  );
  const good = found.filter((_, row) => misses[row] <= 1).map(({ place }) => place);
  const whole = good.length > 0 && largest(good.map((place) => place - even(place))) < 0.02;
  const kept = new Map();
  for (const place of good) {
    const key = even(place * 1e6) / 1e6 + 0;
    if (!kept.has(key)) kept.set(key, Math.log2(Math.PI / tolerance(place, grain)));
  }
  let bits = roundBase(beta, sigma, pairs) ? -10 : -30;
  for (const [place, each] of kept) {
    const cost = 2 * Math.log2(2 + Math.abs(place)) + (whole ? 0 : each);
    if (Math.abs(place) >= 1e-6) bits += pairs * each - cost;
  }
  bits -= 40 * misses.filter((miss) => miss > 1).length;
  return { beta, sigma, places: found.map(({ place }) => place), misses, bits, whole };
}

const same = (one, other) => one.every((value, at) => value === other[at]);

function fitted(rows, grain) {
  const pairs = rows[0].length;
  const probes = probesOf(rows);
  if (pairs === 1 || !probes.length) return null;
  if (rows.length > 1 && rows.every((row) => same(row, rows[0]))) return null;
  const starts = probes.slice(0, 8).flatMap((angles) => slopes(angles, grain));
  for (const base of USUAL_BASES) starts.push(Math.log(base) / pairs, Math.log(base) / (pairs - 1));
  let best = null;
  for (const start of starts) {
    const found = refined(probes, start, grain);
    if (!found) continue;
    for (const beta of [roundBeta(found.beta, found.sigma, pairs), found.beta]) {
      const fit = judged(probes, beta, found.sigma, grain);
      if (!best || fit.bits > best.bits) best = fit;
    }
    const all = best.misses.every((miss) => miss <= 1);
    if (best.bits >= SURE_BITS && all && (best.whole || pairs > 7)) break;
  }
  return best && judged(rows, best.beta, best.sigma, grain);
}

// --- What is said --------------------------------------------------------------------------

const no = (reason) => ({
  sinusoidal: false,
  text: `Not a sinusoidal table: ${reason}.`,
  change: [],
});
const few = (reason) => ({
  sinusoidal: false,
  text: `Too few numbers to tell: ${reason}. Add rows, that of position 1 too.`,
  change: [],
});

const part = (rows, from, to) => rows.map((row) => row.slice(from, to));
const every = (rows, first) => rows.map((row) => row.filter((_, column) => column % 2 === first));
const pairsOf = (rows, halves) =>
  halves
    ? [part(rows, 0, rows[0].length / 2), part(rows, rows[0].length / 2)]
    : [every(rows, 0), every(rows, 1)];

function standsStill(rows) {
  const still = (one, other) =>
    one.every((row) => row.every((value) => value === 0)) &&
    other[0][0] !== 0 &&
    other.every((row) => row.every((value) => value === other[0][0]));
  return [true, false].some((halves) => {
    const [one, other] = pairsOf(rows, halves);
    return still(one, other) || still(other, one);
  });
}

function reason(rows, circles) {
  if (rows.length > 1 && rows.every((row) => same(row, rows[0]))) return "all rows are the same";
  const equal = ([one, other]) => one.every((row, at) => same(row, other[at]));
  const cache = "as in RoPE's table of cosines or of sines";
  if (equal(pairsOf(rows, true))) return `both halves are equal, ${cache}`;
  if (equal(pairsOf(rows, false))) return `neighbouring columns are equal, ${cache}`;
  if (circles) return "its pairs lie on circles, but no positions and no base give their angles";
  const width = rows[0].length;
  const own = (k, column) => {
    const angle = k * 1e4 ** (-column / width);
    return column % 2 ? Math.cos(angle) : Math.sin(angle);
  };
  for (const begin of [0, 1]) {
    const near = (row, k) => row.every((value, j) => Math.abs(value - own(k + begin, j)) < 0.01);
    if (rows.every(near)) {
      return "each column has a frequency of its own, by its number in place of its pair's";
    }
  }
  const cut = rows.length < 3 ? " (or a row is cut)" : "";
  return `sine² + cosine² differs from pair to pair, in either order of columns${cut}`;
}

function scaleText(scale, width) {
  const known = [
    [-1, "-1", "change all signs"],
    [width ** -0.5, `1/√${width}`, `multiply by √${width}`],
    [width ** 0.5, `√${width}`, `divide by √${width}`],
  ];
  const found = known.find(([value]) => Math.abs(scale / value - 1) < 5e-3);
  return found ? found.slice(1) : [general(scale), `divide by ${general(scale)}`];
}

function sayBase(say, change, n, spacing, error, width) {
  let text = `base ${number(n)}`;
  if (spacing === "either") {
    text += " (too short to tell the paper's spacing from tensor2tensor's)";
  } else if (error > 5e-3) {
    text += ` (within ${Math.max(1, even(100 * error))} %)`;
  }
  let last = `${number(n)}^(-2i/${width})`;
  if (spacing === "tensor2tensor") {
    text += " in tensor2tensor's spacing";
    last = `${number(n)}^(-i/${width / 2 - 1})`;
  }
  const wider = (Math.log(1e4) * width) / Math.log(n);
  const cut = 2 * even(wider / 2);
  const sure = error * wider < Math.log(n) && Math.abs(wider - cut) < 0.5;
  if (n < 50 && !Number.isInteger(n) && wider < 1e5 && sure) {
    text += `, as in the first ${width} columns of width ${cut} and base 10 000`;
    change.push(`take all ${cut} columns`);
  } else if (spacing === "tensor2tensor" || n !== 1e4) {
    change.push(`take the frequencies 10 000^(-2i/${width}), not ${last}`);
  }
  say.push(text);
}

function stepName(step, beta) {
  const known = [
    ["degrees taken for radians", Math.PI / 180],
    ["turns taken for radians", TURN],
    ["pairs counted from 1", Math.exp(-beta)],
  ];
  const found = known.find(([, value]) => Math.abs(step / value - 1) < 1e-3);
  return found ? ` (${found[0]})` : "";
}

function roundedPositions(at) {
  for (const [name, bits] of TYPES.slice(0, 2)) {
    const rounded = (value) => {
      const unit = 2 ** (exponentOf(value) - bits);
      return even(value / unit) * unit;
    };
    if (at.every((place, row) => place === rounded(at[0] + row))) return name;
  }
  return null;
}

function sayPositions(say, change, at, rows, whole, beta) {
  const first = at[0];
  if (at.length === 1) {
    say.push(`position ${number(first)}`);
    return;
  }
  const steps = at.slice(1).map((place, row) => (place - at[row]) / (rows[row + 1] - rows[row]));
  const step = median(steps);
  const begin = first - step * rows[0];
  const sorted = [...at].sort((one, other) => one - other);
  const spread = largest(steps.map((value) => value - step));
  if (whole && steps.every((value) => value === 1)) {
    say.push(`first position ${number(begin)}`);
    if (begin) change.push(`begin with position 0, not ${number(begin)}`);
  } else if (step && spread <= (whole ? 0 : 1e-3 * Math.abs(step))) {
    const name = stepName(Math.abs(step), beta);
    say.push(`first position ${number(begin)}, in steps of ${number(step)}${name}`);
    change.push(`take positions in steps of 1, not ${number(step)}`);
  } else if (whole && roundedPositions(at)) {
    const kind = roundedPositions(at);
    say.push(`first position ${number(first)}, positions rounded to ${kind}`);
    change.push("count the positions in integers");
  } else if (whole && sorted.slice(1).every((place, row) => place - sorted[row] === 1)) {
    say.push(`rows shuffled, positions ${number(sorted[0])} to ${number(sorted.at(-1))}`);
    change.push("sort the rows by position");
  } else {
    const listed = at.slice(0, 5).map(number).join(", ");
    say.push(`positions ${listed}${at.length > 5 ? ", …" : ""}`);
    change.push("take the positions 0, 1, 2, ...");
  }
}

function report(fit, count, width, padding, kind, grain, odd) {
  const pairs = width / 2;
  const rows = range(count).filter((row) => !padding.includes(row));
  let at = fit.whole ? fit.places.map((place) => even(place) + 0) : fit.places;
  const error = baseError(fit.sigma, pairs);
  const found = roundBase(fit.beta, fit.sigma, pairs);
  const { n, spacing } = found ?? { n: Math.exp(fit.beta * pairs), spacing: "paper" };
  const order = fit.halves ? "halves" : "interleaved";
  const say = [order + (fit.cosinesFirst ? ", cosines first" : "")];
  const change = [];
  if (fit.halves) {
    change.push(`put column i and column i + ${pairs} side by side, i from 0 to ${pairs - 1}`);
  }
  if (fit.cosinesFirst) change.push("swap the sine and the cosine of each pair");
  sayBase(say, change, n, spacing, error, width);
  const falling = at.slice(1).every((place, row) => place < at[row]);
  if (falling && at.every((place) => place <= 0) && at.some((place) => place < 0)) {
    at = at.map((place) => (place ? -place : 0));
    say.push("sines with the opposite sign");
    change.push("change the sign of the sines");
  }
  sayPositions(say, change, at, rows, fit.whole, fit.beta);
  if (Math.abs(fit.scale - 1) > 3 * grain + 1e-6) {
    const [scale, back] = scaleText(fit.scale, width);
    say.push(`times ${scale}`);
    change.push(back);
  }
  if (padding.length) {
    const listed = padding.slice(0, 3).join(", ") + (padding.length > 3 ? ", ..." : "");
    say.push(`row ${listed} all zeros (padding)`);
    change.push("fill the rows of zeros");
  }
  if (odd) {
    say.push("a last column of zeros (the width is odd)");
    change.push("drop the last column");
  }
  if (kind !== "float64") say.push(`rounded to ${kind}`);
  const far = largest(fit.places);
  const worst = largest(fit.misses.map((miss, row) => miss * tolerance(fit.places[row], grain)));
  if (worst > 4 * grain + 1e-12 * far + 1e-13) say.push("angles in float32");
  const said = say.join(", ");
  const bad = rows.filter((_, row) => fit.misses[row] > 1);
  if (bad.length) {
    const share = `${bad.length} of ${rows.length} rows do not fit, first row ${bad[0]}`;
    return { ...no(`it would be ${said}, but ${share}`), layout: order };
  }
  let text = `Sinusoidal: ${said}.`;
  if (!change.length) {
    text += count > 1 ? " This is the paper's table." : " A row of the paper's table.";
  }
  return { sinusoidal: true, text, change, layout: order };
}

function wholeTable(rows) {
  const empty = (row) => row.every((value) => value === 0);
  const padding = range(rows.length).filter((row) => empty(rows[row]));
  const kept = rows.filter((row) => !empty(row));
  if (!kept.length) return no("all entries are 0");
  const width = kept[0].length;
  const odd = width % 2 === 1;
  if (odd && kept.some((row) => row[width - 1] !== 0)) {
    return no(`an odd number of columns, ${width}, and the last is not 0`);
  }
  const columns = odd ? part(kept, 0, width - 1) : kept;
  const [kind, grain] = rounding(columns);
  if (standsStill(columns)) {
    return few("every row is that of position 0, which is the same for every base");
  }
  let [best, circles] = [null, false];
  for (const negative of [false, true]) {
    for (const cosinesFirst of [false, true]) {
      for (const halves of [false, true]) {
        if (best && best.bits >= SURE_BITS) continue;
        const both = pairsOf(columns, halves);
        const radii = both[0].map((row, at) => row.map((a, i) => Math.hypot(a, both[1][at][i])));
        const scale = median(radii.flatMap((row) => Array.from(row)));
        const rough = grain / (kind.endsWith("decimals") ? scale : 1);
        const off = Math.max(...radii.map((row) => largest(row.map((r) => r / scale - 1))));
        if (scale === 0 || !(off <= 3 * rough + 3e-6)) continue;
        circles = true;
        const [sines, cosines] = cosinesFirst ? [both[1], both[0]] : both;
        const sign = negative ? -1 : 1;
        const angles = sines.map((row, at) =>
          row.map((sine, pair) => Math.atan2(sign * sine, sign * cosines[at][pair])),
        );
        const fit = fitted(angles, rough);
        if (fit && (!best || fit.bits > best.bits)) {
          best = { ...fit, halves, cosinesFirst, scale: sign * scale };
        }
      }
    }
  }
  if (!best || (best.bits < ENOUGH_BITS && best.misses.some((miss) => miss > 1))) {
    return no(reason(columns, circles));
  }
  if (best.bits < ENOUGH_BITS || baseError(best.sigma, columns[0].length / 2) > 0.5) {
    return few("they fit a sinusoidal table, and would by chance");
  }
  return report(best, rows.length, columns[0].length, padding, kind, grain, odd);
}

// Coordinates side by side, or stacked: the sines of all, and then the cosines of all.
function parts(rows, count, stacked) {
  const width = rows[0].length;
  if (width % (2 * count)) return null;
  const each = width / count;
  const half = each / 2;
  const joined = (row, place) => {
    const second = width / 2 + place * half;
    const [sines, cosines] = [row.slice(place * half, (place + 1) * half), row.slice(second)];
    return Float64Array.from([...sines, ...cosines.slice(0, half)]);
  };
  const pieces = range(count).map((place) =>
    stacked
      ? rows.map((row) => joined(row, place))
      : part(rows, place * each, (place + 1) * each),
  );
  const reports = pieces.map(wholeTable);
  if (!reports.some(({ sinusoidal }) => sinusoidal)) return null;
  if (!reports.every(({ sinusoidal }, at) => sinusoidal || standsStill(pieces[at]))) return null;
  const said = reports.map(({ sinusoidal, text }, place) => {
    const found = text.replace("Sinusoidal: ", "").split(". ")[0].replace(/\.+$/, "");
    const ends = `columns ${place * each} to ${place * each + each - 1}`;
    const name = stacked ? `coordinate ${place}` : ends;
    return `${name}: ${sinusoidal ? found : "position 0"}`;
  });
  const order = stacked ? "first the sines of all, then the cosines" : "side by side";
  const text = `Sinusoidal in ${count} coordinates, ${order}; ${said.join("; ")}.`;
  return { sinusoidal: true, text, change: [] };
}

// The answer for rows of numbers, all of one length, at least 2.
export function inspect(table) {
  const rows = table.map((row) => Float64Array.from(row));
  const width = rows[0].length;
  const found = wholeTable(rows);
  if (found.sinusoidal || found.layout || rows.length * width < 8) return found;
  for (const count of [2, 3, 4]) {
    for (const stacked of [false, true]) {
      const several = parts(rows, count, stacked);
      if (several) return several;
    }
  }
  if (Math.min(rows.length, width) > 1) {
    const turned = wholeTable(range(width).map((j) => Float64Array.from(rows, (row) => row[j])));
    if (turned.sinusoidal) {
      const text = turned.text.replace("Sinusoidal: ", "Transposed, sinusoidal in its columns: ");
      const change = ["transpose it", ...turned.change];
      return { ...turned, text: text.replace(/ This is the paper's table\.$/, ""), change };
    }
  }
  return found;
}

export function answer({ text, change }) {
  return change.length ? `${text} To get the paper's table: ${change.join("; ")}.` : text;
}

// --- What is pasted ------------------------------------------------------------------------

const NUMBER = /[-+\u2212]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/g;

// Rows of numbers, or a sentence that says why there are none. Brackets make rows, as NumPy and
// PyTorch print them; without brackets lines do.
export function parse(text) {
  if (/\.\.\.|\u2026/.test(text)) {
    return (
      "The print is cut short (...). Print all of a row: np.set_printoptions(threshold=np.inf), " +
      'or torch.set_printoptions(profile="full").'
    );
  }
  if (/\b(nan|inf(inity)?)\b/i.test(text)) return "There are entries that are NaN or infinite.";
  const value = (digits) => Number(digits.replace("\u2212", "-"));
  const numbers = (piece) => (piece.match(NUMBER) ?? []).map(value);
  const bare = text.replace(/\w*(?:float|int)\d+/g, "");
  const pieces = bare.includes("[") ? (bare.match(/\[[^[\]]*\]/g) ?? []) : bare.split("\n");
  const rows = pieces.map(numbers).filter((row) => row.length);
  if (!rows.length) return "Paste rows of a table: the numbers of one position to a line.";
  if (rows.some((row) => row.length !== rows[0].length)) {
    const lengths = [...new Set(rows.map((row) => row.length))].slice(0, 4).join(", ");
    return `The rows have different lengths (${lengths}). Each row must be whole, one to a line.`;
  }
  if (rows[0].length < 2) return "A row must have at least two numbers.";
  return rows;
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
  const height = () => {
    const rows = parsed();
    return typeof rows === "string" ? 60 : clamp(rows.length * 14, 28, 160) + 44;
  };
  view.canvas(height, (pen, width, tall, colour) => {
    const rows = parsed();
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
    const rows = parsed();
    if (typeof rows === "string") {
      lines[0].textContent = rows;
      lines[1].textContent = "";
      return rows;
    }
    const found = inspect(rows);
    const end = found.text.indexOf(":") + 1;
    write(lines[0], `{strong|${found.text.slice(0, end)}}${found.text.slice(end)}`);
    lines[1].textContent = found.change.length
      ? `To get the paper's table: ${found.change.join("; ")}.`
      : "";
    return answer(found);
  };

  const input = node("textarea", { rows: 6, spellcheck: "false", autocomplete: "off" });
  const update = () => {
    if (input.value !== view.get("table")) input.value = view.get("table");
  };
  view.on(input, "input", () => view.set({ table: input.value }));
  view.labelled(input, "table", "paste rows of a table", () => "").parentElement.classList.add(
    "posenc-across",
  );
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
