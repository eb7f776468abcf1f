/**
 * Outcomes of removals by what syncs say: files in order, late, refused, guarded and unchanged, claims, access that comes back, app access, and
 * access given here, that two people attest. Everything at moments the test sets.
 */
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { inTransaction } from '../../context.ts';
import { june, useRemovals } from '../../../test/support/removals.ts';
import { messageOf, statusOf } from '../../../test/support/task-people.ts';
import { removeMembership } from '../../inventory/grants/remove-membership.ts';
import { takeRevision } from '../../inventory/ledger/index.ts';
import { importGrants } from '../../inventory/syncs/import-grants.ts';
import { claimRemoval, confirmRemoval, getRevocation, retryRemoval } from './act.ts';
import { dueJob } from './due.ts';
import { requestJob } from './request.ts';
import { explainUnknown } from './record/unknown.ts';
import { describeRemoval } from './record/view.ts';

const removals = useRemovals(['ann', 'bob', 'cyn', 'dan', 'eve']);
const { at, file, request, verify, read, states } = {
  at: removals.at,
  file: removals.file.bind(removals),
  request: removals.request.bind(removals),
  verify: removals.verify.bind(removals),
  read: removals.read.bind(removals),
  states: removals.states.bind(removals),
};
const outcomeOf = async (id: string) => describeRemoval(await getRevocation(at(june(28)), id));
const unknownOf = async (id: string) => explainUnknown(await getRevocation(at(june(28)), id));
const others = ['bob x', 'cyn x', 'dan x', 'eve x'];
const all = ['ann pay', ...others];

it('a claim and a file that still has it: still present; then verified, then reappeared, each by its sync', async () => {
  await file('Order', all, june(1));
  const id = await request('Order', 'ann', 'pay', june(5, 6));
  expect(await read(id)).toMatchObject({ state: 'IN_PROGRESS' });
  await claimRemoval(at(june(5)), id, 'Ticket 12: done');
  expect(await outcomeOf(id)).toBe('said removed by Ada Admin, not verified');
  // Begun before: it may say what it wants.
  await file('Order', all, june(4));
  await verify(june(5, 13));
  expect(await read(id)).toMatchObject({ state: 'CLAIMED' });
  expect(await unknownOf(id)).toBe('Not known: no complete sync of the source "files" of Order has data of after 2026-06-05.');
  const still = await file('Order', all, june(6));
  await verify(june(6, 13));
  expect(await read(id)).toMatchObject({ state: 'STILL_PRESENT', syncId: still });
  expect(await outcomeOf(id)).toBe(`still present at sync ${still} of 2026-06-06`);
  const gone = await file('Order', others, june(7));
  await verify(june(7, 13));
  expect(await read(id)).toMatchObject({ state: 'VERIFIED', syncId: gone });
  expect(await outcomeOf(id)).toBe(`absent at sync ${gone} of 2026-06-07`);
  const back = await file('Order', all, june(20));
  await verify(june(20, 13));
  expect(await read(id)).toMatchObject({ state: 'REAPPEARED', syncId: back });
  await retryRemoval(at(june(21)), id, '');
  expect(await states(id)).toEqual([
    'HELD',
    'REQUESTED',
    'IN_PROGRESS',
    'CLAIMED',
    'STILL_PRESENT',
    'VERIFIED',
    'REAPPEARED',
    'IN_PROGRESS',
  ]);
  // What was followed is followed once.
  expect(await verify(june(21, 13))).toBe(0);
});

it('of several files that are followed late each counts, in their order', async () => {
  await file('Late', all, june(1));
  const id = await request('Late', 'ann', 'pay', june(5, 6));
  await claimRemoval(at(june(5)), id, '');
  await file('Late', all, june(6));
  await file('Late', others, june(7));
  await file('Late', all, june(20));
  expect(await verify(june(20, 13))).toBe(3);
  expect((await states(id)).slice(3)).toEqual(['CLAIMED', 'STILL_PRESENT', 'VERIFIED', 'REAPPEARED']);
});

