/** Tasks whose access is gone: those of a review by what ended since a revision, piece by piece, and one that was opened again. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { useTwoTenants, type TwoTenants } from '../../../../test/support/tenants.ts';
import { addTask, addTasksOf } from '../../../../test/support/tasks.ts';
import { type Context, inTransaction } from '../../../context.ts';
import type { Job } from '../../../jobs/index.ts';
import { checkTaskJob, endGone, goneStart } from './end-gone.ts';
import { type EndedGrant, updateTasksOfEnded } from './store-gone.ts';

let test: TwoTenants;
let context: Context;
let reviewId: string;
beforeAll(async () => {
  test = await useTwoTenants();
  context = test.ours.admin;
  const { db, tenantId } = context;
  for (const id of ['app', 'deleted']) {
    await db.run(
      `INSERT INTO apps (tenant_id, id, display_name, name_key, created_at, updated_at, deleted_at) VALUES ($1, $2, $2, $2, now(), now(), $3)`,
      [tenantId, id, id === 'deleted' ? new Date() : null],
    );
  }
  await db.run(
    `INSERT INTO inventory_revisions (tenant_id, revision, app_id, cause, made_at)
     SELECT $1, n, CASE n WHEN 6 THEN 'deleted' ELSE 'app' END, 'MANUAL', now() FROM generate_series(1, 8) n`,
    [tenantId],
  );
});
beforeEach(async () => {
  await test.admin('TRUNCATE grants');
  reviewId = await addTasksOf(context.db, context.tenantId);
});
afterAll(() => test.close());

/** A task, and the times its grant was held: from one revision to another, or still. */
async function make(held: readonly (readonly [number, number | null])[], more: object = {}, of = test.ours): Promise<string> {
  const name = `n${String(++made).padStart(4, '0')}`;
  const task = { reviewId, appId: 'app', entitlementId: `e-${name}`, accountId: `a-${name}`, isHeld: false, ...more };
  const id = await addTask(of.system.db, of.tenant.id, task);
  for (const [from, to] of held) {
    await of.system.db.run(
      `INSERT INTO grants (tenant_id, app_id, entitlement_id, account_id, added_revision, removed_revision, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, now(), now())`,
      [of.tenant.id, task.appId, task.entitlementId, task.accountId, from, to],
    );
  }
  return id;
}
let made = 0;

const gone = async () =>
  (
    await test.admin(`SELECT id FROM tasks WHERE end_reason IN ('GRANT_GONE', 'OBJECT_GONE') AND review_id = $1 ORDER BY id`, [reviewId])
  ).map(({ id }) => id);

async function endAll(from: number, to: number, autoResolves = true): Promise<number> {
  let ended = 0;
  for (let place = goneStart as Parameters<typeof endGone>[3] | undefined; place !== undefined; ) {
    const at = place;
    const piece = await inTransaction(context, (inside) => endGone(inside, { id: reviewId, autoResolves }, { from, to }, at));
    ended += piece.ended;
    place = piece.place;
  }
  return ended;
}

it('ends what ended since, and nothing that is held, was given again, ended before or is decided', async () => {
  const ended = [await make([[1, 5]]), await make([[1, 7]]), await make([[1, null]], { appId: 'deleted' })];
  await make([[1, null]]);
  await make([
    [1, 5],
    [6, null],
  ]);
  await make([[1, 4]]);
  await make([[1, 8]]);
  await make([[1, 5]], { state: 'CLOSED', outcome: 'CERTIFIED', endReason: 'DECIDED' });
  await make([[1, 5]], {}, test.theirs);
  expect(await endAll(4, 7)).toBe(3);
  expect(await gone()).toEqual([...ended].sort());
  const told = await test.admin(`SELECT data FROM events WHERE target_id = $1 AND kind = 'review.tasks_ended' ORDER BY id`, [reviewId]);
  expect(told.map(({ data }) => data)).toMatchObject([
    { count: 1, reason: 'OBJECT_GONE', outcome: 'CANCELLED' },
    { count: 2, reason: 'GRANT_GONE' },
  ]);
  expect(await endAll(4, 7)).toBe(0);
});

