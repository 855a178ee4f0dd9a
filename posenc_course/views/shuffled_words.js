// Swap the words of a sentence and watch the sum that attention gives to one of them.

import { Figure, clamp, dot, fixed, node, scattered, _ } from "./shared.js";

const ROW = 50;
const TOP = 26;
const GLIDE = 350; // milliseconds for a word to reach its new row

// Two decimals at most: 0.2, 1.8, 20.
const short = (value) => fixed(value).replace(/\.?0+$/, "");
const pair = (row) => `(${row.map(short).join(",\u00a0")})`;
const same = (one, other) => Math.max(...one.map((v, c) => Math.abs(v - other[c]))) < 1e-9;
const eased = (share) => 1 - (1 - share) ** 3;

// The tip (x, y) of a hand after so many quarter turns.
const quarters = (position) =>
  [Math.sin, Math.cos].map((part) => Math.round(part((position * Math.PI) / 2)));

export function render(context) {
  const view = new Figure(context, _("Order of the words"));
  const words = view.get("sentence").split(/\s+/).filter(Boolean);
  const written = words.map((_, index) => index);
  // An order that is none of this sentence's words counts as the written one.
  const order = () => {
    const now = view.get("order");
    return now.toSorted().join() === written.join() ? now : written;
  };
  const asks = () => Math.min(view.get("asks"), words.length - 1);
  const made = (word) => [...scattered(word, 2)].map((v) => Math.round(1.5 + 1.5 * v));
  const vectors = words.map(
    (word, index) => view.get("vectors")[index] ?? made(word.toLowerCase()),
  );

  // What the word with this index finds in each row that it sees when the words stand in this
  // arrangement, and what it takes home.
  const look = (arrangement, index) => {
    const rows = arrangement.map((word, place) => {
      const turn = view.get("positions") ? quarters(place) : [0, 0];
      return vectors[word].map((value, c) => value + turn[c]);
    });
    const asking = arrangement.indexOf(index);
    const found = rows.map((row, place) => {
      const score = dot(row, rows[asking]);
      const seen = !view.get("mask") || place <= asking;
      return { row, seen, score, power: seen ? 2 ** score : 0 };
    });
    const total = found.reduce((sum, { power }) => sum + power, 0);
    for (const one of found) {
      one.weight = one.power / total;
      one.share = one.row.map((value) => one.weight * value);
    }
    const out = [0, 1].map((c) => found.reduce((sum, one) => sum + one.share[c], 0));
    return { found, total, out };
  };
  const rowOut = (arrangement, index) => look(arrangement, index).out;
  const buttons = node("div");
  let picked = null; // the word that waits for another to change places with
  // Where each word is drawn, on its way from row to row.
  const places = written.map((index) => order().indexOf(index));
  let halt = () => {}; // what ends the way of the words

  const plan = (width) => {
    const word = clamp(width * 0.17, 64, 120);
    const rest = width - word;
    const at = [0.1, 0.29, 0.46, 0.64, 0.86].map((share) => word + share * rest);
    return { width, word, at, rest, tall: TOP + ROW * (words.length + 1) + 4 };
  };

  view.canvas(plan, (pen, { width, word, at, rest }, colour) => {
    const { found, total, out } = look(order(), asks());
    const write = (texts, y, ink) => texts.forEach((text, c) => pen.centred(ink, text, at[c], y));
    const heads = [_("row"), _("score"), _("power"), _("weight"), _("weight · row")];
    const frame = (x, y, wide) => {
      pen.frame(colour.highlight, 2.5, x - wide / 2, y - 15, wide, 30);
    };
    write(heads, 12, colour.quiet);

    // A word between two rows lies over the others, and over it the one that asks.
    const lifted = (index) => places[index] !== Math.round(places[index]);
    const above = (index) => 2 * lifted(index) + (lifted(index) && index === asks());
    const painted = written.toSorted((one, other) => above(one) - above(other));
    for (const index of painted) {
      const { row, seen: sees, score, power, weight, share } = found[order().indexOf(index)];
      const top = TOP + places[index] * ROW;
      const y = top + 22;
      if (lifted(index)) {
        pen.block(colour.ground, 0, top - 3, width, ROW);
        pen.line(colour.line, 1.25, [0, top - 3], [width, top - 3]);
        pen.line(colour.line, 1.25, [0, top + ROW - 3], [width, top + ROW - 3]);
      }
      const numbers = [pair(row), short(score), short(power), short(weight), pair(share)];
      if (sees) write(numbers, y, colour.ink);
      else write([pair(row), _("hidden"), "0", "0", ""], y, colour.quiet);
      const reach = Math.min(0.15 * rest, 70);
      pen.line(colour.line, 3, [at[3] - reach / 2, y + 14], [at[3] + reach / 2, y + 14]);
      const end = at[3] - reach / 2 + weight * reach;
      if (weight) pen.line(colour.quiet, 3, [at[3] - reach / 2, y + 14], [end, y + 14]);
      if (index !== asks()) continue;
      frame(at[0], y, Math.min(0.19 * rest, 76));
      if (view.get("mask")) {
        // The mask hides what is below.
        pen.dashed([6, 6], colour.highlight, 2, [0, top + ROW - 3.5], [width, top + ROW - 3.5]);
      }
    }
    const bottom = TOP + words.length * ROW;
    pen.line(colour.edge, 1.25, [0, bottom - 1], [width, bottom - 1]);
    const y = bottom + 23;
    pen.bold(13, () => {
      pen.centred(colour.ink, _("sum"), word / 2, y);
      write(["", "", short(total), "1", pair(out)], y, colour.ink);
    });
    frame(at[4], y, Math.min(0.27 * rest, 116));
    buttons.childNodes.forEach((button, index) => {
      button.style.width = `${(word - 6) * view.scale}px`;
      button.style.top = `${(TOP + places[index] * ROW) * view.scale}px`;
      button.style.height = `${44 * view.scale}px`; // as high as the row that is drawn beside it
      button.style.zIndex = String(above(index));
      const where = {
        word: words[index],
        row: order().indexOf(index) + 1,
        rows: words.length,
        other: words[picked],
      };
      button.ariaLabel =
        picked === null || picked === index
          ? _("{word}, row {row} of {rows}. Arrow keys move it.", where)
          : _("{word}, row {row} of {rows}. Swaps with {other}. Arrow keys move it.", where);
      button.ariaPressed = String(picked === index);
    });
  });

  // Words glide to their rows; with reduced motion they are there at once.
  const glide = (target) => {
    halt();
    const from = [...places];
    const move = (share) => {
      target.forEach((index, to) => {
        places[index] = share < 1 ? from[index] + eased(share) * (to - from[index]) : to;
      });
      view.paint();
    };
    halt = view.animate(GLIDE, move);
  };
  const arrange = (arrangement) => view.set({ order: arrangement });
  const exchanged = (row, other) => {
    const now = order();
    return now.map((word, at) => ({ [row]: now[other], [other]: now[row] })[at] ?? word);
  };
  const place = (index, row) => {
    const others = order().filter((other) => other !== index);
    others.splice(clamp(row, 0, others.length), 0, index);
    if (others.join() !== order().join()) arrange(others);
  };

  const pick = (index) => {
    const other = picked;
    picked = other === null ? index : null;
    if (other === null) view.set({ asks: index });
    else if (other !== index) arrange(exchanged(order().indexOf(index), order().indexOf(other)));
    view.refresh();
  };
  words.forEach((word, index) => {
    const button = node("button", { type: "button", class: "posenc-word" }, word);
    button.addEventListener("keydown", (event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      place(index, order().indexOf(index) + step);
    });
    let carried = false; // a press that carried the word to another row is no click
    button.addEventListener("pointerdown", (event) => {
      button.setPointerCapture(event.pointerId);
      carried = false;
    });
    button.addEventListener("pointermove", (event) => {
      if (!button.hasPointerCapture(event.pointerId)) return;
      const box = view.element.getBoundingClientRect();
      const y = ((event.clientY - box.top) / box.height) * view.plan().tall;
      const row = clamp(Math.floor((y - TOP) / ROW), 0, words.length - 1);
      carried ||= row !== order().indexOf(index);
      place(index, row);
    });
    button.addEventListener("click", () => {
      if (!carried) pick(index);
      carried = false;
    });
    buttons.append(button);
  });
  view.stage.append(buttons);
  view.watch("order", () => glide(order()));

  view.say = () => {
    const text = (arrangement) => `“${arrangement.map((index) => words[index]).join(" ")}”`;
    const asking = words[asks()];
    const waits =
      picked === null ? "" : _("{word} is picked: press another word.", { word: words[picked] });
    const [now, before] = [order(), written].map((arrangement) => rowOut(arrangement, asks()));
    const leaves = _("the word “{word}” gets {pair}", { word: asking, pair: pair(now) });
    const moved = order().join() !== written.join();
    const values = { text: text(written), pair: pair(before) };
    const other = same(now, before)
      ? _(", as in {text}", values)
      : _("; in {text} it gets {pair}", values);
    const compared = moved ? other : "";
    const changes = (index) => !same(rowOut(order(), index), rowOut(written, index));
    const difference = written.some(changes)
      ? _("The order makes a difference.")
      : _("The order makes no difference.");
    const all = order()
      .map((index) => `${words[index]} ${pair(rowOut(order(), index))}`)
      .join(_(", "));
    const said = _("{quiet|In} {text}, {strong|{leaves}}{compared}. {quiet|All new rows:} {all}.", {
      text: text(order()),
      leaves,
      compared,
      all,
    });
    return view.read([waits, said, moved ? difference : ""].filter(Boolean).join(" "));
  };

  const row = view.row("posenc-across");
  view.button(row, _("Shuffle"), () => {
    const drawn = words.map(Math.random);
    const shuffled = written.toSorted((one, other) => drawn[one] - drawn[other]);
    // What is pressed does something: where the order is drawn again, the ends change places.
    const again = shuffled.join() === order().join();
    arrange(again ? exchanged(0, words.length - 1) : shuffled);
  });
  view.button(row, _("As written"), () => arrange(written));
  view.toggle("positions", _("Add a row for the position"));
  if (view.get("mask")) view.toggle("mask", _("Hide from each word what comes after it"));

  return view.start(["positions", "mask", "asks"]);
}
