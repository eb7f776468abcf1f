/**
 * A company in which everything happened that the samples have: its event log holds, with every row that it vouches for. Some samples put rows in past
 * the service; the check names each of those, and nothing else.
 */
import { expect, it } from 'vitest';
import { checkLog, sealFirst } from '../../src/foundation/log-proofs/index.ts';
import { startWorld } from '../support/world-server.ts';

it('the log of a company with a bit of everything holds, but for what samples put in past the service', async () => {
  const { server, world } = await startWorld();
  const context = world.tenant.system();
  await sealFirst(context);
  const state = await checkLog(context, { outside: [] });
  // test/support/samples: tasks and submissions of my.ts, actions of reviewer-figures.ts, what came after the snapshot of review-arrivals.ts.
  const put = await context.db.rows<{ sentence: string }>(
    `SELECT 'Task ' || t.id || ': its outcome is not that of its actions.' AS sentence FROM tasks t
       WHERE t.tenant_id = $1 AND t.app_id = 'unknown' AND t.state = 'CLOSED'
     UNION ALL SELECT 'submissions ' || s.id || ': belongs to no event.' FROM submissions s
       WHERE s.tenant_id = $1 AND s.review_id IN (SELECT t.review_id FROM tasks t WHERE t.tenant_id = $1 AND t.app_id = 'unknown')
     UNION ALL SELECT 'task_actions ' || a.id || ': belongs to no event.' FROM task_actions a WHERE a.tenant_id = $1 AND a.id LIKE 'decision-%'
     UNION ALL SELECT 'review_arrivals ' || k.app_id || '/' || k.account_id || '/' || k.entitlement_id || ': belongs to no event.' FROM review_arrivals k
       WHERE k.tenant_id = $1 AND k.event_id = 'made'`,
    [context.tenantId],
  );
  expect(state.sentences.toSorted()).toEqual(put.map(({ sentence }) => sentence).toSorted());
  expect(state).toMatchObject({ uncoded: 0, unjudged: 0 });
  expect(state.rows).toBeGreaterThan(20);
  await server.stop();
}, 600_000);
