/**
 * Line ends of a CSV text: LF, CRLF, and CR alone, as Excel saves "CSV (Macintosh)"; a file may mix them. Inside of quotes nothing is a line end, and
 * no other character is one anywhere.
 */

const lineFeed = 10;
const carriageReturn = 13;

/**
 * Counts the bytes up to the last line end of a piece, 0 where there is none. Neither LF nor CR is ever part of another character. CR counts only in a
 * piece without any LF, and not as its last byte, behind which an LF may come.
 */
export function findLastLine(piece: Buffer): number {
  const end = piece.lastIndexOf(lineFeed) + 1;
  return end > 0 || piece.length < 2 ? end : piece.lastIndexOf(carriageReturn, piece.length - 2) + 1;
}

/** A text of whole rows with LF in place of each CR that ends a line by itself; as it is where there is none, as nearly always. */
export function evenLineEnds(text: string): string {
  if (!text.includes('\r') || !/\r(?!\n)/.test(text)) {
    return text;
  }
  // Every second part lies inside of quotes: a row begins outside of them, and a quote within them stands twice.
  return text
    .split('"')
    .map((part, index) => (index % 2 === 0 ? part.replace(/\r\n?/g, '\n') : part))
    .join('"');
}

/** Counts the lines that end in some bytes. */
export function countLineEnds(bytes: Buffer): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at++) {
    count += bytes[at] === lineFeed || (bytes[at] === carriageReturn && bytes[at + 1] !== lineFeed) ? 1 : 0;
  }
  return count;
}
