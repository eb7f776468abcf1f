/** The whole rule of who may make, change and revoke which credentials: every reach, whose it is, and every act, one expectation each. */
import { describe, expect, it } from 'vitest';
import { actorOf } from '../../../../test/support/tenants.ts';
import { type Actor, systemActor } from '../../../context.ts';
import { type Act, type Caller, isPermitted, permittedActs, type Reach, requirePermitted, type Whose } from './permit.ts';

/** Expectation, written out apart from the rule: `m` makes, `c` changes, `r` revokes. */
const expected: Readonly<Record<Reach, Readonly<Record<Whose, string>>>> = {
  system: { itself: '', own: '', others: 'mcr' },
  administrator: { itself: 'cr', own: 'mcr', others: 'mcr' },
  owner: { itself: 'cr', own: 'mcr', others: '' },
  narrowed: { itself: 'cr', own: 'm', others: '' },
  issued: { itself: 'cr', own: '', others: '' },
};
const letters: Readonly<Record<Act, string>> = { make: 'm', change: 'c', revoke: 'r' };
const targets: Readonly<Record<Whose, readonly [userId: string, credentialId?: string]>> = {
  itself: ['me', 'through'],
  own: ['me', 'other'],
  others: ['somebody', 'theirs'],
};

const cases = (Object.keys(expected) as Reach[]).flatMap((reach) =>
  (Object.keys(targets) as Whose[]).flatMap((whose) => (Object.keys(letters) as Act[]).map((act) => [reach, act, whose] as const)),
);

describe('the rule on credentials', () => {
  it.each(cases)('%s: %s, %s', (reach, act, whose) => {
    const user = actorOf('me', [], { credentialId: 'through' });
    const actor: Actor = reach === 'system' ? { ...systemActor('r'), userId: 'me', credentialId: 'through' } : user;
    const caller: Caller = { actor, reach, bounds: { scopedRoles: [], allowSourceCidr: [], expiresAt: null } };
    const isExpected = expected[reach][whose].includes(letters[act]);
    expect(isPermitted(caller, act, ...targets[whose])).toBe(isExpected);
    const ask = () => requirePermitted(caller, act, ...targets[whose]);
    if (isExpected) {
      expect(ask).not.toThrow();
    } else {
      expect(ask).toThrow(expect.objectContaining({ code: 'PERMISSION_DENIED' }));
    }
  });

  it('has an answer for everything that is asked here, and nothing else', () => {
    expect(cases).toHaveLength(45);
    expect(Object.keys(permittedActs).sort()).toEqual(Object.keys(expected).sort());
    expect(Object.values(permittedActs).flatMap((row) => Object.keys(row))).toHaveLength(15);
  });
});