it('a file that began before the request proves nothing, whenever it is through; the next one does, though it changes nothing', async () => {
  await file('Out of order', all, june(1));
  const id = await request('Out of order', 'ann', 'pay', june(5));
  const early = await file('Out of order', others, june(4));
  await verify(june(5, 13));
  expect(await read(id)).toMatchObject({ state: 'IN_PROGRESS' });
  expect(await unknownOf(id)).toBe(`Not known: sync ${early} no longer has it, but its data may be of before the removal was requested.`);
  const proof = await file('Out of order', others, june(6));
  await verify(june(6, 13));
  expect(await read(id)).toMatchObject({ state: 'VERIFIED', syncId: proof });
});

it('what counts is since when the data of a sync hold, not when it began', async () => {
  // A file of a host whose clock says 12:00 of some zone: its data are of 22:00 UTC of the day before at the earliest.
  const observedFrom = june(9, 22);
  await file('Zone', all, june(1));
  const late = await request('Zone', 'ann', 'pay', june(10, 3));
  const sync = await file('Zone', others, june(10, 15), { observedFrom });
  await verify(june(10, 16));
  expect(await read(late)).toMatchObject({ state: 'IN_PROGRESS' });
  expect(await unknownOf(late)).toBe(`Not known: sync ${sync} no longer has it, but its data may be of before the removal was requested.`);
  await file('Zone early', all, june(1));
  const early = await request('Zone early', 'ann', 'pay', june(9, 21));
  const proof = await file('Zone early', others, june(10, 15), { observedFrom });
  await verify(june(10, 16));
  expect(await read(early)).toMatchObject({ state: 'VERIFIED', syncId: proof });
  expect(await outcomeOf(early)).toBe(`absent at sync ${proof} of 2026-06-09`);
});

it('a fetch that may have missed something ends nothing, proves no absence, and is not taken for one that still has it', async () => {
  await file('Partial', all, june(1));
  const id = await request('Partial', 'ann', 'pay', june(5));
  await claimRemoval(at(june(5, 13)), id, '');
  await removals.fetchPart('Partial', others, june(6));
  await verify(june(6, 13));
  expect(await read(id)).toMatchObject({ state: 'CLAIMED' });
  expect(await unknownOf(id)).toBe('Not known: no complete sync of the source "files" of Partial has data of after 2026-06-05.');
  const proof = await file('Partial', others, june(7));
  await verify(june(7, 13));
  expect(await read(id)).toMatchObject({ state: 'VERIFIED', syncId: proof });
});

it('a file that is refused, for its rows or for what it would take away, proves nothing and is named', async () => {
  await file('Guarded', all, june(1));
  const id = await request('Guarded', 'ann', 'pay', june(5));
  expect(await statusOf(file('Guarded', ['bob x'], june(6), { allowRemovals: false }))).toBe(400);
  await verify(june(6, 13));
  expect(await read(id)).toMatchObject({ state: 'IN_PROGRESS' });
  expect(await unknownOf(id)).toMatch(
    /^Not known: the last file of the source "files" of Guarded was refused on 2026-06-06, so it proves nothing\. Nothing was imported: /,
  );
  const partial = Readable.from([
    'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at\nbob,bob@exam',
  ]);
  expect(await statusOf(importGrants(at(june(7)), { app: 'Guarded', allowRemovals: true }, { body: partial, encoding: '' }))).toBe(400);
  await verify(june(7, 13));
  expect(await unknownOf(id)).toMatch(
    /^Not known: the last file of the source "files" of Guarded was refused on 2026-06-07, so it proves nothing\./,
  );
  await file('Guarded', all, june(8));
  await verify(june(8, 13));
  expect(await read(id)).toMatchObject({ state: 'IN_PROGRESS' });
  expect(await unknownOf(id)).toBe('');
});

it('access that is gone when its removal is requested is verified at once; a denial that is taken back is withdrawn', async () => {
  await file('Gone', all, june(1));
  const gone = await removals.deny('Gone', 'ann', 'pay', june(2));
  expect(await outcomeOf(gone)).toBe('denied');
  const sync = await file('Gone', others, june(3));
  await removals.close(june(4));
  expect(await read(gone)).toMatchObject({ state: 'VERIFIED', syncId: sync });
  const amended = await removals.deny('Gone', 'bob', 'x', june(5));
  await removals.decide(amended, 'CERTIFIED', june(5, 13));
  expect(await read(amended)).toMatchObject({ state: 'CANCELLED' });
  // Denied once more: another removal.
  await removals.decide(amended, 'DECERTIFIED', june(5, 14));
  expect(await read(`${amended}-1`)).toMatchObject({ state: 'HELD' });
  await removals.close(june(6));
  expect(await read(`${amended}-1`)).toMatchObject({ state: 'IN_PROGRESS' });
  await removals.decide(amended, '', june(6, 13));
  expect([(await read(amended)).state, (await read(`${amended}-1`)).state]).toEqual(['CANCELLED', 'CANCELLED']);
});

