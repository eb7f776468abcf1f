/** A change made to what somebody else left meanwhile. */
import { describe, expect, it } from 'vitest';
import { merge } from './change.ts';

describe('a change made to what stands now', () => {
  it.each([
    ['adds what both add', [1], [1, 2], [1, 3], [1, 3, 2]],
    ['adds nothing twice', [1], [1, 2], [1, 2], [1, 2]],
    ['takes away what both take away', [1, 2, 3], [2, 3], [1, 3], [3]],
    ['keeps the order of what stands', [1, 2], [2], [3, 1, 2], [3, 2]],
    ['fills a list that is gone', [], [1], undefined, [1]],
    ['leaves what it does not touch', 'a', 'a', 'b', 'b'],
    ['is what the later one wants of one value', 'a', 'b', 'c', 'b'],
  ])('%s', (_name, before, after, now, wanted) => {
    expect(merge(before, after, now)).toEqual(wanted);
  });

  it('goes member by member', () => {
    const before = { users: ['ann'], on: false, deep: { a: 1, b: 1 } };
    const after = { users: ['ann', 'bob'], on: false, deep: { a: 2, b: 1 } };
    const now = { users: ['cyn'], on: true, deep: { a: 1, b: 2 }, more: 'new' };
    expect(merge(before, after, now)).toEqual({ users: ['cyn', 'bob'], on: true, deep: { a: 2, b: 2 }, more: 'new' });
  });

  it('takes entries for the same by what is in them', () => {
    const [one, two, three] = [{ id: '1' }, { id: '2' }, { id: '3' }];
    expect(merge([one], [{ ...one }, two], [{ ...one }, three])).toEqual([one, three, two]);
  });
});
