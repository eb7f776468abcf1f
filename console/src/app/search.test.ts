/** Searches of addresses: every text is text, whatever it looks like, there and back. */
import fc from 'fast-check';
import { parse } from 'valibot';
import { describe, expect, it } from 'vitest';
import { changeSearch, day, digits, flag, oneWord, parseSearch, stringifySearch, word } from './search.ts';

const looksLikeMore = [
  '1000012',
  '007',
  '1e3',
  '-0',
  'true',
  'false',
  'null',
  '"x"',
  '"1000012"',
  '[1,2]',
  '{"a":1}',
  ' pay ',
  'a+b&c=d',
  '%41',
  '#',
  'é',
];

describe('a search', () => {
  it.each(looksLikeMore)('keeps %j as it is', (text) => {
    expect(parseSearch(`?q=${encodeURIComponent(text)}`)).toEqual({ q: text });
    expect(parseSearch(stringifySearch({ q: text }))).toEqual({ q: text });
    expect(parse(word, parseSearch(stringifySearch({ q: text }))['q'])).toBe(text);
  });

  it('keeps every text', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.string({ unit: 'grapheme' })), (search) => {
        expect(parseSearch(stringifySearch(search))).toEqual({ ...search });
      }),
    );
  });

  it('is as short as it can be', () => {
    expect(stringifySearch({})).toBe('');
    expect(stringifySearch({ q: undefined, gone: true, size: 25 })).toBe('?gone=true&size=25');
  });

  it('takes the last of several', () => {
    expect(parseSearch('?q=a&q=b')).toEqual({ q: 'b' });
  });

  it('changes in parts', () => {
    expect(changeSearch({ q: 'a', gone: undefined })({ q: 'b', gone: true, of: 'x' })).toEqual({ q: 'a', gone: undefined, of: 'x' });
  });
});

describe('a member', () => {
  it.each([
    [flag, 'true', true],
    [flag, true, true],
    [flag, 'false', undefined],
    [flag, '1', undefined],
    [digits, '90', '90'],
    // As links had it before.
    [digits, '"90"', '90'],
    [digits, 'ninety', undefined],
    [day, '2026-11-30', '2026-11-30'],
    [day, '2026-02-31', undefined],
    [word, '', undefined],
    [oneWord(['a', 'b']), 'b', 'b'],
    [oneWord(['a', 'b']), 'c', undefined],
  ])('is read where it is as it should be', (schema, given, read) => {
    expect(parse(schema, given)).toBe(read);
  });
});
