/** A database of the release before reactions: its waiting jobs go, and nothing they would have found is forgotten. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestDatabase } from '../../test/support/database.ts';
import { makeTenantBefore, openDatabaseBefore } from '../../test/support/upgrade.ts';
import { addAssignment, addTask, addTasksOf } from '../../test/support/tasks.ts';
import type { TestTenant } from '../../test/support/tenants.ts';
import { jobKinds as reportJobs } from '../outward/reports/index.ts';
import { jobKinds as reviewJobs } from '../governance/reviews/index.ts';
import { jobKinds as taskJobs } from '../governance/tasks/index.ts';
import { silentLogger } from '../context.ts';
import { createRunner } from '../jobs/index.ts';
import { reactions } from '../reactions.ts';
import { migrate } from './migrate.ts';

let test: TestDatabase;
let tenant: TestTenant;
beforeAll(async () => {
  test = await openDatabaseBefore('_reactions.sql');
  tenant = await makeTenantBefore(test, 'ours.example');
});
afterAll(() => test.close());

const stateOf = async (id: string) => (await test.admin('SELECT state, closing FROM reviews WHERE id = $1', [id]))[0];
const addReview = async (state: string, document: object): Promise<string> => {
  const { db } = tenant.system;
  const id = await addTasksOf(db, tenant.tenant.id, { managerIds: [tenant.adminId], hasRoutes: false });
  await db.run('UPDATE reviews SET state = $3, document = $4 WHERE tenant_id = $1 AND id = $2', [
    tenant.tenant.id,
    id,
    state,
    JSON.stringify(document),
  ]);
  return id;
};
const addJob = (kind: string, subjectId: string) =>
  test.admin(
    `INSERT INTO jobs (id, tenant_id, kind, subject_id, cursor, run_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, '{"revision": 3}', now(), now(), now())`,
    [`${kind} ${subjectId}`, tenant.tenant.id, kind, subjectId],
  );

it('goes on by reactions', async () => {
  const { db } = tenant.system;
  const overdue = await addReview('OPEN', { autoCloseCampaign: true, completionDate: '2026-01-01T00:00:00Z' });
  const pending = await addReview('PENDING', { autoStartCampaign: true, scheduledStartDate: '2026-01-01T00:00:00Z' });
  const open = await addReview('OPEN', { autoCloseCampaign: true, completionDate: '2099-01-01T00:00:00Z' });
  const lacking = await addReview('CLOSED', { autoGenerateReport: true });
  const wantless = await addReview('CLOSED', {});
  await db.run(`UPDATE users SET status = 'DISABLED' WHERE tenant_id = $1 AND id = $2`, [tenant.tenant.id, tenant.basicId]);
  const assignmentId = await addAssignment(db, tenant.tenant.id, open, [tenant.basicId]);
  const taskId = await addTask(db, tenant.tenant.id, { reviewId: open, assignmentId, hasNumber: false });
  for (const id of [overdue, open]) {
    await addJob('review.watch', id);
  }
  await addJob('review.schedule', pending);
  await addJob('report.auto', tenant.tenant.id);
  await addJob('review.clear', 'kept');

  expect(await migrate(test.database, silentLogger)).toContainEqual(expect.stringContaining('_reactions'));
  expect(await test.admin("SELECT kind FROM jobs WHERE state <> 'CALLED'")).toEqual([{ kind: 'review.clear' }]);
  const calls = await test.admin("SELECT DISTINCT kind, subject_id AS subject FROM jobs WHERE state = 'CALLED' ORDER BY kind");
  expect(calls).toEqual([
    // Of a later release, which reminds people.
    { kind: 'mail.reminders', subject: tenant.tenant.id },
    { kind: 'report.at-close', subject: lacking },
    { kind: 'reviews.access', subject: tenant.tenant.id },
    // Of a later release, which asks again about what was certified until a date.
    { kind: 'reviews.certified-until', subject: tenant.tenant.id },
    { kind: 'reviews.people', subject: tenant.tenant.id },
    { kind: 'reviews.timers', subject: tenant.tenant.id },
  ]);

  const handlers = new Map([...taskJobs, ...reviewJobs, ...reportJobs]);
  const runner = createRunner({
    database: test.database,
    handlers,
    log: silentLogger,
    react: reactions,
    pollMs: 20,
    clock: () => new Date(),
  });
  runner.start();
  await expect.poll(() => stateOf(overdue), { timeout: 60_000 }).toEqual({ state: 'CLOSED', closing: false });
  await expect.poll(() => stateOf(pending), { timeout: 60_000 }).toEqual({ state: 'OPEN', closing: false });
  const asked = () =>
    test.admin('SELECT s.user_ids FROM tasks t JOIN task_assignments s ON s.id = t.assignment_id WHERE t.id = $1', [taskId]);
  await expect.poll(asked, { timeout: 60_000 }).toEqual([{ user_ids: [tenant.adminId] }]);
  const reports = () => test.admin('SELECT review_id AS review FROM reports ORDER BY id');
  await expect.poll(reports, { timeout: 60_000 }).toEqual([{ review: lacking }]);
  expect(await stateOf(open)).toEqual({ state: 'OPEN', closing: false });
  expect(await stateOf(wantless)).toEqual({ state: 'CLOSED', closing: false });
  // What sleeps of these jobs is a call for the one date that is left.
  await expect
    .poll(() => test.admin(`SELECT kind, run_at AS at FROM jobs WHERE state = 'CALLED' AND kind LIKE 'reviews.%'`), { timeout: 60_000 })
    .toEqual([{ kind: 'reviews.timers', at: new Date('2099-01-01T00:00:00Z') }]);
  await runner.drain();
});
