/** The rule by itself: which changes of a scope narrow it. Every door that asks it is in test/api/narrow-scope.test.ts. */
import type { JsonObject } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import {
  isShorter,
  listWiderInReview,
  listWiderInTemplate,
  listWiderLists,
  mayExempt,
  refuseExempting,
  withoutExemption,
} from './narrow-scope.ts';
import type { ScopeEntry } from '../../snapshots/scope/store-scope-lists.ts';

const entry = (list: ScopeEntry['list'], objectId: string, reason = ''): ScopeEntry => ({
  ...{ list, kind: '', appId: '', objectId, entitlementId: '', accountId: '', roleResourceId: '', reason },
});

describe('a list that takes in', () => {
  it.each([
    [['a', 'b'], ['a'], true],
    [['a', 'b'], ['b', 'a'], true],
    [['a'], ['a', 'a'], true],
    [[], [], true],
    [['a'], [], false],
    [[], ['a'], false],
    [['a'], ['b'], false],
  ])('%j to %j: narrower %s', (before, after, expected) => {
    const of = (names: readonly string[]) => names.map((id) => ({ appId: 'x', id }));
    expect(isShorter(of(before), of(after))).toBe(expected);
  });
});

describe('the lists beside a scope', () => {
  it.each([
    ['MONITOR', ['a', 'b'], ['a'], []],
    ['RESOURCE', ['a'], [], ['resources']],
    ['SCOPE_ROLE', ['a'], ['a', 'b'], ['scopeRoles']],
    ['EXCLUSION', ['a'], ['b', 'a'], []],
    ['EXCLUSION', ['a', 'b'], ['a'], ['exclusions']],
    ['GRANT', [], ['a'], []],
    ['GRANT', ['a', 'b'], ['b'], []],
    ['GRANT', ['a'], [], ['grants']],
    ['GRANT', ['a'], ['b'], ['grants']],
    ['CHANGES_ONLY', [''], [], ['changesOnly']],
    ['CHANGES_ONLY', [], [''], ['changesOnly']],
  ] as const)('%s from %j to %j: wider %j', (list, before, after, expected) => {
    const of = (ids: readonly string[]) => ids.map((id) => entry(list, id));
    expect(listWiderLists(of(before), of(after))).toEqual(expected);
  });

  it('keep the reason of an exclusion', () => {
    expect(listWiderLists([entry('EXCLUSION', 'a', 'Left')], [entry('EXCLUSION', 'a', 'Gone')])).toEqual(['exclusions']);
  });
});

describe('the members of a scope', () => {
  it('stay as they are, but for what is left out', () => {
    const before: JsonObject = { scopeV2: { appAccess: {} }, exclusionScope: { appUserTypes: ['B'] }, displayName: 'One', policyId: 'p' };
    const wider = (change: object) => listWiderInReview(before, { ...before, ...change });
    expect(wider({ displayName: 'Two', policyId: 'q' })).toEqual([]);
    expect(wider({ exclusionScope: { appUserTypes: ['A', 'B'], appUserStatuses: ['C'] } })).toEqual([]);
    expect(wider({ exclusionScope: { appUserTypes: ['A'] } })).toEqual(['exclusionScope']);
    expect(wider({ exclusionScope: undefined, scopeV2: {}, bindings: {} })).toEqual(
      expect.arrayContaining(['exclusionScope', 'scopeV2', 'bindings']),
    );
    expect(listWiderInTemplate({ scope: { appAccess: {} } }, { multiApp: {} })).toEqual(['scope', 'multiApp']);
  });
});

describe('conflicts that a review exempts', () => {
  const on = { exemptCertifiedAccessConflicts: true };
  const actorWith = (...roles: string[]) => ({ kind: 'session', userId: 'u', roles: new Set(roles) }) as never;
  const refusals = (before: object, after: object, ...roles: string[]): string => {
    try {
      refuseExempting(actorWith(...roles), before, after, 'review.');
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('are switched on by those who exempt one by hand, and stay or go off by anybody', () => {
    expect([mayExempt(actorWith('SUPER_ADMINISTRATOR')), mayExempt(actorWith('CAMPAIGN_ADMINISTRATOR'))]).toEqual([true, false]);
    expect(refusals({}, on, 'SUPER_ADMINISTRATOR')).toBe('');
    expect(refusals({}, on, 'CAMPAIGN_ADMINISTRATOR')).toContain('review.exemptCertifiedAccessConflicts');
    expect([refusals(on, on, 'BASIC_USER'), refusals(on, {}, 'BASIC_USER')]).toEqual(['', '']);
  });

  it('are left out of a copy', () => {
    expect(withoutExemption({ ...on, displayName: 'Copy' })).toEqual({ displayName: 'Copy' });
  });
});
