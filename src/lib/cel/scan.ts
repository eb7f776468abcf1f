/** Looks at a text before it is parsed: its size, how deep its brackets go, and comments, which the parser does not need to see. */
import { maxBracketDepth, maxTextBytes } from './limits.ts';

/** What is wrong with an expression, and where: UTF-16 units from 0. */
export interface Fault {
  readonly at: number;
  readonly message: string;
}

const quoted = /[rRbB]{0,2}("""|'''|"|')/y;

/** The text without comments, as long as before, or what is wrong with it. */
export function scan(text: string): string | Fault {
  if (Buffer.byteLength(text) > maxTextBytes) {
    return { at: 0, message: `the expression is longer than ${maxTextBytes} bytes; make it shorter` };
  }
  if (text.trim() === '') {
    return { at: 0, message: 'the expression is empty' };
  }
  let depth = 0;
  let clean = '';
  let at = 0;
  while (at < text.length) {
    quoted.lastIndex = at;
    const opening = quoted.exec(text);
    if (opening !== null && !/[0-9A-Za-z_]/.test(at > 0 ? text[at - 1]! : '')) {
      const end = endOfQuoted(text, at, opening[0], opening[1]!);
      clean += text.slice(at, end);
      at = end;
      continue;
    }
    const letter = text[at]!;
    if (letter === '/' && text[at + 1] === '/') {
      const end = text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at);
      clean += ' '.repeat(end - at);
      at = end;
      continue;
    }
    if ('([{'.includes(letter)) {
      depth++;
      if (depth > maxBracketDepth) {
        return { at, message: `brackets are nested deeper than ${maxBracketDepth}` };
      }
    } else if (')]}'.includes(letter)) {
      depth--;
    }
    clean += letter;
    at++;
  }
  return clean;
}

/** Where a quoted text ends, its closing quote included; the end of the whole where it is not closed. */
function endOfQuoted(text: string, start: number, opening: string, quote: string): number {
  const isRaw = /[rR]/.test(opening);
  let at = start + opening.length;
  while (at < text.length) {
    if (!isRaw && text[at] === '\\') {
      at += 2;
    } else if (text.startsWith(quote, at)) {
      return at + quote.length;
    } else if (quote.length === 1 && text[at] === '\n') {
      return at;
    } else {
      at++;
    }
  }
  return text.length;
}
