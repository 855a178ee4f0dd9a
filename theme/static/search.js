// The search: a ranking over the sections of the book. A word is found by its beginning, in the
// singular or the plural, a Greek letter by its name too; a word that the book does not have is
// taken for the one that is a single slip away from it.

(() => {
  const GREEK = Object.fromEntries(
    "α alpha β beta γ gamma δ delta ε epsilon θ theta λ lambda μ mu π pi σ sigma φ phi ω omega"
      .split(" ")
      .map((part, at, all) => [part, all[at + 1]])
      .filter((_, at) => at % 2 === 0),
  );
  const COMMON = new Set(
    "a an and are as at be by can do does for how i in is it my of on or the to what why with".split(
      " ",
    ),
  );

  const plain = (text) =>
    text
      .toLowerCase()
      .normalize("NFKD")
      .replace(/[\u0300-\u036f]/g, "")
      .replace(/[α-ω]/g, (letter) => ` ${GREEK[letter] || letter} `)
      .replace(/√/g, " sqrt ")
      .replace(/(\d)[\s\u202f\u00a0,](?=\d{3}\b)/g, "$1");
  const words = (text) => plain(text).match(/[\p{L}\p{N}]+/gu) || [];

  // The book in words, made once.
  function read(book) {
    const pages = book.map((page) => {
      const title = words(page.title);
      const phrases = page.words.map(words);
      const sections = page.sections.map(([anchor, heading, text]) => ({
        anchor,
        heading,
        text,
        inHeading: words(heading),
        inText: words(text),
      }));
      const asked = words(page.question);
      const all = [title, asked, ...phrases, ...sections.flatMap((s) => [s.inHeading, s.inText])];
      return { page, title, phrases, asked, sections, all: new Set(all.flat()) };
    });
    return { pages, vocabulary: new Set(pages.flatMap(({ all }) => [...all])) };
  }

  // Whether one slip of the fingers makes the one word of the other: a letter too many, missing,
  // wrong, or two in each other's place.
  function near(one, other) {
    if (Math.abs(one.length - other.length) > 1 || one === other) return one === other;
    let at = 0;
    while (one[at] === other[at]) at += 1;
    const [rest, its] = [one.slice(at), other.slice(at)];
    return (
      rest.slice(1) === its.slice(1) ||
      rest.slice(1) === its ||
      rest === its.slice(1) ||
      (rest[0] === its[1] && rest[1] === its[0] && rest.slice(2) === its.slice(2))
    );
  }

  // The beginnings that are as good as the word that was typed.
  function readings(word, vocabulary) {
    const forms = [word];
    if (word.length > 3 && word.endsWith("s")) forms.push(word.slice(0, -1));
    const known = [...vocabulary];
    if (word.length < 4 || known.some((other) => forms.some((form) => other.startsWith(form)))) {
      return forms;
    }
    return known.filter((other) => near(word, other));
  }

  // How much a list of words says of one that is looked for: a whole word counts twice a beginning.
  const times = (list, forms) =>
    list.reduce(
      (sum, other) =>
        sum + (forms.includes(other) ? 1 : forms.some((form) => other.startsWith(form)) ? 0.5 : 0),
      0,
    );

  let index = null;

  function rank(book, query) {
    index ||= read(book);
    const typed = words(query);
    const telling = typed.filter((word) => !COMMON.has(word));
    const wanted = (telling.length ? telling : typed).map((word) =>
      readings(word, index.vocabulary),
    );
    if (!wanted.length || wanted.every((forms) => !forms.length)) return [];
    const has = (list, forms) => times(list, forms) > 0;
    const counts = index.pages.map(
      ({ all }) => wanted.filter((forms) => has([...all], forms)).length,
    );
    const most = Math.max(...counts);
    if (!most) return [];
    const meant = wanted.map((forms) => forms[0]).join();
    const found = [];
    index.pages.forEach(({ page, title, phrases, asked, sections }, place) => {
      if (counts[place] < most) return;
      const known = phrases.flat();
      const said = phrases.some((phrase) =>
        [typed.join(), meant].includes(phrase.filter((w) => !COMMON.has(w)).join()),
      );
      const worth = wanted.reduce(
        (sum, forms) =>
          sum +
          14 * Math.min(1, times(title, forms)) +
          12 * Math.min(1, times(known, forms)) +
          4 * Math.min(1, times(asked, forms)),
        said ? 60 : 0,
      );
      sections.forEach(({ anchor, heading, text, inHeading, inText }, at) => {
        let score = 0;
        let met = 0;
        for (const forms of wanted) {
          const headed = Math.min(1, times(inHeading, forms));
          const often = times(inText, forms);
          if (headed || often) met += 1;
          score += 9 * headed + 2 * Math.log1p(often);
        }
        if (at && !met) return;
        score += worth * (at ? 0.6 : 1) + (met === wanted.length ? 6 : 0);
        if (plain(text).includes(plain(query).trim())) score += 5;
        found.push({ page, anchor, heading, text, score, wanted: wanted.flat() });
      });
    });
    return found.sort((one, other) => other.score - one.score).slice(0, 12);
  }

  // Words around the first that was looked for, as [text, whether it was]; else the page's question.
  function excerpt({ page, text, wanted }) {
    const runs = [...text.matchAll(/[\p{L}\p{N}]+/gu)];
    const met = (run) => words(run).some((word) => wanted.some((form) => word.startsWith(form)));
    const first = runs.find(([run]) => met(run));
    if (!first) return [[page.question || text.slice(0, 170), false]];
    // From the beginning of a word, and of the sentence where that is near.
    const before = text.slice(0, first.index);
    const sentence = Math.max(...[". ", "? ", "! "].map((end) => before.lastIndexOf(end))) + 2;
    let start = sentence > 1 ? sentence : 0;
    if (first.index - start > 100) start = runs.find((run) => run.index >= first.index - 60).index;
    let stop = start + 170;
    if (stop < text.length) stop = Math.max(first.index + 1, text.lastIndexOf(" ", stop));
    const piece = text.slice(start, stop);
    const cut = start && start !== sentence ? "…" : "";
    return [
      [cut, false],
      ...piece.split(/([\p{L}\p{N}]+)/u).map((part) => [part, part !== "" && met(part)]),
      [stop < text.length ? "…" : "", false],
    ].filter(([part]) => part);
  }

  window.bookFinder = { rank, excerpt };
})();
