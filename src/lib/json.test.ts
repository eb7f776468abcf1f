/** JSON of any shape read as an object, a list, a list of texts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asList, asObject, asTexts, isJsonObject } from './json.ts';

describe('JSON of any shape', () => {
  it.each([
    ['an object', { a: 1 }, { a: 1 }, [], []],
    ['an empty object', {}, {}, [], []],
    ['a list', ['a', 1, null, ['b'], 'c'], {}, ['a', 1, null, ['b'], 'c'], ['a', 'c']],
    ['null', null, {}, [], []],
    ['nothing', undefined, {}, [], []],
    ['a text', 'a', {}, [], []],
    ['a number', 0, {}, [], []],
    ['a truth value', true, {}, [], []],
  ])('%s', (_name, value, object, list, texts) => {
    expect([asObject(value), asList(value), asTexts(value)]).toEqual([object, list, texts]);
  });

  it('is what it was where it is of the wanted kind, and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(isJsonObject(value)).toBe(Object.prototype.toString.call(value) === '[object Object]');
        expect(asObject(value) === value).toBe(isJsonObject(value));
        expect(asList(value) === value).toBe(Array.isArray(value));
        expect(asTexts(value).every((text) => asList(value).includes(text))).toBe(true);
      }),
    );
  });
});
