/** Listing of the differences of a dry run. */
import { describe, expect, it } from 'vitest';
import { type Change, filterChanges, firstKind, groupChanges } from './group-changes.ts';

const row = (account: string, entitlement: string, change: Change['change'] = 'SYNC_CHANGE_REMOVED', person = ''): Change => ({
  change,
  account,
  person,
  resourceType: 'area',
  resource: 'Routes',
  entitlement,
});

describe('differences', () => {
  it('stand by what is held, the most first', () => {
    const groups = groupChanges([row('a', 'Read'), row('a', 'Plan'), row('b', 'Plan'), row('c', 'Edit')], 'Fleet');
    expect(groups.map(({ right, rows }) => [right, rows.map(({ account }) => account)])).toEqual([
      ['Routes · Plan', ['a', 'b']],
      ['Routes · Edit', ['c']],
      ['Routes · Read', ['a']],
    ]);
  });
  it('do not repeat the app where it is the resource', () => {
    expect(groupChanges([row('a', 'Read')], 'Routes').map(({ right }) => right)).toEqual(['Read']);
  });
  it('are of one kind, and have the text somewhere', () => {
    const rows = [row('a', 'Read'), row('b', 'Read', 'SYNC_CHANGE_REMOVED', 'Ada Sample'), row('c', 'Read', 'SYNC_CHANGE_ADDED')];
    const accounts = (filter: string) => filterChanges(rows, 'SYNC_CHANGE_REMOVED', filter).map(({ account }) => account);
    expect(accounts('')).toEqual(['a', 'b']);
    expect(accounts(' ADA ')).toEqual(['b']);
    expect(accounts('routes')).toEqual(['a', 'b']);
    expect(accounts('nothing')).toEqual([]);
  });
  it('begin with what is taken away', () => {
    expect(firstKind({ removed: '1', added: '5' })).toBe('SYNC_CHANGE_REMOVED');
    expect(firstKind({ added: '5', changed: '9' })).toBe('SYNC_CHANGE_ADDED');
    expect(firstKind({})).toBe('SYNC_CHANGE_CHANGED');
  });
});
