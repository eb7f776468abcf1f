/** The outcome in words says all and nothing only where it is so. */
import { expect, it } from 'vitest';
import { describeOutcome } from './insights.ts';

const counts = {
  total: 1600,
  undecided: 0,
  certified: 0,
  revoked: 0,
  cancelled: 0,
  withoutOutcome: 0,
  byPeople: 0,
  deniedByPeople: 0,
  byPolicy: 0,
  carried: 0,
  skipped: 0,
};

it.each([
  [{ certified: 1599, revoked: 1 }, '1,599 certified (99 %), 1 revoked (<1 %)'],
  [{ certified: 1600, revoked: 0 }, '1,600 certified (100 %), 0 revoked (0 %)'],
])('%o is %s', (some, said) => {
  expect(describeOutcome({ ...counts, ...some }, { decision: 'SKIP', undecided: 0 })).toContain(said);
});

it('says relations in words, those alone that an auditor asks about', () => {
  const close = { decision: 'SKIP', undecided: 0 } as const;
  const said = describeOutcome(counts, close, [
    { relation: 'MANAGER', decisions: 9, approvals: 9 },
    { relation: 'SELF', decisions: 2, approvals: 1 },
    { relation: 'ISSUED_CREDENTIAL', decisions: 1, approvals: 1 },
  ]);
  expect(said).toContain('what they decided: 2 about their own access, 1 with a credential or a link that somebody else had issued.');
  expect(said).not.toMatch(/[A-Z]_[A-Z]/);
  expect(describeOutcome(counts, close, [{ relation: 'MANAGER', decisions: 9, approvals: 9 }])).not.toContain('Independence');
});
