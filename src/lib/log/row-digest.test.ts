/** Digests of rows, and which row is named where one does not hold. */
import { describe, expect, it } from 'vitest';
import { compareLines, digestLines, lineOf } from './row-digest.ts';

const lines = ['a', 'b', 'c'].map((id) => lineOf({ id, comment: 'é "x"' }));
const digest = digestLines(lines);

describe('a digest of rows', () => {
  it('counts, hashes and marks them', () => {
    expect(digest).toMatchObject({
      rows: 3,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      marks: expect.stringMatching(/^[0-9a-f]{12}$/),
    });
    expect(digestLines([])).toMatchObject({ rows: 0, marks: '' });
    expect(digestLines([...lines].reverse()).sha256).not.toBe(digest.sha256);
  });

  it('names what was changed, added and taken away', () => {
    const [a = '', b = '', c = ''] = lines;
    expect(compareLines([a, lineOf({ id: 'b' }), c], digest)).toEqual({ unknown: [1], gone: 1 });
    expect(compareLines([a, b, c, lineOf({ id: 'd' })], digest)).toEqual({ unknown: [3], gone: 0 });
    expect(compareLines([a, c], digest)).toEqual({ unknown: [], gone: 1 });
    expect(compareLines([a, a, b], digest)).toEqual({ unknown: [1], gone: 1 });
  });

  it('of very many has no marks, and says only how many are gone', () => {
    const many = Array.from({ length: 10_001 }, (_, n) => lineOf({ n }));
    const whole = digestLines(many);
    expect(whole.marks).toBe('');
    expect(compareLines(many.slice(1), whole)).toEqual({ unknown: [], gone: 1 });
  });
});
