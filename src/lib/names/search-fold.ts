/** Folds text for a search. The console filters what it holds as the server finds it: SQL's search_fold does the same, and a test holds both together. */

/** The marks that search_fold drops: accents and what nobody sees. Marks of other scripts that carry sound stay. */
const dropped =
  /\u00AD|[\u0300-\u036F\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u064B-\u065F\u0670]|[\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20F0]|[\u200B-\u200D\u2060]|[\uFE00-\uFE0F]|[\uFE20-\uFE2F]|\uFEFF/gu;

/** Letters that no normal form takes apart. */
const plain: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
};

/** Returns what two spellings of a text have in common: without compatibility forms, accents and case. */
export function foldForSearch(text: string): string {
  // Most names are plain.
  return /^[\0-\x7f]*$/.test(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .replace(dropped, '')
        .toLowerCase()
        .replace(/[ßæœþøłđðħıς]/g, (letter) => plain[letter] ?? letter);
}

/** The words of a query, folded: a text is found where its fold has all of them. */
export function searchWords(query: string): string[] {
  return foldForSearch(query)
    .split(/\s+/)
    .filter((word) => word !== '');
}
