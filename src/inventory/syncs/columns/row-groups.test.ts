/** Digests of groups of rows: what makes them differ, what does not, and which groups do. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../../../test/support/runs.ts';
import { createRowGroups, groupNumber, makeDigestKey, spoilGroups } from './row-groups.ts';

const key = makeDigestKey();

type Row = readonly [string, string];

function groupsOf(rows: readonly Row[], of = key) {
  const groups = createRowGroups(of);
  for (const [account, text] of rows) {
    groups.add(groups.groupOf(account), `${account}\0${text}`);
  }
  return groups;
}

const digestsOf = (rows: readonly Row[], count = rows.length) => groupsOf(rows).digests(count);
const rowsOf = (texts: readonly string[]): Row[] => texts.map((text) => ['a', text]);

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '東', '\t', '\n', ' '), maxLength: 3 });
const rows = fc.array(fc.tuple(fc.constantFrom('ann', 'bob', 'cid', 'Ann', ''), word), { maxLength: 12 });

describe('the digests of groups', () => {
  it('are the same in every order, and differ in every group that has other rows, and in no other', () => {
    fc.assert(
      fc.property(rows, rows, fc.infiniteStream(fc.nat(11)), (some, others, places) => {
        const shuffled = [...some].sort(() => (places.next().value % 2 === 0 ? 1 : -1));
        expect(groupsOf(shuffled).compare(digestsOf(some)).isEmpty).toBe(true);
        const found = groupsOf(others).compare(digestsOf(some, 100_000));
        const said = (all: readonly Row[], account: string) =>
          JSON.stringify(
            all
              .filter((row) => row[0] === account)
              .map((row) => row[1])
              .sort(),
          );
        for (const account of ['ann', 'bob', 'cid', 'Ann', '']) {
          expect(found.has(groupNumber(account))).toBe(said(some, account) !== said(others, account));
        }
      }),
      { numRuns: tries(10, 200) },
    );
  });

  it('count how often a row stands there', () => {
    const differ = (some: readonly string[], others: readonly string[]) =>
      !groupsOf(rowsOf(some)).compare(digestsOf(rowsOf(others))).isEmpty;
    expect(differ(['x', 'x'], ['x'])).toBe(true);
    expect(differ(['x', 'x', 'y', 'y'], ['x', 'y'])).toBe(true);
    expect(differ(['x', 'x', 'x', 'y'], ['x', 'y', 'y', 'y'])).toBe(true);
    expect(differ([], [''])).toBe(true);
    expect(differ(['x', 'y'], ['y', 'x'])).toBe(false);
  });

  it('cannot be foreseen without their key', () => {
    const some: Row[] = [['ann', 'read']];
    expect(groupsOf(some, makeDigestKey()).compare(digestsOf(some)).isEmpty).toBe(false);
  });

  it('are as many as the rows need, and compared with as many as an earlier file had', () => {
    expect(digestsOf([], 1).length).toBe(16 * 16);
    expect(digestsOf([], 1000).length).toBe(16 * 256);
    expect(digestsOf([], 100_000_000).length).toBe(16 * 262_144);
    const names = Array.from({ length: 3000 }, (_, at): Row => [`account ${at}`, 'read']);
    for (const count of [1, 3000, 1_000_000]) {
      expect(groupsOf(names).compare(digestsOf(names, count))).toMatchObject({ isEmpty: true, share: 0 });
      const found = groupsOf(names.slice(1)).compare(digestsOf(names, count));
      expect(found.has(groupNumber('account 0'))).toBe(true);
      expect(found.share).toBeLessThan(0.1);
    }
  });

  it('spread keys that differ in a number alone', () => {
    const used = new Set(Array.from({ length: 10_000 }, (_, at) => groupNumber(`acct-${at}`)));
    expect(used.size).toBeGreaterThan(9500);
  });

  it('that were spoiled differ from every file, also one without rows', () => {
    const some: Row[] = [
      ['ann', 'read'],
      ['bob', 'read'],
    ];
    const digests = digestsOf(some, 1_000_000);
    spoilGroups(digests, [groupNumber('ann')]);
    for (const file of [some, []]) {
      const found = groupsOf(file).compare(digests);
      expect(found.has(groupNumber('ann'))).toBe(true);
      expect(found.has(groupNumber('bob'))).toBe(file.length === 0);
    }
    const few = digestsOf(some);
    spoilGroups(few, 'all');
    expect(groupsOf(some).compare(few).share).toBe(1);
  });
});