it('access that was gone at the request and comes back is requested then, of somebody', async () => {
  await file('Back', all, june(1));
  const id = await removals.deny('Back', 'ann', 'pay', june(2));
  await file('Back', others, june(3));
  await removals.close(june(4));
  expect(await read(id)).toMatchObject({ state: 'VERIFIED' });
  await file('Back', all, june(10));
  await verify(june(10, 13));
  expect(await states(id)).toEqual(['HELD', 'REQUESTED', 'VERIFIED', 'REAPPEARED', 'REQUESTED', 'IN_PROGRESS']);
  const { db, tenantId } = at(june(10));
  const asked = await db.rows<object>(
    `SELECT t.state, r.due_at > r.requested_at AS "hasDue", EXISTS (SELECT FROM task_assignment_members m WHERE m.tenant_id = $1 AND m.assignment_id = t.assignment_id) AS "asksSomebody"
     FROM revocations r JOIN tasks t ON t.tenant_id = $1 AND t.id = r.revoke_task_id WHERE r.tenant_id = $1 AND r.id = $2`,
    [tenantId, id],
  );
  expect(asked).toEqual([{ state: 'OPEN', hasDue: true, asksSomebody: true }]);
  const news = await db.rows<{ data: object }>(`SELECT data FROM events WHERE tenant_id = $1 AND kind = 'revocations.requested_anew'`, [
    tenantId,
  ]);
  expect(news.map(({ data }) => data)).toEqual([{ count: 1, ids: [id], verified: 0, refused: 0, started: 1 }]);
  // Proven, and back again: its task is there.
  await file('Back', others, june(11));
  await verify(june(11, 13));
  expect(await read(id)).toMatchObject({ state: 'VERIFIED' });
  await file('Back', all, june(12));
  await verify(june(12, 13));
  expect(await read(id)).toMatchObject({ state: 'REAPPEARED' });
});

it('access that reappeared under an earlier release, which asked nobody, is requested by a retry', async () => {
  await file('Legacy', all, june(1));
  const id = await removals.deny('Legacy', 'ann', 'pay', june(2));
  await file('Legacy', others, june(3));
  await removals.close(june(4));
  await file('Legacy', all, june(10));
  const { db, tenantId } = at(june(10));
  await db.run(`UPDATE revocations SET state = 'REAPPEARED' WHERE tenant_id = $1 AND id = $2`, [tenantId, id]);
  await retryRemoval(at(june(11)), id, '');
  const row = await db.one<object>(`SELECT state, revoke_task_id <> '' AS "hasTask" FROM revocations WHERE tenant_id = $1 AND id = $2`, [
    tenantId,
    id,
  ]);
  expect(row).toEqual({ state: 'IN_PROGRESS', hasTask: true });
});

it('app access is gone when its account is disabled', async () => {
  await file('Accounts', all, june(1));
  const id = await request('Accounts', 'bob', 'access', june(5));
  const sync = await file('Accounts', all, june(6), { status: 'DISABLED' });
  await verify(june(6, 13));
  expect(await read(id)).toMatchObject({ state: 'VERIFIED', syncId: sync });
  const back = await file('Accounts', all, june(7));
  await verify(june(7, 13));
  expect(await read(id)).toMatchObject({ state: 'REAPPEARED', syncId: back });
});

it('nobody says what became of their own access, nobody proves it but a sync, and nobody attests what a sync reports', async () => {
  await file('Own', all, june(1));
  const { userId } = await removals.find('Own', 'ann', 'pay');
  const id = await request('Own', 'ann', 'pay', june(5));
  const self = removals.by(at(june(5)), { userId: userId ?? '' });
  expect(await statusOf(claimRemoval(self, id, ''))).toBe(403);
  expect(await statusOf(claimRemoval(removals.by(at(june(5)), { issuerId: userId ?? '' }), id, ''))).toBe(403);
  expect(await statusOf(claimRemoval(removals.as(userId ?? '', june(5)), id, ''))).toBe(404);
  expect(await statusOf(confirmRemoval(at(june(5)), id, ''))).toBe(400);
  await claimRemoval(at(june(5, 13)), id, '');
  const other = removals.by(at(june(5, 14)), { userId: (await removals.find('Own', 'bob', 'x')).userId ?? '' });
  expect(await statusOf(confirmRemoval(at(june(5, 14)), id, ''))).toBe(403);
  expect(await messageOf(confirmRemoval(other, id, ''))).toBe(
    'Only a sync of the source "files" of Own can prove this: it reports the access, so nobody attests it.',
  );
  expect(await messageOf(claimRemoval(other, id, ''))).toBe(
    'This revocation cannot be claimed: it is claimed (said removed by Ada Admin, not verified).',
  );
});

