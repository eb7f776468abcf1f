/** Texts on pages: nothing is lost without a word, and no line is wider than its place. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { breakLines, printable } from './printable.ts';

/** A font of Latin, Greek, Hebrew and the ellipsis. */
const hasGlyph = (codePoint: number): boolean => codePoint < 0x600 || codePoint === 0x2026;

describe('a text that is shown', () => {
  it.each([
    ['Žluťoučký kůň', 'Žluťoučký kůň', 0],
    ['王伟 Wei', '[U+738B U+4F1F] Wei', 2],
    ['two\nlines\tand a tab', 'two lines and a tab', 0],
    ['a\u202egnp.exe', 'a[U+202E]gnp.exe', 1],
    ['half \ud83d', 'half [U+D83D]', 1],
    ['nul\u0000', 'nul[U+0000]', 1],
    ['e\u0301', 'é', 0],
    ['❤️', '[U+2764]', 1],
    ['\u200b\u2060', 'U+200BU+2060', 0],
    ['\u3164', 'U+3164', 0],
    ['\ufe0f', 'U+FE0F', 0],
    ['A\u200bnna', 'AU+200Bnna', 0],
    ['𠀀', '[U+20000]', 1],
    ['王'.repeat(15), `[${Array(12).fill('U+738B').join(' ')} and 3 more]`, 15],
  ])('%j is %j', (text, shown, replaced) => {
    expect(printable(text, hasGlyph)).toEqual({ text: shown, replaced });
  });

  it('holds nothing that the font lacks, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const shown = printable(text, hasGlyph);
        expect([...shown.text].every((one) => hasGlyph(one.codePointAt(0) ?? 0))).toBe(true);
      }),
    );
  });
});

describe('lines', () => {
  const measure = (text: string): number => [...text].length;

  it('are no wider than their place, and hold every character but blanks', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength: 80 }),
        fc.integer({ min: 2, max: 20 }),
        (text, width) => {
          const lines = breakLines(text, width, measure);
          expect(lines.every((line) => measure(line) <= width)).toBe(true);
          expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
        },
      ),
    );
  });

  it.each([
    ['one two three', 7, ['one two', 'three']],
    ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
    ['', 4, ['']],
  ])('of %j in %i', (text, width, lines) => {
    expect(breakLines(text, width, measure)).toEqual(lines);
  });

  it('end in an ellipsis where there are too many', () => {
    expect(breakLines('one two three four', 5, measure, 2)).toEqual(['one', 'two…']);
    expect(breakLines('one two', 5, measure, 2)).toEqual(['one', 'two']);
    expect(breakLines('aaaaaaaaaa', 5, measure, 1)).toEqual(['aaaa…']);
  });

  it('put words that run from right to left into the order in which they are read', () => {
    expect(breakLines('Name: שלום עולם end', 40, measure)).toEqual(['Name: עולם שלום end']);
  });
});
