/** Outcome of somebody's own decisions: the removals of what they denied by review, and what they certified until a date. */
import { beforeAll, expect, it } from 'vitest';
import { june, useRemovals } from '../../../test/support/removals.ts';
import { addTask, addTasksOf } from '../../../test/support/tasks.ts';
import type { Context } from '../../context.ts';
import { countCertifiedUntil, listCertifiedUntil, listDenied, listDeniedByIds, listOutcomes } from './record/store-mine.ts';

const removals = useRemovals(['ann', 'bob', 'cyn', 'dan', 'eve']);
const all = ['ann x', 'bob x', 'cyn x', 'dan x', 'eve x'];
let me: (now: Date) => Context;
let meId = '';
let first = '';
let second = '';

/** Says whose decisions the denials of a review are, as the trigger does for decisions of people. */
async function denyAs(userId: string, account: string, now: Date, requested: boolean): Promise<string> {
  const { db } = removals.test.ours.system;
  const tenantId = removals.test.ours.tenant.id;
  const found = await removals.find('One', account, 'x');
  removals.reviewId = await addTasksOf(db, tenantId);
  const id = await addTask(db, tenantId, { reviewId: removals.reviewId, ...found, isHeld: false });
  await db.run(
    `UPDATE tasks SET state = 'CLOSED', outcome = 'DECERTIFIED', end_reason = 'DECIDED', decided_by_id = $3, ended_at = $4, updated_at = $4
     WHERE tenant_id = $1 AND id = $2`,
    [tenantId, id, userId, now],
  );
  if (requested) {
    await removals.close(now);
  }
  return id;
}

beforeAll(async () => {
  await removals.file('One', all, june(1));
  meId = removals.test.ours.basicId;
  me = (now) => removals.as(meId, now);
  first = await denyAs(meId, 'ann', june(2), true);
  await removals.file('One', all.slice(1), june(4));
  await removals.verify(june(4));
  second = await denyAs(meId, 'bob', june(5), false);
  await denyAs((await removals.find('One', 'eve', 'x')).userId ?? 'eve', 'cyn', june(6), true);
});

const nothing = { held: 0, open: 0, stillThere: 0, gone: 0, kept: 0, withdrawn: 0 };

it('counts what somebody denied by review, the one with the latest change first', async () => {
  const rows = await listOutcomes(me(june(7)), undefined, 10);
  expect(rows.map(({ counts }) => counts)).toEqual([
    { ...nothing, total: 1, held: 1 },
    { ...nothing, total: 1, gone: 1 },
  ]);
  expect(rows[0]?.all).toEqual({ ...nothing, total: 2, held: 1, gone: 1 });
  expect(rows.map(({ latestIds }) => latestIds)).toEqual([[second], [first]]);
  expect(rows[1]).toMatchObject({ firstGoneAt: june(4), lastGoneAt: june(4), lastChangedAt: june(4) });
  const [top] = await listOutcomes(me(june(7)), undefined, 1);
  const after = [top?.lastChangedAt.toISOString() ?? '', top?.reviewId ?? ''];
  expect((await listOutcomes(me(june(7)), after, 10)).map(({ latestIds }) => latestIds)).toEqual([[first]]);
});

it('lists the removals, of a review or an outcome alone, page by page', async () => {
  const none = { reviewId: undefined, outcome: undefined };
  const ids = async (filter: Partial<Parameters<typeof listDenied>[1]>, after?: readonly string[]) =>
    (await listDenied(me(june(7)), { ...none, ...filter }, after, 10)).map(({ id }) => id);
  expect(await ids({})).toEqual([second, first]);
  expect(await ids({ outcome: 'GONE' })).toEqual([first]);
  expect(await ids({ outcome: 'STILL_THERE' })).toEqual([]);
  expect(await ids({ reviewId: 'unknown' })).toEqual([]);
  expect(await ids({}, [june(5).toISOString(), second])).toEqual([first]);
});

it('is of whoever denied alone, in their tenant, and of no deleted review', async () => {
  expect(await listOutcomes(removals.at(june(7)), undefined, 10)).toEqual([]);
  expect(await listDeniedByIds(removals.at(june(7)), [first])).toEqual([]);
  expect(await listOutcomes({ ...removals.test.theirs.admin, actor: me(june(7)).actor }, undefined, 10)).toEqual([]);
  const nobody = { ...me(june(7)), actor: { ...me(june(7)).actor, userId: '' } };
  expect(await listOutcomes(nobody, undefined, 10)).toEqual([]);
  const { db } = removals.test.ours.system;
  const tenantId = removals.test.ours.tenant.id;
  const third = await denyAs(meId, 'dan', june(7), false);
  expect(await listDeniedByIds(me(june(8)), [third])).toHaveLength(1);
  await db.run(`UPDATE task_reviews SET state = 'CANCELLED' WHERE tenant_id = $1 AND id = $2`, [tenantId, removals.reviewId]);
  expect(await listDeniedByIds(me(june(8)), [third])).toEqual([]);
});

it('lists what somebody certified until a date to come, as long as the access is there', async () => {
  const { db } = removals.test.ours.system;
  const tenantId = removals.test.ours.tenant.id;
  const certify = async (account: string, until: Date, decidedById = meId): Promise<string> => {
    const reviewId = await addTasksOf(db, tenantId);
    const found = await removals.find('One', account, 'x');
    const id = await addTask(db, tenantId, { reviewId, ...found, isHeld: false, state: 'CLOSED', outcome: 'CERTIFIED', decidedById });
    await db.run('UPDATE tasks SET certify_until = $3 WHERE tenant_id = $1 AND id = $2', [tenantId, id, until]);
    return id;
  };
  const later = await certify('bob', june(20));
  const sooner = await certify('cyn', june(19));
  await certify('ann', june(21));
  await certify('dan', june(21), 'somebody else');
  await certify('eve', june(8));
  const rows = await listCertifiedUntil(me(june(9)), undefined, 10);
  expect(rows.map(({ taskId, certifyUntil }) => [taskId, certifyUntil])).toEqual([
    [sooner, june(19)],
    [later, june(20)],
  ]);
  expect(rows[0]).toMatchObject({ userId: (await removals.find('One', 'cyn', 'x')).userId, appName: 'Payroll', resource: 'Clerk' });
  expect(await countCertifiedUntil(me(june(9)))).toBe(2);
  const after = [june(19).toISOString(), sooner];
  expect((await listCertifiedUntil(me(june(9)), after, 10)).map(({ taskId }) => taskId)).toEqual([later]);
});
