/** The colours of the console can be read: every text on everything it may stand on, in both themes, has the contrast of WCAG 2.2 AA. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');

/** The colours of a theme by token. */
function readColours(theme: 'light' | 'dark'): Map<string, string> {
  const colours = new Map<string, string>();
  for (const [, name = '', light = '', dark = '', both = ''] of css.matchAll(
    /--([a-z0-9-]+): (?:light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)|(#[0-9a-f]{6}));/g,
  )) {
    colours.set(name, both !== '' ? both : theme === 'light' ? light : dark);
  }
  return colours;
}

/** The relative luminance of a colour, as WCAG defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const texts = ['ink', 'ink-2', 'ink-3', 'accent-text', 'ok', 'no', 'warn'];
const grounds = ['bg', 'surface', 'sunken', 'hover', 'sel', 'chip'];
/** Colours on a ground of their own alone. */
const pairs: (readonly [string, string])[] = [
  ['on-accent', 'accent'],
  ['ok', 'ok-soft'],
  ['no', 'no-soft'],
  ['warn', 'warn-soft'],
  ...['ok-soft', 'no-soft', 'warn-soft'].flatMap((ground) => ['ink', 'ink-2', 'accent-text'].map((text) => [text, ground] as const)),
  ['surface', 'ink'],
];

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  const colours = readColours(theme);
  const of = (one: string, other: string): number => contrast(colours.get(one) ?? '', colours.get(other) ?? '');

  it.each(texts.flatMap((text) => grounds.map((ground) => [text, ground] as const)))('%s can be read on %s', (text, ground) => {
    expect(of(text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(pairs)('%s can be read on %s', (text, ground) => {
    expect(of(text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(['ctl', 'accent', 'ok-fill', 'no-fill', 'warn-fill'])('%s can be seen on the sheet', (sign) => {
    expect(of(sign, 'surface')).toBeGreaterThanOrEqual(3);
  });
});

describe('the measure of contrast', () => {
  it('is that of WCAG: 21 between black and white, 1 between equals', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrast('#777777', '#777777')).toBe(1);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  });

  it('reads both themes of every colour that is written as one', () => {
    expect(readColours('light').get('surface')).toBe('#ffffff');
    expect(readColours('dark').get('surface')).toBe('#141518');
    expect(readColours('light').size).toBeGreaterThanOrEqual(25);
  });
});
