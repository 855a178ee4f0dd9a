// The search: a ranking over the sections, terms and questions of the book. Nothing is prepared:
// each word is looked for in the text as it stands. A word is found by its beginning, in the
// singular or the plural, a name in code whole, a Greek letter by its name too; a word that the
// book does not have is taken for the one that is a single slip away from it. Chinese has no spaces
// between words: there each two characters that stand side by side are looked for.

(() => {
  const GREEK = Object.fromEntries(
    "α alpha β beta γ gamma δ delta ε epsilon θ theta λ lambda μ mu π pi σ sigma φ phi ω omega √ sqrt"
      .split(" ")
      .flatMap((part, at, all) => [[part, all[at % 2 ? at - 1 : at + 1]]]),
  );
  const COMMON = new Set(
    (
      "a an and are as at be by can do does for from how i in is it my not of on or should the to use " +
      "used using vs what when where which why with"
    ).split(" "),
  );
  const MOST = 12; // places that are shown
  const LETTER = /(?!\p{Script=Han})[\p{L}\p{N}]/u; // a Chinese character is a word by itself
  const HAN = /\p{Script=Han}+/gu;
  // Chinese words that tell nothing.
  const COMMON_HAN =
    /为什么|是什么|什么|怎么样|怎么|怎样|如何|哪里|哪个|可以|需要|能否|是否|多少|一个|[的了吗呢吧是在和与有要会能这那个就都也]/gu;

  // Small letters, and numbers without what groups their digits.
  const plain = (text) => text.toLowerCase().replace(/(\d)[\s\u202f\u00a0,](?=\d{3}(?!\d))/g, "$1");
  // The words of a text; of Chinese, each two characters side by side.
  const words = (text) => {
    const found = [];
    const bare = plain(text).replace(HAN, (run) => {
      for (let at = 0; at < run.length - 1; at += 1) found.push(run.slice(at, at + 2));
      if (run.length === 1) found.push(run);
      return " ";
    });
    return [...(bare.match(/[\p{L}\p{N}_√]+(?:[.][\p{L}\p{N}_]+)*/gu) || []), ...found];
  };

  // The words of a text without the common ones, or all where there are no others.
  const telling = (text) => {
    const asked = text.replace(COMMON_HAN, " ");
    const all = words(asked.trim() ? asked : text);
    return all.every((word) => COMMON.has(word)) ? all : all.filter((word) => !COMMON.has(word));
  };

  // How often a text has a form: whole it counts once, as the beginning of a word or part of a
  // name half. A text that is long repeats itself.
  function times(text, forms) {
    let sum = 0;
    for (const form of forms) {
      for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
        const [before, after] = [text[at - 1] || " ", text[at + form.length] || " "];
        if (LETTER.test(before) && LETTER.test(form[0])) continue;
        const next = after === "s" && form.length > 2 ? text[at + form.length + 1] || " " : after;
        sum += LETTER.test(next) || next === "_" || before === "_" ? 0.5 : 1;
      }
    }
    return sum;
  }
  const has = (text, forms) => Math.min(1, times(text, forms));

  // Whether one slip of the fingers makes the one word of the other: a letter too many, missing,
  // wrong, or two in each other's place.
  function near(one, other) {
    if (Math.abs(one.length - other.length) > 1) return false;
    let at = 0;
    while (at < one.length && one[at] === other[at]) at += 1;
    const [rest, its] = [one.slice(at), other.slice(at)];
    return (
      rest.slice(1) === its.slice(1) ||
      rest.slice(1) === its ||
      rest === its.slice(1) ||
      (rest[0] === its[1] && rest[1] === its[0] && rest.slice(2) === its.slice(2))
    );
  }

  // All that can be found, and the words of it: each is made when it is first asked for.
  let [entries, vocabulary] = [null, null];

  // What is asked for: for each word that tells something, the forms that are as good.
  function wanted(query) {
    const { same } = window.bookSearch;
    const found = (form) => entries.some(({ whole }) => times(whole, [form]));
    const read = (word) => {
      const single = word.length > 3 && word.endsWith("s") && !word.endsWith("ss");
      const forms = [single ? word.slice(0, -1) : word];
      for (const other of [...(same[word] || []), GREEK[word]]) if (other) forms.push(plain(other));
      if (forms.some(found)) return [forms];
      const parts = word.split(/[_.]/).filter(Boolean);
      if (parts.length > 1) return parts.flatMap(read);
      if (word.length < 4) return [forms];
      vocabulary ||= new Set(entries.flatMap(({ whole }) => words(whole)));
      return [[...vocabulary].filter((other) => near(word, other))];
    };
    return telling(query).flatMap(read);
  }

  // Let a section come before the top of its page where its heading names more of what is asked
  // for, and its text has as much of it: there the answer stands. The two change their scores. If
  // three words or more are asked for, and the heading names most of them, the section comes before
  // the tops of other pages and terms of the glossary, too.
  function leadWithSections(scored, shareOf, many) {
    const hits = scored.filter(({ score }) => score > 0);
    for (const entry of hits) {
      entry.shareInHeading = shareOf(({ forms }) => has(entry.head, forms));
      entry.shareInText = shareOf(({ forms }) => has(entry.own, forms));
    }
    const general = ({ at, kind }) => at === 0 || kind === "term";
    const best = hits.filter((entry) => !general(entry)).sort((one, two) => two.score - one.score);
    for (const top of hits.filter(general).sort((one, two) => one.score - two.score)) {
      const section = best.find(
        ({ page, shareInHeading, shareInText }) =>
          shareInHeading > top.shareInHeading &&
          shareInText >= top.shareInText &&
          (page === top.page ? top.at === 0 : many && shareInHeading >= 0.8),
      );
      if (!section || section.score >= top.score) continue;
      [top.score, section.score] = [section.score, top.score];
      best.sort((one, two) => two.score - one.score);
    }
  }

  // Return the places that a query finds, the best first: at most two of a page, and none with less
  // than a 25th of the best one's score.
  function rank(query) {
    entries ||= window.bookSearch.pages.flatMap((page) => {
      const known = page.words.map((one) => telling(one).join(" "));
      return page.sections.map(([anchor, heading, text, kind], at) => {
        const [name, head] = [page.title, heading].map(plain);
        const own = `${head} ${plain(text)}`;
        const whole = `${own} ${at ? "" : known.join(" ")}`;
        return { page, anchor, heading, text, kind, at, name, known, head, own, whole };
      });
    });
    const asked = wanted(query);
    if (!asked.flat().length) return [];
    const ofPage = ({ name, known }, forms) =>
      Math.min(1.5, has(name, forms) + Math.max(0, ...known.map((one) => has(one, forms))));
    // The rarer a word is in the book, and among the names of pages, the more it counts there; one
    // that is everywhere, as the name of the subject, counts for next to nothing.
    const rarity = (all) => Math.log(all.length / (0.5 + all.filter(Boolean).length)) ** 1.5;
    const terms = asked.map((forms) => {
      const met = entries.map(({ whole }) => times(whole, forms));
      const pages = entries.filter(({ at }) => !at).map((entry) => ofPage(entry, forms));
      const on = new Set(entries.filter((_, place) => met[place]).map(({ page }) => page));
      return { forms, met, on, rare: rarity(met), named: rarity(pages) };
    });
    const total = terms.reduce((sum, { rare }) => sum + rare, 0) || 1;
    const shareOf = (part) => terms.reduce((sum, term) => sum + term.rare * part(term), 0) / total;
    const asks = (phrase) => phrase.split(" ").every((word) => asked.flat().includes(word));
    const scored = entries.map((entry, place) => {
      const { page, at, known, head, kind } = entry;
      if (!terms.some(({ met }) => met[place])) return { ...entry, score: 0 };
      let score = 0;
      for (const { forms, met, rare, named } of terms) {
        score += rare * (2 * has(head, forms) + met[place] / (met[place] + 2));
        score += named * ofPage(entry, forms) * (at ? 0.25 : 1);
      }
      const reached = shareOf(({ met, on }) => (met[place] ? 1 : on.has(page) / 2));
      score *= (reached ** 1.5 * (page.number ? 1.25 : 1)) / total;
      // What is asked or defined there, and what the page is for, come first.
      score *= 1 + (kind ? 3 : 0.5) * shareOf(({ forms }) => has(head, forms)) ** 2;
      const meant = at ? [] : known.filter(asks);
      const most = Math.max(0, ...meant.map((one) => shareOf(({ forms }) => has(one, forms))));
      score += 6 * most ** 2;
      return { ...entry, score, asked };
    });
    leadWithSections(scored, shareOf, terms.length > 2);
    const shown = new Map();
    return scored
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score)
      .filter(({ page, score }, _, [best]) => {
        shown.set(page, (shown.get(page) || 0) + 1);
        return shown.get(page) <= 2 && score > best.score / 25;
      })
      .slice(0, MOST);
  }

  // The sentence that has most of what was looked for, there or elsewhere on the page, as [text,
  // whether it was]; else the question of the page.
  function excerpt({ page, text, kind, asked }) {
    const forms = asked
      .flat()
      .map((form) =>
        /^\d{5,}$/.test(form)
          ? form.replace(/\B(?=(\d{3})+$)/g, "[\\s\\u202f\\u00a0,]?")
          : form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"),
      );
    const letter = "(?!\\p{Script=Han})[\\p{L}\\p{N}]";
    const any = new RegExp(
      `(?:(?<!${letter})|(?=\\p{Script=Han}))(?:${forms.join("|")})(?:${letter}|_)*`,
      "giu",
    );
    // The other texts of a glossary are about other words.
    if (kind === "term" && !text.match(any)) return [[text.slice(0, 170), false]];
    const whole = page.sections.map((section) => section[2]).join(" ");
    const sentences =
      (text.match(any) ? text : whole).match(/[^]+?(?:[.?!](?=\s|$)|[。？！]|$)/g) || [];
    const met = (sentence) =>
      new Set((sentence.match(any) || []).map((word) => word.toLowerCase().slice(0, 4))).size;
    const best = sentences.reduce((one, other) => (met(other) > met(one) ? other : one), "").trim();
    if (!best) return [[page.question || text.slice(0, 170), false]];
    const first = Math.max(0, best.search(any));
    // Where a text may be cut: at the space before a place, or there if it has none nearby.
    const cut = (place) => {
      const space = best.lastIndexOf(" ", place);
      return space > place - 30 ? space + 1 : place;
    };
    const start = first > 90 ? cut(first - 60) : 0;
    const stop = best.length > start + 170 ? cut(start + 171) - 1 : best.length;
    const parts = [];
    let at = start;
    for (const found of best.matchAll(any)) {
      if (found.index < at || found.index >= stop) continue;
      parts.push([best.slice(at, found.index), false], [found[0], true]);
      at = found.index + found[0].length;
    }
    parts.push([best.slice(at, Math.max(at, stop)), false]);
    return [[start ? "…" : "", false], ...parts, [stop < best.length ? "…" : "", false]].filter(
      ([part]) => part,
    );
  }

  window.bookFinder = { rank, excerpt };
})();
