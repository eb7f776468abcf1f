/** Effect of the record of a review on its tasks: a delete ends them, new owners take them over. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAssignment, addTask } from '../../../../test/support/tasks.ts';
import { useTwoTenants, type TwoTenants } from '../../../../test/support/tenants.ts';
import { noReactions, silentLogger } from '../../../context.ts';
import { createRunner } from '../../../jobs/index.ts';
import { createReview } from './create.ts';
import { deleteReview } from './delete.ts';
import { jobKinds } from '../index.ts';
import { setOwners } from '../record/owners.ts';
import { updateReview } from '../record/store.ts';

describe('the tasks of a review', () => {
  let test: TwoTenants;
  beforeAll(async () => {
    test = await useTwoTenants();
  });
  afterAll(() => test.close());

  async function makeOpen(): Promise<{ id: string; taskIds: string[] }> {
    const { db } = test.ours.system;
    const tenantId = test.ours.tenant.id;
    const { id } = await createReview(test.ours.admin, { displayName: 'Running' }, [], '');
    await db.run(
      `INSERT INTO task_reviews (tenant_id, id, state, manager_ids, created_at, updated_at) VALUES ($1, $2, 'OPEN', $3, now(), now())`,
      [tenantId, id, [test.ours.adminId]],
    );
    const assignmentId = await addAssignment(db, tenantId, id, [test.ours.basicId]);
    const decided = { state: 'CLOSED', outcome: 'CERTIFIED', endReason: 'DECIDED', decidedById: test.ours.basicId };
    const taskIds = [
      await addTask(db, tenantId, { reviewId: id, assignmentId }),
      await addTask(db, tenantId, { reviewId: id, assignmentId, ...decided }),
    ];
    await updateReview(test.ours.system, id, { state: 'OPEN' });
    return { id, taskIds };
  }

  it('end as cancelled because of the delete, those decided stay decided', async () => {
    const { id, taskIds } = await makeOpen();
    await deleteReview(test.ours.admin, id, 'started by mistake');
    expect(await test.admin('SELECT state FROM task_reviews WHERE id = $1', [id])).toEqual([{ state: 'CANCELLED' }]);
    const runner = createRunner({
      database: test.database,
      handlers: jobKinds,
      log: silentLogger,
      react: noReactions,
      pollMs: 20,
      clock: () => new Date('2026-03-01T13:00:00Z'),
    });
    runner.start();
    await expect
      .poll(() => test.admin('SELECT state FROM jobs WHERE subject_id = $1', [id]), { timeout: 60_000 })
      .toEqual([{ state: 'DONE' }]);
    await runner.drain();
    expect(await test.admin('SELECT state, outcome, end_reason FROM tasks WHERE id = ANY ($1) ORDER BY id', [taskIds])).toEqual([
      { state: 'CLOSED', outcome: 'CANCELLED', end_reason: 'DELETED' },
      { state: 'CLOSED', outcome: 'CERTIFIED', end_reason: 'DECIDED' },
    ]);
  });

  it('are managed by the new owners, not by the old ones', async () => {
    const { id } = await makeOpen();
    await setOwners(test.ours.admin, id, [test.ours.basicId]);
    expect(await test.admin('SELECT manager_ids FROM task_reviews WHERE id = $1', [id])).toEqual([{ manager_ids: [test.ours.basicId] }]);
  });
});
