/** Reviews that stories of several screens are told in, and what the server has of them in the end. */
import { expect } from 'vitest';
import { tellQueueStory } from './queue-story.ts';
import type { TestServer } from './server.ts';
import { itemsInStory } from './tab-acts.ts';
import { until } from './until.ts';

/** The review of a story, with its tasks. */
export interface StoryReview {
  readonly id: string;
  readonly taskIds: readonly string[];
}

/** What is known of a decision: its mark, as screens name it, and its comment. */
export interface Word {
  readonly mark: string;
  readonly comment: string;
}

/** Reviews of the same items, made as they are wanted: one is always ready. */
export interface StoryReviews {
  readonly userId: string;
  next(): Promise<StoryReview>;
}

/** Imports the items, and makes the first review. */
export async function openReviews(server: TestServer, name: string): Promise<StoryReviews> {
  const story = await tellQueueStory(server, { items: itemsInStory, name });
  const { accessReview } = (await story.call('GET', `/api/v1/access_review/${story.reviewId}`)).accessReview;
  const { policy } = await story.call('POST', '/api/v1/policies', {
    displayName: `Asks for a reason, ${name}`,
    policyType: 'POLICY_TYPE_CERTIFY',
    policySteps: { certify: { steps: [{ approval: { users: { userIds: [story.elif] }, requireDenialReason: true } }] } },
  });
  const { db, tenantId } = server.system();
  const path = '/api/v1/access_review';
  const makeOne = async () => {
    const made = await story.call('POST', path, { displayName: name, policyId: policy.id });
    const id = made.accessReview.accessReview.id as string;
    const { singleApp, completionDate } = accessReview;
    await story.call('POST', `${path}/${id}`, { accessReview: { singleApp, completionDate, policyId: policy.id } });
    for (const [action, state] of [
      ['prepare', 'REVIEW'],
      ['start', 'OPEN'],
    ] as const) {
      await story.call('POST', `${path}/${id}/action/${action}`, {});
      await until(async () => {
        const { accessReview: now } = (await story.call('GET', `${path}/${id}`)).accessReview;
        expect(now.state).toBe(`ACCESS_REVIEW_STATE_${state}`);
      });
    }
    const rows = await db.rows<{ id: string }>('SELECT t.id FROM tasks t WHERE t.tenant_id = $1 AND t.review_id = $2 ORDER BY t.id', [
      tenantId,
      id,
    ]);
    return { id, taskIds: rows.map((row) => row.id) };
  };
  let ready = makeOne();
  return {
    userId: story.elif,
    next() {
      const one = ready;
      ready = one.then(makeOne, makeOne);
      ready.catch(() => undefined);
      return one;
    },
  };
}

/** What the server has of each task: what waits to be submitted, else what is recorded. */
export async function readServer(
  server: TestServer,
  reviewId: string,
): Promise<ReadonlyMap<string, Word & { readonly isRecorded: boolean }>> {
  const { db, tenantId } = server.system();
  const rows = await db.rows<{ id: string; outcome: string; said: string | null; staged: string | null; comment: string | null }>(
    `SELECT t.id, t.outcome, p.decision AS staged, p.comment,
       (SELECT a.comment FROM task_actions a WHERE a.tenant_id = t.tenant_id AND a.task_id = t.id AND a.kind IN ('APPROVED', 'DENIED', 'AMENDED')
        ORDER BY a.id DESC LIMIT 1) AS said
     FROM tasks t LEFT JOIN pending_decisions p ON p.tenant_id = t.tenant_id AND p.task_id = t.id
     WHERE t.tenant_id = $1 AND t.review_id = $2`,
    [tenantId, reviewId],
  );
  const markOf = (word: string): string => (/DEN|DECERT/.test(word) ? 'denied' : word === '' ? 'undecided' : 'certified');
  return new Map(
    rows.map(({ id, outcome, said, staged, comment }) => [
      id,
      { mark: markOf(staged ?? outcome), comment: (staged === null ? said : comment) ?? '', isRecorded: outcome !== '' },
    ]),
  );
}
