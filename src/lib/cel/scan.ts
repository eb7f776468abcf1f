/**
 * Looks at a text before it is parsed: its size, how deep its brackets go and whether they and its texts are closed, which the parser does not say, and
 * comments, which it does not need to see.
 */
import { maxBracketDepth, maxTextBytes } from './limits.ts';

/** Fault of an expression, and its place: UTF-16 units from 0. */
export interface Fault {
  readonly at: number;
  readonly message: string;
}

const quoted = /[rRbB]{0,2}("""|'''|"|')/y;

const closingOf: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const openingOf: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** The text without comments, as long as before, or what is wrong with it. */
export function scan(text: string): string | Fault {
  if (Buffer.byteLength(text) > maxTextBytes) {
    return { at: 0, message: `the expression is longer than ${maxTextBytes} bytes; make it shorter` };
  }
  if (text.trim() === '') {
    return { at: 0, message: 'the expression is empty' };
  }
  const open: string[] = [];
  let clean = '';
  let at = 0;
  while (at < text.length) {
    quoted.lastIndex = at;
    const opening = quoted.exec(text);
    if (opening !== null && !/[0-9A-Za-z_]/.test(at > 0 ? text[at - 1]! : '')) {
      const end = endOfQuoted(text, at, opening[0], opening[1]!);
      if (end === undefined) {
        return { at, message: `the text that begins here is not closed: ${opening[1]} is missing` };
      }
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
      open.push(letter);
      if (open.length > maxBracketDepth) {
        return { at, message: `brackets are nested deeper than ${maxBracketDepth}` };
      }
    } else if (')]}'.includes(letter)) {
      if (open.pop() !== openingOf[letter]) {
        return { at, message: `"${letter}" is not expected here` };
      }
    }
    clean += letter;
    at++;
  }
  const unclosed = open.at(-1);
  return unclosed === undefined
    ? clean
    : { at: clean.trimEnd().length, message: `the expression ends too early: "${closingOf[unclosed]}" is missing` };
}

/** End of a quoted text, its closing quote included; undefined where it is not closed. */
function endOfQuoted(text: string, start: number, opening: string, quote: string): number | undefined {
  const isRaw = /[rR]/.test(opening);
  let at = start + opening.length;
  while (at < text.length) {
    if (!isRaw && text[at] === '\\') {
      at += 2;
    } else if (text.startsWith(quote, at)) {
      return at + quote.length;
    } else if (quote.length === 1 && text[at] === '\n') {
      return undefined;
    } else {
      at++;
    }
  }
  return undefined;
}