it('what was given here is attested by two people, neither of them the person it is about', async () => {
  await file('Manual', all, june(1));
  const { appId, accountId, entitlementId } = await removals.find('Manual', 'ann', 'pay');
  const { db, tenantId } = at(june(1));
  await db.run('UPDATE grants SET source_no = 0 WHERE tenant_id = $1 AND app_id = $2 AND entitlement_id = $3', [
    tenantId,
    appId,
    entitlementId,
  ]);
  const id = await request('Manual', 'ann', 'pay', june(5));
  expect(await unknownOf(id)).toBe(
    'Not known: no sync reports this access. One person has to say that it is removed, and another one to confirm it.',
  );
  const second = removals.by(at(june(6)), { userId: (await removals.find('Manual', 'bob', 'x')).userId ?? '' });
  await claimRemoval(at(june(5, 13)), id, '');
  expect(await messageOf(confirmRemoval(second, id, ''))).toContain('is still there: end it first');
  await removeMembership(second, appId, entitlementId, accountId);
  await verify(june(6, 13));
  expect(await statusOf(confirmRemoval(at(june(7)), id, ''))).toBe(403);
  await confirmRemoval(second, id, 'Looked into the app');
  expect(await outcomeOf(id)).toBe('attested by Ada Admin and bob, no sync');
  // Removing it here says so, too: another removal, of somebody who was not asked to say anything.
  await db.run('UPDATE grants SET source_no = 0 WHERE tenant_id = $1 AND app_id = $2', [tenantId, appId]);
  const other = await request('Manual', 'cyn', 'x', june(8));
  const cyn = await removals.find('Manual', 'cyn', 'x');
  await removeMembership(at(june(9)), appId, cyn.entitlementId, cyn.accountId);
  await verify(june(9, 13));
  expect(await outcomeOf(other)).toBe('said removed by Ada Admin, not verified');
});

it('a push that came after the request proves it', async () => {
  await file('Pushed', all, june(1));
  const id = await request('Pushed', 'ann', 'pay', june(5));
  await file('Pushed', others, june(6));
  const { db, tenantId } = at(june(6));
  // As a push would have left it.
  await db.run(
    `UPDATE inventory_revisions SET cause = 'SCIM', sync_id = '' WHERE tenant_id = $1 AND revision = (SELECT max(revision) FROM inventory_revisions WHERE tenant_id = $1)`,
    [tenantId],
  );
  await db.run(`UPDATE syncs SET state = 'FAILED' WHERE tenant_id = $1 AND id = (SELECT max(id) FROM syncs WHERE tenant_id = $1)`, [
    tenantId,
  ]);
  await verify(june(6, 13));
  expect(await read(id)).toMatchObject({ state: 'VERIFIED', syncId: '' });
  expect(await outcomeOf(id)).toMatch(/^absent at revision \d+ of 2026-06-06$/);
});

it('what is left of a person or app that was deleted is withdrawn; what failed is started anew', async () => {
  await file('Objects', all, june(1));
  const ids = [
    await request('Objects', 'ann', 'pay', june(5)),
    await request('Objects', 'bob', 'x', june(5)),
    await request('Objects', 'cyn', 'x', june(5)),
  ];
  const [held = '', claimed = '', failed = ''] = ids;
  await claimRemoval(at(june(5, 13)), claimed, '');
  const { db, tenantId } = at(june(5));
  await db.run(`UPDATE revocations SET state = 'ERROR', note = 'no connection' WHERE tenant_id = $1 AND id = $2`, [tenantId, failed]);
  expect(await outcomeOf(failed)).toBe('failed: no connection');
  await retryRemoval(at(june(6)), failed, '');
  expect(await read(failed)).toMatchObject({ state: 'IN_PROGRESS' });
  await db.run(`UPDATE apps SET deleted_at = $2 WHERE tenant_id = $1 AND display_name = 'Objects'`, [tenantId, june(7)]);
  const { appId } = await db.one<{ appId: string }>('SELECT app_id AS "appId" FROM revocations WHERE tenant_id = $1 AND id = $2', [
    tenantId,
    held,
  ]);
  await inTransaction(at(june(7)), (inside) => takeRevision(inside, appId, 'MANUAL'));
  await verify(june(7, 13));
  expect([(await read(held)).state, (await read(claimed)).state]).toEqual(['CANCELLED', 'CLAIMED']);
});

