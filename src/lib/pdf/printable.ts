/**
 * Texts as a page can show them. A character that the font lacks becomes its code point, so that a name is never a row of boxes, and what stands
 * there still says which name it is. Characters that would turn a line around are shown the same way.
 */
import { showHidden } from '../names/visible-text.ts';

/** A text that can be shown. */
export interface Printable {
  readonly text: string;
  /** Characters that are shown as their code points. */
  readonly replaced: number;
}

/** Most code points of one run that are written out. */
const maxPoints = 12;

/** Controls, marks that turn the writing around, private and unassigned characters, halves of characters: never drawn, whatever the font has. */
const hidden = /^[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]$/u;
/** Characters without a look of their own, which only choose how others are drawn. */
const selectors = /\p{Variation_Selector}|\p{Join_Control}/gu;

/** The text with blanks for breaks and tabs, and code points for what `hasGlyph` refuses. */
export function printable(text: string, hasGlyph: (codePoint: number) => boolean): Printable {
  const clean = showHidden(text).normalize('NFC').replace(/\s+/gu, ' ').replace(selectors, '').trim();
  let shown = '';
  let replaced = 0;
  let run: string[] = [];
  const flush = (): void => {
    if (run.length > 0) {
      const points = run.slice(0, maxPoints).map((one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
      shown += `[${points.join(' ')}${run.length > maxPoints ? ` and ${run.length - maxPoints} more` : ''}]`;
      replaced += run.length;
      run = [];
    }
  };
  for (const one of clean) {
    if (hidden.test(one) || !hasGlyph(one.codePointAt(0) ?? 0)) {
      run.push(one);
    } else {
      flush();
      shown += one;
    }
  }
  flush();
  return { text: shown, replaced };
}

/** Characters of scripts that run from right to left. */
export const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** The words of a line from left to right as they are drawn: words of scripts that run from right to left, one after another, change places. */
function orderWords(words: readonly string[]): string[] {
  const ordered: string[] = [];
  let run: string[] = [];
  for (const word of words) {
    if (rightToLeft.test(word)) {
      run.unshift(word);
    } else {
      ordered.push(...run, word);
      run = [];
    }
  }
  return [...ordered, ...run];
}

/**
 * Breaks a text into lines no wider than `width`, between words, or within a word that is wider by itself. Behind `maxLines` lines the rest is
 * left out, and the last line ends in an ellipsis.
 */
export function breakLines(text: string, width: number, measure: (text: string) => number, maxLines = Number.POSITIVE_INFINITY): string[] {
  const lines: string[][] = [[]];
  let used = 0;
  const blank = measure(' ');
  const put = (word: string): void => {
    const size = measure(word);
    const line = lines.at(-1) as string[];
    if (line.length > 0 && used + blank + size > width) {
      lines.push([word]);
      used = size;
    } else {
      used += (line.length > 0 ? blank : 0) + size;
      line.push(word);
    }
  };
  for (const word of text.split(' ')) {
    for (const piece of splitWord(word, width, measure)) {
      put(piece);
    }
    if (lines.length > maxLines) {
      break;
    }
  }
  const kept = lines.slice(0, maxLines).map((words) => orderWords(words).join(' '));
  return lines.length > maxLines ? [...kept.slice(0, -1), endLine(kept.at(-1) ?? '', width, measure)] : kept;
}

function endLine(line: string, width: number, measure: (text: string) => number): string {
  let end = line;
  while (end !== '' && measure(`${end}…`) > width) {
    end = [...end].slice(0, -1).join('');
  }
  return `${end.trimEnd()}…`;
}

/** A word in pieces that fit, as few as there can be. */
function splitWord(word: string, width: number, measure: (text: string) => number): string[] {
  if (measure(word) <= width) {
    return [word];
  }
  const pieces: string[] = [];
  let piece = '';
  for (const one of word) {
    if (piece !== '' && measure(piece + one) > width) {
      pieces.push(piece);
      piece = '';
    }
    piece += one;
  }
  return [...pieces, piece];
}
