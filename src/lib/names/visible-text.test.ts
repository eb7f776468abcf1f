/** Characters that make a text look like something else are found, and marked where they are printed. */
import { expect, it } from 'vitest';
import { hasHiddenControl, quoteName, showHidden, showUnseen, toVisible, toVisibleJson } from './visible-text.ts';

it.each(['a\nb', 'a\rb', 'a\u001b[2Jb', 'a\u202Eb', 'a\u2066b', 'a\u2028b', 'a\u0085b'])('%j is marked', (text) => {
  expect([hasHiddenControl(text), hasHiddenControl(toVisible(text))]).toEqual([true, false]);
});

it.each(['Zo\u00eb', '\u05e9\u05dc\u05d5\u05dd', 'a\u200db', 'caf\u00e9 & co'])('%j stays', (text) => {
  expect([hasHiddenControl(text), toVisible(text)]).toEqual([false, text]);
});

it('lines of our own stay lines', () => {
  expect(toVisible('a\tb\nc\r\u202E', true)).toBe('a\tb\nc\uFFFD\uFFFD');
});

it('JSON has none of them, and says the same', () => {
  const value = { name: 'a\u009b2J\u202eb\u2028\u007f\u2066\n' };
  expect(hasHiddenControl(toVisibleJson(value))).toBe(false);
  expect(JSON.parse(toVisibleJson(value, 2))).toEqual(value);
});

it.each([
  ['a\u200bb\u00a0c', 'aU+200BbU+00A0c'],
  ['Zo\u00eb, Zoe\u0308', 'Zo\u00eb, Zoe\u0308'],
  ['one line\n  two', 'one line\n  two'],
])('a message with %j says %j', (text, shown) => {
  expect(showUnseen(text)).toBe(shown);
  expect(quoteName(text)).toBe(`"${shown.replace('\n', 'U+000A')}"`);
});

it.each([
  ['\u200b', 'U+200B'],
  ['\u3164', 'U+3164'],
  ['\u2800\u2800', 'U+2800U+2800'],
  ['\u202e\u2066', 'U+202EU+2066'],
  ['\u200d\ufe0f\u00a0', 'U+200DU+FE0FU+00A0'],
  ['\u200e'.repeat(9), `${'U+200E'.repeat(4)}…`],
  ['', ''],
  [' ', ' '],
  ['\u3164a', '\u3164a'],
])('%j is shown as %s: a name has something to be seen', (name, shown) => {
  expect(showHidden(name)).toBe(shown);
});

it('a name that is shown says what nobody sees in it, but not what belongs to how it is written', () => {
  expect(showHidden('t\u200bo\u2060m\ufeff \u00ad')).toBe('tU+200BoU+2060mU+FEFF U+00AD');
  const written = '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \ud83d\udc69\u200d\ud83d\udcbb \u2764\ufe0f B\u00fcro\u00a01';
  expect(showHidden(written)).toBe(written);
});
