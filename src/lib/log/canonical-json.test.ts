/** Canonical JSON against the vectors and a plain implementation of the same rules, and the order for comparison beside it. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectorJson } from '../../../test/support/evidence-vectors.ts';
import { CanonicalJsonError, canonicalJson, readCanonicalJson, sortedJson } from './canonical-json.ts';

const vectors = readVectorJson<{ accepted: { value: unknown; canonical: string; sha256: string }[]; refused: string[] }>(
  'canonical-json.json',
);

/** RFC 8785 again, character by character, to compare with. */
function naive(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(naive).join(',')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const units = (text: string) => [...Array(text.length).keys()].map((at) => text.charCodeAt(at).toString(16).padStart(4, '0')).join('');
    const members = Object.entries(value).sort(([a], [b]) => (units(a) < units(b) ? -1 : 1));
    return `{${members.map(([name, member]) => `${naive(name)}:${naive(member)}`).join(',')}}`;
  }
  if (typeof value !== 'string') {
    return String(value);
  }
  const short: Record<string, string> = { '"': '\\"', '\\': '\\\\', '\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r' };
  const escapeOne = (one: string) => (one < ' ' ? `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}` : one);
  return `"${[...value].map((one) => short[one] ?? escapeOne(one)).join('')}"`;
}

const text = fc.string({ unit: 'binary' });
const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value')),
    fc.dictionary(text, tie('value'), { maxKeys: 24 }),
  ),
}));

class Point {
  x = 1;
}
const circle: Record<string, unknown> = {};
circle['list'] = [{ back: circle }];
const nested = (levels: number): unknown => (levels === 0 ? 'deep' : [nested(levels - 1)]);
const nestedToLimit = nested(64);

describe('canonical JSON', () => {
  it.each(vectors.accepted)('of $canonical', ({ value, canonical, sha256 }) => {
    expect(canonicalJson(value)).toBe(canonical);
    expect(createHash('sha256').update(canonicalJson(value)).digest('hex')).toBe(sha256);
    expect(readCanonicalJson(canonical)).toEqual(value);
  });

  it.each(vectors.refused)('is never read from %s', (refused) => {
    expect(() => readCanonicalJson(refused)).toThrow(CanonicalJsonError);
  });

  it('is the same as a plain implementation writes, and JSON of the same value', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        // Without what only looks like JSON: objects without a prototype.
        const whole = JSON.parse(JSON.stringify(value)) as unknown;
        const written = canonicalJson(whole);
        expect(written).toBe(naive(whole));
        expect(JSON.parse(written)).toEqual(whole);
        expect(readCanonicalJson(written)).toEqual(whole);
      }),
      { numRuns: 1000 },
    );
  });

  it('sorts many names as it sorts few', () => {
    const names = [...Array(40).keys()].map((number) => `name ${(number * 7) % 40}`);
    const written = canonicalJson(Object.fromEntries(names.map((name) => [name, 1])));
    expect(Object.keys(JSON.parse(written) as object)).toEqual([...names].sort());
  });

  it('keeps a member called __proto__ and takes objects without a prototype', () => {
    expect(canonicalJson(JSON.parse('{"__proto__":{"a":1},"B":2}'))).toBe('{"B":2,"__proto__":{"a":1}}');
    expect(canonicalJson(Object.assign(Object.create(null), { a: 1 }))).toBe('{"a":1}');
  });

  it.each<[string, unknown, string]>([
    ['a fraction', { data: { rows: [{}, {}, { share: 0.5 }] } }, 'data.rows[2].share: 0.5 is not a whole number'],
    ['the value itself', 1.5, '1.5 is not a whole number'],
    ['NaN', { a: Number.NaN }, 'a: NaN is not a whole number'],
    ['infinity', [Number.POSITIVE_INFINITY], '[0]: Infinity is not a whole number'],
    ['too large a number', { a: -(2 ** 53) }, 'a: -9007199254740992 is beyond 2^53 - 1'],
    ['minus zero', { a: -0 }, 'a: minus zero has no sign in JSON'],
    ['a bigint', { a: 1n }, 'a: a bigint is not JSON'],
    ['undefined', { a: { b: undefined } }, 'a.b: undefined is not JSON'],
    ['a hole', new Array(1), '[0]: undefined is not JSON'],
    ['a function', { toJSON: () => 1 }, 'toJSON: a function is not JSON'],
    ['a symbol', [Symbol('x')], '[0]: a symbol is not JSON'],
    ['a date', { 'is at': new Date(0) }, '["is at"]: an instance of Date is not JSON'],
    ['an instance', [[new Point()]], '[0][0]: an instance of Point is not JSON'],
    ['bytes', { a: Buffer.of(1) }, 'a: an instance of Buffer is not JSON'],
    ['a map', new Map(), 'an instance of Map is not JSON'],
    ['half a pair', { a: ['\ud800x'] }, 'a[0]: a lone surrogate is not text'],
    ['half a pair in a name', { a: { '\udc00': 1 } }, 'a["\\udc00"]: a lone surrogate is not text'],
    ['a circle', { a: circle }, 'a.list[0].back: the value contains itself here'],
    ['too many levels', nested(65), `${'[0]'.repeat(64)}: it is nested more than 64 levels deep`],
  ])('refuses %s and says where', (_, value, message) => {
    expect(() => canonicalJson(value)).toThrow(expect.objectContaining({ name: 'CanonicalJsonError', message }));
  });

  it('takes 64 levels, and the same object twice where it is no circle', () => {
    expect(canonicalJson(nestedToLimit)).toBe(`${'['.repeat(64)}"deep"${']'.repeat(64)}`);
    const twice = { a: 1 };
    expect(canonicalJson([twice, twice])).toBe('[{"a":1},{"a":1}]');
  });

  it.each(['{"b":1,"a":2}', '{"a": 1}', '"\\u0041"', '1.0', '1e2', '[1]\n', '"\\/"', '\ufeff1'])('is not read from %j', (odd) => {
    expect(() => readCanonicalJson(odd)).toThrow(/canonical form|JSON/);
  });
});

describe('sorted JSON', () => {
  it('is the same text for the same value, whatever the order of its members', () => {
    expect(sortedJson({ b: [2, { d: 0.5, c: null }], a: 'x', e: undefined })).toBe('{"a":"x","b":[2,{"c":null,"d":0.5}]}');
    expect(sortedJson(undefined)).toBe('null');
  });

  it('is JSON of the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.parse(JSON.stringify(value)) as unknown;
        expect(JSON.parse(sortedJson(json))).toEqual(json);
      }),
    );
  });
});
