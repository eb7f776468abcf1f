/** The one way to write a JSON value. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

it('is the same text for the same value, whatever the order of its members', () => {
  expect(canonicalJson({ b: [2, { d: 1, c: null }], a: 'x', e: undefined })).toBe('{"a":"x","b":[2,{"c":null,"d":1}]}');
  expect(canonicalJson(undefined)).toBe('null');
});

it('is JSON of the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.parse(JSON.stringify(value)) as unknown;
      expect(JSON.parse(canonicalJson(json))).toEqual(json);
    }),
  );
});
