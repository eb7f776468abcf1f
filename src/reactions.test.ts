/** The list of reactions held against the code: what is listened for is said by somebody, and what is called for is done by somebody. */
import { expect, it } from 'vitest';
import { openNotifications } from './outward/notifications/index.ts';
import { jobKinds as fetchJobs } from './inventory/fetches/index.ts';
import { jobKinds as conflictJobs } from './governance/conflicts/index.ts';
import { createJobKinds as createLogJobs } from './foundation/log-proofs/index.ts';
import { jobKinds as reportJobs } from './outward/reports/index.ts';
import { jobKinds as revocationJobs } from './governance/revocations/index.ts';
import { jobKinds as reviewJobs } from './governance/reviews/index.ts';
import { jobKinds as taskJobs } from './governance/tasks/index.ts';
import { jobKinds as templateJobs } from './governance/templates/index.ts';
import { allReactions } from './reactions.ts';

const kinds = [...new Set(allReactions.flatMap((reaction) => reaction.kinds))];

it('calls for nothing when a decision ends its task or somebody comments: one statement has no transaction to hold both', () => {
  const decided = { reviewId: 'r', outcome: 'CERTIFIED' };
  for (const [kind, data] of [
    ['task.approved', decided],
    ['task.denied', { ...decided, outcome: 'DECERTIFIED' }],
    ['task.commented', { reviewId: 'r' }],
  ] as const) {
    const called = allReactions
      .filter(({ kinds: of }) => of.includes(kind))
      .map(({ decide }) => decide({ kind, targetId: 'x', data }, { tenantId: 't' }));
    expect([kind, called.filter((one) => one !== undefined)]).toEqual([kind, []]);
  }
});

it('calls for jobs that there are', async () => {
  const { jobKinds: mailJobs } = await openNotifications(undefined, undefined);
  const logJobs = createLogJobs({ checkpointDir: undefined });
  const known = new Map([
    ...logJobs,
    ...fetchJobs,
    ...taskJobs,
    ...conflictJobs,
    ...revocationJobs,
    ...reviewJobs,
    ...reportJobs,
    ...templateJobs,
    ...mailJobs,
  ]);
  const called = allReactions.flatMap(({ kinds: of, decide }) =>
    of.flatMap((kind) => decide({ kind, targetId: 'x', data: { fields: ['completionDate'] } }, { tenantId: 't' })?.kind ?? []),
  );
  expect(called.length).toBeGreaterThan(kinds.length);
  expect([...new Set(called)].filter((kind) => !known.has(kind))).toEqual([]);
});
