/** A closed review of the world, for tests of what an auditor reads: the item of the account a03 was denied, that of a04 certified, and the rest skipped. */
import { expect } from 'vitest';
import type { Loose } from './api.ts';
import type { TestServer } from './server.ts';
import { until } from './until.ts';
import { adminOf, type World } from './world.ts';

/** Runs a review to its end, with its removal asked for; returns its id and that of the item that was denied. */
export async function makeClosedReview(server: TestServer, world: World): Promise<{ id: string; denied: string }> {
  const admin = adminOf(server);
  const id = await world.openReview();
  const { list } = await admin('POST', '/api/v1/search/tasks', { accessReviewIds: [id], pageSize: 100 });
  const idOf = (account: string): string => list.find(({ task }: Loose) => JSON.stringify(task).includes(`"${account}"`)).task.id;
  const denied = idOf('a03');
  const decisions = [
    { taskId: denied, decision: 'REVIEW_DECISION_DENY', comment: 'Left the team.' },
    { taskId: idOf('a04'), decision: 'REVIEW_DECISION_CERTIFY' },
  ];
  await admin('POST', `/api/v1/access_review/${id}/submissions`, { decisions });
  await admin('POST', `/api/v1/access_review/${id}/action/close`, { decision: 'CLOSE_DECISION_SKIP' });
  await world.until(id, 'CLOSED');
  // Removals are let go by a job of their own, behind the closing.
  await until(async () => {
    const { removal } = await admin('GET', `/api/v1/access_review/${id}/items/${denied}/walkthrough`);
    expect(removal.state).not.toBe('REVOCATION_STATE_HELD');
  });
  return { id, denied };
}
