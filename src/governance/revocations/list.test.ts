/** Lists and counts of removals: each filter, pages by age, and who sees which. */
import { beforeAll, expect, it } from 'vitest';
import { june, useRemovals } from '../../../test/support/removals.ts';
import { getRevocation } from './act.ts';
import { countRevocations, listRevocations, type RevocationFilter } from './record/store.ts';

const removals = useRemovals(['ann', 'bob', 'cyn', 'dan', 'eve']);
const all = ['ann pay', 'bob x', 'cyn x', 'dan x', 'eve x'];
let requested = '';
let held = '';
let other = '';
let otherReview = '';

beforeAll(async () => {
  await removals.file('One', all, june(1));
  await removals.file('Two', all, june(1));
  requested = await removals.request('One', 'ann', 'pay', june(2));
  held = await removals.deny('One', 'bob', 'x', june(3));
  other = await removals.request('Two', 'cyn', 'x', june(4));
  otherReview = removals.reviewId;
  const { appId } = await removals.find('Two', 'cyn', 'x');
  const { userId } = await removals.find('Two', 'dan', 'x');
  const { db, tenantId } = removals.at(june(4));
  await db.run('INSERT INTO app_owners (tenant_id, app_id, user_id, created_at) VALUES ($1, $2, $3, $4)', [
    tenantId,
    appId,
    userId,
    june(4),
  ]);
});

const list = async (filter: RevocationFilter, context = removals.at(june(5)), seesAll = true) =>
  (await listRevocations(context, seesAll, filter, undefined, 10)).map(({ id }) => id);

it('filters by state, review, app, what is overdue and words', async () => {
  expect(await list({})).toEqual([requested, held, other]);
  expect(await list({ states: ['HELD'] })).toEqual([held]);
  expect(await list({ reviewId: otherReview })).toEqual([other]);
  expect(await list({ appId: (await removals.find('One', 'ann', 'pay')).appId })).toEqual([requested, held]);
  expect(await list({ overdue: true })).toEqual([]);
  expect(await list({ overdue: true }, removals.at(june(17)))).toEqual([requested]);
  expect(await list({ query: 'PAY ann' })).toEqual([requested]);
  expect(await list({ query: 'two' })).toEqual([other]);
  expect(await list({ mine: true })).toEqual([]);
});

it('goes on behind the last one of a page', async () => {
  const [first] = await listRevocations(removals.at(june(5)), true, {}, undefined, 1);
  const after = [first?.createdAt.toISOString() ?? '', first?.id ?? ''];
  expect((await listRevocations(removals.at(june(5)), true, {}, after, 10)).map(({ id }) => id)).toEqual([held, other]);
});

it('shows owners of an app what they have to remove, strangers nothing, and another tenant nothing', async () => {
  const dan = removals.as((await removals.find('Two', 'dan', 'x')).userId ?? '', june(5));
  expect([await list({}, dan, false), await list({ mine: true }, dan, false)]).toEqual([[other], [other]]);
  expect(await list({}, removals.as(removals.test.ours.basicId, june(5)), false)).toEqual([]);
  expect(await list({}, removals.test.theirs.admin)).toEqual([]);
});

it('shows whoever the task asks what it asks them, and nothing that is no open task of theirs', async () => {
  const { db, tenantId } = removals.at(june(5));
  const [asked] = await db.rows<{ userId: string }>(
    `SELECT m.user_id AS "userId" FROM revocations r JOIN tasks t ON t.tenant_id = $1 AND t.id = r.revoke_task_id
     JOIN task_assignment_members m ON m.tenant_id = $1 AND m.assignment_id = t.assignment_id WHERE r.tenant_id = $1 AND r.id = $2`,
    [tenantId, other],
  );
  const they = removals.as(asked?.userId ?? '', june(5));
  // Neither app had an owner when its removal was requested, and what is held is not asked of anybody yet.
  expect([await list({ asksMe: true }, they, false), await list({ asksMe: true }, they)]).toEqual([
    [requested, other],
    [requested, other],
  ]);
  const stranger = removals.as((await removals.find('One', 'bob', 'x')).userId ?? '', june(5));
  expect(await list({ asksMe: true }, stranger, false)).toEqual([]);
  const delegate = removals.by(stranger, { delegatorIds: [they.actor.userId] });
  expect(await list({ asksMe: true }, delegate, false)).toEqual([requested, other]);
  expect((await getRevocation(delegate, other)).id).toBe(other);
  await expect(getRevocation(stranger, other)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const counts = await countRevocations(they, false, { asksMe: true });
  expect(counts.map(({ state, total }) => [state, total])).toEqual([['IN_PROGRESS', 2]]);
  expect(await list({ asksMe: true }, removals.test.theirs.admin)).toEqual([]);
});

it('counts by state and age', async () => {
  const counts = await countRevocations(removals.at(june(20)), true, {});
  expect(
    counts.map(({ state, total, underSevenDays, underThirtyDays, overdue }) => [state, total, underSevenDays, underThirtyDays, overdue]),
  ).toEqual([
    ['HELD', 1, 0, 1, 0],
    ['IN_PROGRESS', 2, 0, 2, 2],
  ]);
});
