// Words of figures and questions in the reader's language. A page in another language than English
// has them ready, by the English ones (extensions/languages.py); a notebook has none, and is English.

const BOOK_WORDS = globalThis.bookWords ?? {};

// A text with its {names} replaced by their values.
const withValues = (text, values) =>
  text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));

export const _ = (text, values = {}) => withValues(BOOK_WORDS[text] ?? text, values);

// Words that depend on a count; other languages may have one form for all counts.
export const plural = (one, many, count, values = {}) =>
  withValues(BOOK_WORDS[one] ?? (count === 1 ? one : many), { count, ...values });

// Sentences as one text; no space stands after a full-width mark.
export const joined = (...sentences) =>
  sentences.join(" ").replace(/([\u3001-\u301f\uff01-\uff5e]) /g, "$1");