it('a policy may want removal at once', async () => {
  await file('At once', all, june(1));
  const id = await removals.deny('At once', 'ann', 'pay', june(2));
  const { db, tenantId } = at(june(2));
  await removals.run(requestJob, removals.reviewId, june(2));
  expect(await read(id)).toMatchObject({ state: 'HELD' });
  await db.run(
    `UPDATE review_routes SET document = document || '{"postActions": [{"certifyRemediateImmediately": true}]}' WHERE tenant_id = $1 AND review_id = $2`,
    [tenantId, removals.reviewId],
  );
  await removals.run(requestJob, removals.reviewId, june(3));
  expect(await read(id)).toMatchObject({ state: 'IN_PROGRESS' });
  const deleted = await removals.deny('At once', 'bob', 'x', june(4));
  await db.run(`UPDATE reviews SET state = 'DELETED' WHERE tenant_id = $1 AND id = $2`, [tenantId, removals.reviewId]);
  await removals.run(requestJob, removals.reviewId, june(5));
  expect(await read(deleted)).toMatchObject({ state: 'CANCELLED' });
});

it('is overdue after its days, which the app or the entitlement may set, and once more a week later', async () => {
  await file('Slow', all, june(1));
  const { db, tenantId } = at(june(1));
  await db.run('UPDATE revocations SET due_at = NULL WHERE tenant_id = $1', [tenantId]);
  await db.run(
    `UPDATE apps SET document = document || '{"annotations": {"countersign/revocation_days": "3"}}' WHERE tenant_id = $1 AND display_name = 'Slow'`,
    [tenantId],
  );
  const id = await request('Slow', 'ann', 'pay', june(5));
  expect((await getRevocation(at(june(5)), id)).dueAt).toEqual(june(8));
  const told = async (now: Date) => {
    await removals.run(dueJob, tenantId, now);
    const rows = await db.rows<{ data: object }>(
      `SELECT data FROM events WHERE tenant_id = $1 AND kind = 'revocation.overdue' ORDER BY id`,
      [tenantId],
    );
    return rows.map(({ data }) => data);
  };
  expect(await told(june(7))).toEqual([]);
  const first = expect.objectContaining({ count: 1, ids: [id], isEscalated: false });
  expect(await told(june(8))).toEqual([first]);
  expect(await told(june(14))).toEqual([first]);
  expect(await told(june(15))).toEqual([first, expect.objectContaining({ count: 1, ids: [id], isEscalated: true })]);
  expect(await told(june(28))).toHaveLength(2);
});

it('goes on where its person is merged into another, who is there', async () => {
  await file('Merged', [...all, 'bob pay'], june(1));
  const id = await request('Merged', 'ann', 'pay', june(5));
  const { db, tenantId } = at(june(5));
  const [ann, bob] = [await removals.find('Merged', 'ann', 'pay'), await removals.find('Merged', 'bob', 'pay')];
  await db.run(`UPDATE accounts SET user_id = $3 WHERE tenant_id = $1 AND user_id = $2`, [tenantId, ann.userId, bob.userId]);
  await db.run(`UPDATE users SET status = 'DELETED', deleted_at = $3, merged_into_id = $4 WHERE tenant_id = $1 AND id = $2`, [
    tenantId,
    ann.userId,
    june(6),
    bob.userId,
  ]);
  await file('Merged', [...all, 'bob pay'], june(7));
  await verify(june(7, 13));
  expect(await read(id)).toMatchObject({ state: 'IN_PROGRESS', note: '' });
  await file('Merged', others, june(9));
  await verify(june(9, 13));
  expect(await read(id)).toMatchObject({ state: 'VERIFIED' });
});
