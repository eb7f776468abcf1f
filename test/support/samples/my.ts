/** Sample requests of the operations about what concerns whoever calls. */
import { addAssignment, addTask, addTasksOf } from '../tasks.ts';
import type { World } from '../world.ts';
import type { SampleFile } from './sample.ts';

/** A person whose department changed thirteen times. */
async function makeFacts({ tenant, userId }: World): Promise<{ path: Record<string, string> }> {
  await tenant.system().db.run(
    `INSERT INTO user_changes (tenant_id, user_id, changed_at, source, facts)
     SELECT $1, $2, $3::timestamptz + n * interval '1 hour', '', jsonb_build_object('department', jsonb_build_array('D' || n, 'D' || n + 1))
     FROM generate_series(1, 13) AS n ON CONFLICT DO NOTHING`,
    [tenant.id, userId, '2024-01-01T00:00:00Z'],
  );
  return { path: { user_id: userId } };
}

/** By the name of the operation. */
export const samples: SampleFile['samples'] = {
  'MyReviewService.list': () => ({}),
  'MyOutcomeService.list': () => ({}),
  'MyOutcomeService.listRemovals': () => ({}),
  'MyOutcomeService.listCertifiedUntil': () => ({}),
  'MySubmissionService.list': () => ({}),
  'PreferenceService.get': () => ({}),
  'PreferenceService.set': () => ({
    fields: { preferences: { theme: 'THEME_DARK', language: 'de', timeZone: 'Europe/Berlin', keys: { certify: 'a' } } },
  }),
  'MyDelegationService.get': () => ({}),
  // The delegate of the reviewer stays.
  'MyDelegationService.set': (world, person) => ({
    fields: { delegatedUserId: (person.id === world.assignee.id ? world.delegate : undefined)?.id ?? world.logReader.id },
  }),
  'MyDelegateService.search': () => ({ fields: { query: 'person' } }),
  'ReviewChangeService.list': (world) => ({ path: { access_review_id: world.openId }, fields: { since: Date.now().toString(36) } }),
  'PersonGrantService.list': (world) => ({ path: { user_id: world.userId } }),
  'PersonFactService.list': makeFacts,
  'PersonWordsService.list': (world) => ({ fields: { refs: [{ userId: world.userId, at: '2026-01-01T00:00:00Z' }] } }),
  'PersonWordsService.listFormerAddresses': (world) => ({ path: { user_id: world.userId } }),
  'PersonWordsService.listFormer': (world) => ({ path: { user_id: world.userId } }),
  'ReviewSearchService.search': () => ({}),
  'SearchAllService.searchAll': () => ({ fields: { query: 'person' } }),
};

/** Eleven running reviews that ask the administrator, denied access in each and certified some until a date, so that lists have more than one page. */
export async function fill(world: World): Promise<void> {
  const { db, tenantId, now } = world.tenant.system();
  const { id } = world.tenant.admin;
  for (let count = 0; count < 11; count++) {
    const reviewId = await addTasksOf(db, tenantId);
    const assignmentId = await addAssignment(db, tenantId, reviewId, [id]);
    await addTask(db, tenantId, { reviewId, assignmentId, appId: 'unknown', isHeld: false });
    const [denied, certified] = [
      await addTask(db, tenantId, { reviewId, assignmentId, appId: 'unknown', isHeld: false }),
      await addTask(db, tenantId, { reviewId, assignmentId, appId: 'unknown' }),
    ];
    await db.run(
      `UPDATE tasks SET state = 'CLOSED', outcome = 'DECERTIFIED', end_reason = 'DECIDED', decided_by_id = $3, ended_at = $4, updated_at = $4
       WHERE tenant_id = $1 AND id = $2`,
      [tenantId, denied, id, now],
    );
    await db.run(
      `UPDATE tasks SET state = 'CLOSED', outcome = 'CERTIFIED', end_reason = 'DECIDED', decided_by_id = $3, ended_at = $4, certify_until = $5
       WHERE tenant_id = $1 AND id = $2`,
      [tenantId, certified, id, now, new Date(now.getTime() + 86_400_000)],
    );
    // A task of a sample has no number: those of reviews count up without a gap.
    await db.run('UPDATE tasks SET numeric_id = 0 WHERE tenant_id = $1 AND review_id = $2', [tenantId, reviewId]);
    await db.run(
      `INSERT INTO submissions (tenant_id, review_id, id, user_id, submitted, certified, denied, refused, created_at)
       VALUES ($1, $2, $2, $3, 2, 1, 1, 0, $4)`,
      [tenantId, reviewId, id, now],
    );
  }
}
