/** The words of a query as people write or paste it: what mail programs put around names is no part of what is looked for. */

/** Marks before and behind a word, as in `"Sample, Anna" <anna@corp.test>;`. */
const around = /^[<"(]+|[,;>")]+$/g;

/** Returns a query without such marks; a word of nothing else stays. Whatever has the whole query has these words, too. */
export function askedWords(query: string): string {
  return query
    .split(/\s+/)
    .map((word) => word.replace(around, '') || word)
    .join(' ');
}
