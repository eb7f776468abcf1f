/** Checks of the members of a credential; everything that is wrong is reported at once, and nothing that is right. */
import { create } from '@bufbuild/protobuf';
import { DurationSchema } from '@bufbuild/protobuf/wkt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../errors.ts';
import { allRoles, ROLES } from '../../directory/roles.ts';
import { checkInput, type CredentialInput, findCidrProblems, principalRules, durationSeconds } from './check-input.ts';

const everyRole = allRoles.map((role) => role.id);
const good: CredentialInput = { displayName: 'Key', allowSourceCidr: [], scopedRoles: [] };

/** The fields that are complained of. */
function wrong(
  input: Partial<CredentialInput>,
  seconds?: number,
  rules?: typeof principalRules,
  held: readonly string[] = everyRole,
): string[] {
  try {
    checkInput({ ...good, ...input }, held, seconds, rules);
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).code).toBe('INVALID_ARGUMENT');
    return ((error as AppError).violations ?? []).map(({ field }) => field);
  }
  return [];
}

describe('the members of a credential', () => {
  it.each([
    [{}, []],
    [{ displayName: ' ' }, ['displayName']],
    [{ displayName: 'x'.repeat(256) }, []],
    [{ displayName: 'x'.repeat(257) }, ['displayName']],
    [{ allowSourceCidr: ['10.0.0.0/8', 'x', '2001:db8::/32', '10.0.0.0'] }, ['allowSourceCidr[1]', 'allowSourceCidr[3]']],
    [{ allowSourceCidr: Array(101).fill('10.0.0.0/8') }, ['allowSourceCidr']],
    [{ scopedRoles: [ROLES.BASIC_USER.id, 'none'] }, ['scopedRoles[1]']],
    [{ scopedRoles: Array(101).fill(ROLES.BASIC_USER.id) }, ['scopedRoles']],
    [{ displayName: '', allowSourceCidr: ['x'], scopedRoles: ['y'] }, ['displayName', 'allowSourceCidr[0]', 'scopedRoles[0]']],
  ])('%j: %j', (input, fields) => {
    expect(wrong(input as Partial<CredentialInput>)).toEqual(fields);
  });

  it('cannot name a role that its owner does not hold', () => {
    fc.assert(
      fc.property(fc.subarray(everyRole), fc.subarray(everyRole), (held, scopedRoles) => {
        const missing = scopedRoles.flatMap((id, index) => (held.includes(id) ? [] : [`scopedRoles[${index}]`]));
        expect(wrong({ scopedRoles }, undefined, undefined, held)).toEqual(missing);
      }),
    );
  });

  it('complain of the same however long a list is, and never of more than a list may have', () => {
    const many = Array.from({ length: 5000 }, () => 'nonsense');
    const problems = findCidrProblems('f', many);
    expect(problems).toHaveLength(101);
    expect(problems[0]?.field).toBe('f');
    // An error lists a hundred at most.
    expect(wrong({ scopedRoles: many })).toHaveLength(100);
  });
});

describe('the life of a credential', () => {
  it.each([2_592_000, 7_776_000, undefined])('of a person may be %s', (seconds) => {
    expect(wrong({}, seconds)).toEqual([]);
  });

  it('of a person is nothing else, and of a program anything from a moment to a hundred years', () => {
    const seconds = fc.double({ min: -1e10, max: 1e10, noNaN: true });
    fc.assert(
      fc.property(seconds, (life) => {
        expect(wrong({}, life)).toEqual(life === 2_592_000 || life === 7_776_000 ? [] : ['expires']);
        expect(wrong({}, life, principalRules)).toEqual(life > 0 && life <= 3_155_760_000 ? [] : ['expires']);
      }),
    );
    expect(wrong({}, 0, principalRules)).toEqual(['expires']);
    expect(wrong({}, Number.NaN, principalRules)).toEqual(['expires']);
    expect(wrong({ allowSourceCidr: ['x'] }, 1, principalRules)).toEqual(['allowSourceCidrs[0]']);
  });

  it('is read from a duration, fractions and all', () => {
    expect(durationSeconds(undefined)).toBeUndefined();
    expect(durationSeconds(create(DurationSchema, { seconds: 2_592_000n }))).toBe(2_592_000);
    expect(durationSeconds(create(DurationSchema, { seconds: 1n, nanos: 500_000_000 }))).toBe(1.5);
    expect(wrong({}, durationSeconds(create(DurationSchema, { seconds: 2_592_000n, nanos: 1 })))).toEqual(['expires']);
  });
});
