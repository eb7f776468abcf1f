/** Sight of the whole, and what a card leaves. */
import { describe, expect, it } from 'vitest';
import { type Actor, type RoleName, systemActor } from '../../context.ts';
import { asSeen, describeSights, seesAccountWhole, seesAppWhole, seesPersonWhole, seesPoliciesWhole } from './sight.ts';

const actor = (userId: string, ...roles: RoleName[]): Actor => ({
  ...systemActor('r'),
  kind: 'credential',
  userId,
  roles: new Set(roles),
});
const basic = actor('ann', 'BASIC_USER');
const administrators = [
  actor('a', 'BASIC_USER', 'SUPER_ADMINISTRATOR'),
  actor('a', 'CAMPAIGN_ADMINISTRATOR'),
  actor('a', 'READ_ONLY_ADMINISTRATOR'),
  systemActor('job'),
];
const sightOf = (who: Actor, ...ownedAppIds: string[]) => ({ actor: who, ownedAppIds: new Set(ownedAppIds) });

describe('sight', () => {
  it('of administrators is whole, of others their own', () => {
    expect(administrators.map((who) => seesPersonWhole(who, 'ben'))).toEqual([true, true, true, true]);
    expect(['ann', 'ben', ''].map((id) => seesPersonWhole(basic, id))).toEqual([true, false, false]);
    expect(seesPersonWhole(actor('', 'BASIC_USER'), '')).toBe(false);
    // A credential that is narrowed reads no inventory, whatever its owner does.
    expect(seesPersonWhole(actor('a', 'READ_ONLY_SYSTEM_LOGS'), 'ben')).toBe(false);
    expect(administrators.map(seesPoliciesWhole)).toEqual([true, true, true, true]);
    expect(seesPoliciesWhole(basic)).toBe(false);
  });
  it('of owners of an app is whole in it, and of an account for whom it belongs to', () => {
    expect(seesAppWhole(sightOf(basic, 'wiki'), 'wiki')).toBe(true);
    expect(seesAppWhole(sightOf(basic, 'wiki'), 'vault')).toBe(false);
    const accounts = [
      { appId: 'wiki', userId: 'ben' },
      { appId: 'vault', userId: 'ann' },
      { appId: 'vault', userId: 'ben' },
      { appId: 'vault', userId: null },
    ];
    expect(accounts.map((account) => seesAccountWhole(sightOf(basic, 'wiki'), account))).toEqual([true, true, false, false]);
    expect(seesAccountWhole(sightOf(actor('', 'BASIC_USER')), { appId: 'vault', userId: '' })).toBe(false);
  });
  it('leaves a card of the rest', () => {
    const person = {
      id: 'ben',
      displayName: 'Ben',
      email: 'b@x',
      jobTitle: 'Clerk',
      roleIds: ['r'],
      profile: { phone: '1' },
      employeeIds: ['7'],
    };
    expect(asSeen('person', true, person)).toEqual(person);
    expect(asSeen('person', false, person)).toEqual({ id: 'ben', displayName: 'Ben', email: 'b@x', jobTitle: 'Clerk' });
    expect(asSeen('policy', false, { id: 'p', displayName: 'P', policySteps: {} })).toEqual({ id: 'p', displayName: 'P' });
  });
  it('is told for every kind', () => {
    expect(describeSights().split('\n').length).toBe(8);
    expect(describeSights()).toContain(
      '| person | administrators and the person | `id`, `displayName`, `email`, `emails`, `department`, `jobTitle` |',
    );
  });
});