it('goes on behind the grant where a piece ended', async () => {
  const ids: string[] = [];
  for (let revision = 2; revision < 7; revision++) {
    ids.push(await make([[1, revision]]), await make([[1, revision]]));
  }
  let after: EndedGrant | undefined;
  let pieces = 0;
  for (;;) {
    const piece = await inTransaction(context, (inside) =>
      updateTasksOfEnded(inside, { id: reviewId, autoResolves: true }, { from: 1, to: 8 }, after, 3),
    );
    if (piece.last === null) {
      break;
    }
    expect(piece.count).toBe(pieces < 3 ? 3 : 1);
    after = piece.last;
    pieces++;
  }
  expect(pieces).toBe(4);
  expect(await gone()).toEqual([...ids].sort());
});

it('a task that was opened again ends if its access is gone, whenever that went, and stays otherwise', async () => {
  const [lost, kept] = [await make([[1, 2]]), await make([[1, null]])];
  const hidden = await addTasksOf(context.db, context.tenantId, { state: 'CLOSED' });
  const late = await make([[1, 2]], { reviewId: hidden });
  for (const subjectId of [lost, kept, late, 'nothing']) {
    await inTransaction(context, (inside) => checkTaskJob.handler(inside, { subjectId } as Job));
  }
  expect(await gone()).toEqual([lost]);
  expect(await test.admin('SELECT state FROM tasks WHERE id = ANY ($1)', [[kept, late]])).toEqual([{ state: 'OPEN' }, { state: 'OPEN' }]);
});

it('what a later sync left out stays with the review that does not resolve by itself; what was ended here or deleted ends', async () => {
  const { db, tenantId } = context;
  const cause = (revision: number, to: string) =>
    db.run('UPDATE inventory_revisions SET cause = $3 WHERE tenant_id = $1 AND revision = $2', [tenantId, revision, to]);
  await cause(2, 'IMPORT');
  await cause(3, 'SCIM');
  await cause(4, 'EXPIRY');
  const [bySync, byPush] = [await make([[1, 2]]), await make([[1, 3]])];
  const [byDate, byHand] = [await make([[1, 4]]), await make([[1, 5]])];
  // Ended by a sync, given again, and then ended manually: the last end counts.
  const last = await make([
    [1, 2],
    [3, 7],
  ]);
  const [appGone, accountGone, entitlementGone] = [
    await make([[1, null]], { appId: 'deleted' }),
    await make([[1, 2]], { accountId: 'gone' }),
    await make([[1, 3]], { entitlementId: 'gone' }),
  ];
  await db.run(
    `INSERT INTO accounts (tenant_id, app_id, id, external_id, status, created_at, updated_at, deleted_at) VALUES ($1, 'app', 'gone', 'gone', 'DELETED', now(), now(), now())`,
    [tenantId],
  );
  await db.run(
    `INSERT INTO entitlements (tenant_id, app_id, id, external_id, display_name, created_at, updated_at, deleted_at)
     VALUES ($1, 'app', 'gone', 'gone', 'gone', now(), now(), now())`,
    [tenantId],
  );
  await endAll(0, 8, false);
  expect(await gone()).toEqual([byDate, byHand, last, appGone, accountGone, entitlementGone].sort());
  const objects = await test.admin(`SELECT id FROM tasks WHERE end_reason = 'OBJECT_GONE' AND id = ANY ($1) ORDER BY id`, [await gone()]);
  expect(objects.map(({ id }) => id)).toEqual([appGone, accountGone, entitlementGone].sort());
  // One that was opened again, by what its review says.
  const check = (subjectId: string) => inTransaction(context, (inside) => checkTaskJob.handler(inside, { subjectId } as Job));
  await check(bySync);
  expect(await gone()).not.toContain(bySync);
  await db.run(`UPDATE reviews SET document = '{"autoResolve": true}' WHERE tenant_id = $1 AND id = $2`, [tenantId, reviewId]);
  await check(bySync);
  expect(await gone()).toContain(bySync);
  await endAll(0, 8, true);
  expect(await gone()).toContain(byPush);
  for (const revision of [2, 3, 4]) {
    await cause(revision, 'MANUAL');
  }
});
