/** Steps in sentences: no option of a policy is hidden. */
import { beforeAll, describe, expect, it } from 'vitest';
import { loadLanguage } from '~/text/text.ts';
import { approverParts, type Step } from '~/screens/policies/types.ts';
import { stepSentences } from './sentences.ts';
import { spanWords } from './spans.ts';

beforeAll(async () => {
  // There is no page here whose language could be set.
  (globalThis as { document?: unknown }).document ??= { documentElement: {} };
  await loadLanguage(['en']);
});

const names = {
  people: new Map([
    ['a', 'Ann'],
    ['b', 'Bob'],
  ]),
  entitlements: new Map([['e', 'Auditors']]),
  policies: new Map([['p', 'Strict']]),
  isRemoval: false,
};
const say = (step: Step): string[] => stepSentences(step, approverParts(step.approval ?? {}), names);

describe('a step in sentences', () => {
  it('says every option of an approval', () => {
    const said = say({
      approval: {
        manager: {
          fallback: true,
          fallbackUserIds: ['a'],
          isGroupFallbackEnabled: true,
          fallbackGroupIds: [{ appId: 'x', appEntitlementId: 'e' }],
          allowSelfApproval: true,
          requireDistinctApprovers: true,
        },
        requireApprovalReason: true,
        requireDenialReason: true,
        allowReassignment: true,
        allowedReassignees: ['b'],
        requireReassignmentReason: true,
        allowDelegation: true,
        escalationEnabled: true,
        escalation: { expiration: '259200', reassignToApprovers: { approverIds: ['a', 'b'] }, escalationComment: 'Late' },
      },
    });
    expect(said).toEqual([
      'Where nobody is found: Holders of Auditors; Ann.',
      'People may review their own access.',
      'Nobody is asked who approved an earlier step.',
      'Certifying needs a reason.',
      'Denying needs a reason.',
      'Whoever stands in for somebody may decide.',
      'May be reassigned to Bob. That needs a reason.',
      'After 3 days without an answer these are asked: Ann, Bob.',
      'Comment: Late',
    ]);
  });

  it('says what is not allowed, too', () => {
    expect(say({ approval: { appOwners: {} } })).toEqual([
      'Nobody may stand in: items of people who are out of office wait.',
      'Is not reassigned by those who are asked.',
    ]);
  });

  it.each([
    [{ skipStep: {} }, 'After 2 hours without an answer the step is passed over.'],
    [{ cancelTicket: {} }, 'After 2 hours without an answer the item ends undecided.'],
    [{ replacePolicy: { policyId: 'p' } }, 'After 2 hours without an answer the policy “Strict” takes over.'],
  ])('says what happens when nobody answers: %j', (what, sentence) => {
    expect(say({ approval: { manager: {}, escalationEnabled: true, escalation: { expiration: '7200', ...what } } })).toContain(sentence);
  });

  it('says what a wait waits for', () => {
    expect(say({ wait: { duration: { duration: '86400s' } } })).toEqual(['Goes on after 1 day.']);
    expect(say({ wait: { untilTime: { hours: 9, timezone: 'Europe/Berlin' }, commentOnFirstWait: 'Tomorrow' } })).toEqual([
      'Goes on at 09:00, time zone: Europe/Berlin.',
      'Comment: Tomorrow',
    ]);
  });

  it('shows the message of a decision that nobody makes', () => {
    expect(say({ accept: { acceptMessage: 'Machines' } })).toEqual(['Machines']);
    expect(say({ reject: {} })).toEqual([]);
  });
});

describe('a span', () => {
  it.each([
    [60, '1 minute'],
    [5_400, '90 minutes'],
    [172_800, '2 days'],
  ])('of %i seconds is said in the largest unit that divides it', (seconds, words) => {
    expect(spanWords(seconds)).toBe(words);
  });
});
