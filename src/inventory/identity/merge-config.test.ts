/** Merge configurations that are understood, and their meaning. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAppError } from '../../errors.ts';
import { readMatchCases } from './merge-config.ts';

const read = (...cases: [string, string][]) =>
  readMatchCases(
    cases.map(([appUserKeyCel, userKeyCel]) => ({ appUserKeyCel, userKeyCel })),
    'cases',
  );

function violationsOf(...cases: [string, string][]): { field: string; description: string }[] {
  try {
    read(...cases);
  } catch (error) {
    if (isAppError(error, 'INVALID_ARGUMENT')) {
      return [...(error.violations ?? [])];
    }
    throw error;
  }
  return [];
}

describe('match cases', () => {
  it.each([
    ['appUser.email', 'user.email', 'EMAIL'],
    ['app_user.emails[0]', 'user.emails', 'EMAIL'],
    [' appUser . employeeId ', 'user.employeeIds', 'EMPLOYEE_ID'],
    ['appUser.employee_ids[0]', 'user.employee_id', 'EMPLOYEE_ID'],
    ['appUser.username', 'user.usernames[0]', 'USERNAME'],
    ['APPUSER.USERNAME', 'USER.USERNAMES', 'USERNAME'],
  ])('%s and %s compare by %s', (ofAccount, ofPerson, rule) => {
    expect(read([ofAccount, ofPerson])).toEqual([rule]);
  });

  it('are asked in their order', () => {
    expect(read(['appUser.username', 'user.username'], ['appUser.email', 'user.email'])).toEqual(['USERNAME', 'EMAIL']);
    expect(read()).toEqual([]);
  });

  it.each([
    ['user.email', 'user.email', 'cases[0].appUserKeyCel'],
    ['appUser.email', 'appUser.email', 'cases[0].userKeyCel'],
    ['appUser.profile.number', 'user.email', 'cases[0].appUserKeyCel'],
    ['appUser.email', 'user.emails[1]', 'cases[0].userKeyCel'],
    ['appUser.email.lowerAscii()', 'user.email', 'cases[0].appUserKeyCel'],
    ['appUser.displayName', 'user.email', 'cases[0].appUserKeyCel'],
    ['', 'user.email', 'cases[0].appUserKeyCel'],
    ['appUser.email', 'user.username', 'cases[0]'],
  ])('%s and %s are refused at %s', (ofAccount, ofPerson, field) => {
    expect(violationsOf([ofAccount, ofPerson]).map((one) => one.field)).toEqual([field]);
  });

  it('are refused all at once, by name, with what is understood', () => {
    const violations = violationsOf(['true', 'user.x'], ['appUser.email', 'user.email'], ['appUser.emails', 'user.emails']);
    expect(violations.map((one) => one.field)).toEqual(['cases[0].appUserKeyCel', 'cases[0].userKeyCel', 'cases[2]']);
    expect(violations[0]?.description).toContain('"true"');
    expect(violations[0]?.description).toContain('appUser.email, appUser.employeeIds, appUser.usernames');
    expect(violations[1]?.description).toContain('user.email, user.employeeIds');
  });

  it('never break, whatever text they are', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.string()), { minLength: 1, maxLength: 4 }), (cases) => {
        // Random text is none of the few expressions that are understood.
        expect(violationsOf(...cases).length).toBe(cases.length * 2);
      }),
    );
  });
});
