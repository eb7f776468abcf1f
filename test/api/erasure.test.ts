/** Legal holds, the emptying of reviews whose time is over, and the erasure of a person's data, over HTTP: what is refused, what goes, and what holds. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Context, inTransaction } from '../../src/context.ts';
import { recordEvent } from '../../src/foundation/audit/index.ts';
import { isReviewDue, jobKinds as erasureJobs } from '../../src/outward/erasures/index.ts';
import { checkLog, sealFirst } from '../../src/foundation/log-proofs/index.ts';
import type { Job } from '../../src/jobs/index.ts';
import type { JobCursor } from '../../src/jobs/types.ts';
import { reactions } from '../../src/reactions.ts';
import { request } from '../support/api.ts';
import { findInDump } from '../support/dump.ts';
import { startTestServer, type ServedTenant, type TestPerson, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

let server: TestServer;
let second: TestPerson;
let reader: TestPerson;
let stranger: ServedTenant;
let reviewId: string;
let userId: string;

const people = [
  'email,display_name,manager_email,department,job_title,username,employee_id,site',
  'zerlinde@quastenflosser.example,Zerlinde Quastenflosser,boss@stillwasser.example,Secret Dept,Keeper,zquast77,EMP-90417,Atlantis',
  'boss@stillwasser.example,Stillwasser Boss,,Board,Chief,qboss,EMP-1,Berlin',
].join('\n');
const grants = [
  'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at',
  'zquast77,zerlinde@quastenflosser.example,USER,ENABLED,role,R,admin,2025-01-01T00:00:00Z,',
  'qboss,boss@stillwasser.example,USER,ENABLED,role,R,admin,2025-01-01T00:00:00Z,',
].join('\n');
/** Nothing of these may be left. */
const names = ['zerlinde', 'quastenflosser', 'zquast77', 'emp-90417', 'atlantis'];

const as = (person: TestPerson, method: string, path: string, body?: unknown) => request(server, person, method, path, body);
const admin = (method: string, path: string, body?: unknown) => as(server.admin, method, path, body);

async function until<T>(read: () => Promise<T>, isThere: (value: T) => boolean): Promise<T> {
  const end = Date.now() + 60_000;
  for (;;) {
    const value = await read();
    if (isThere(value)) {
      return value;
    }
    if (Date.now() > end) {
      throw new Error(`it did not come: ${JSON.stringify(value)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const stateOf = async (id: string): Promise<string> =>
  (await admin('GET', `/api/v1/access_review/${id}`)).body.accessReview.accessReview.state;

/** A started review of the app, with a comment on each item. */
async function openReview(displayName: string, comment: string): Promise<string> {
  const apps: { id: string; displayName: string }[] = (await admin('GET', '/api/v1/apps?page_size=100')).body.list;
  const made = await admin('POST', '/api/v1/access_review', { displayName, ownerIds: [server.admin.id] });
  const id: string = made.body.accessReview.accessReview.id;
  const appId = apps.find((one) => one.displayName === 'Vault')?.id;
  await admin('POST', `/api/v1/access_review/${id}`, { accessReview: { singleApp: { appId } } });
  await admin('POST', `/api/v1/access_review/${id}/action/prepare`, {});
  await until(
    () => stateOf(id),
    (state) => state.endsWith('_REVIEW'),
  );
  await admin('POST', `/api/v1/access_review/${id}/action/start`, {});
  await until(
    () => stateOf(id),
    (state) => state.endsWith('_OPEN'),
  );
  const tasks = await admin('POST', '/api/v1/search/tasks', { accessReviewIds: [id], pageSize: 100 });
  for (const { task } of tasks.body.list) {
    await admin('POST', `/api/v1/tasks/${task.id}/action/comment`, { comment });
  }
  return id;
}

async function closeReview(id: string): Promise<void> {
  await admin('POST', `/api/v1/access_review/${id}/action/close`, { decision: 'CLOSE_DECISION_SKIP' });
  await until(
    () => stateOf(id),
    (state) => state.endsWith('_CLOSED'),
  );
}

beforeAll(async () => {
  server = await startTestServer();
  second = await server.makePerson('second@example.com', ['SUPER_ADMINISTRATOR']);
  reader = await server.makePerson('reader@example.com', ['READ_ONLY_ADMINISTRATOR']);
  stranger = await server.makeTenant('stranger.example');
  expect((await sendFile(server, server.admin, '/api/v1/imports/people', people)).status).toBe(200);
  expect((await sendFile(server, server.admin, '/api/v1/imports/grants?app=Vault', grants)).status).toBe(200);
  userId = (await admin('POST', '/api/v1/search/users', { query: 'zerlinde' })).body.list[0].userId;
  reviewId = await openReview('Keys', 'Zerlinde Quastenflosser knows why.');
});
afterAll(() => server.stop());

describe('a legal hold', () => {
  it('is set by one Super Administrator, and keeps its review from being deleted', async () => {
    expect((await as(reader, 'POST', '/api/v1/legal_holds', { reason: 'Case 7' })).status).toBe(403);
    expect((await admin('POST', '/api/v1/legal_holds', { accessReviewId: reviewId })).status).toBe(400);
    expect((await admin('POST', '/api/v1/legal_holds', { accessReviewId: 'unknown', reason: 'Case 7' })).status).toBe(400);
    const { hold } = (await admin('POST', '/api/v1/legal_holds', { accessReviewId: reviewId, reason: 'Case 7' })).body;
    expect(hold).toMatchObject({ accessReviewId: reviewId, reason: 'Case 7', setById: server.admin.id });
    expect((await as(reader, 'GET', `/api/v1/access_review/${reviewId}`)).body.accessReview.accessReview.legalHold).toMatchObject({
      id: hold.id,
      reason: 'Case 7',
    });
    const deleted = await admin('DELETE', `/api/v1/access_review/${reviewId}`, { reason: 'no' });
    expect(deleted).toMatchObject({ status: 400, body: { message: expect.stringContaining('legal hold') } });
    expect((await request(stranger, stranger.admin, 'POST', `/api/v1/legal_holds/${hold.id}/lift`, { reason: 'x' })).status).toBe(404);
  });

  it('is lifted by two, and not by whoever asked', async () => {
    const { list } = (await admin('GET', `/api/v1/legal_holds?access_review_id=${reviewId}&standing_only=true`)).body;
    const lift = `/api/v1/legal_holds/${list[0].id}/lift`;
    const { request: asked } = (await admin('POST', lift, { reason: 'The case is over' })).body;
    expect(asked).toMatchObject({ kind: 'SECOND_PERSON_REQUEST_KIND_LIFT_HOLD', subjectDisplayName: 'Keys', canConfirm: false });
    expect((await admin('POST', lift, { reason: 'again' })).status).toBe(409);
    const path = `/api/v1/second_person_requests/${asked.id}`;
    expect((await as(second, 'GET', path)).body.request).toMatchObject({ canConfirm: true });
    expect((await request(stranger, stranger.admin, 'GET', path)).status).toBe(404);
    expect((await request(stranger, stranger.admin, 'POST', `${path}/confirm`, {})).status).toBe(404);
    expect((await admin('POST', `${path}/confirm`, {})).status).toBe(403);
    expect((await as(reader, 'POST', `${path}/confirm`, {})).status).toBe(403);
    expect((await as(second, 'POST', `${path}/confirm`, {})).status).toBe(200);
    const kept = (await admin('GET', `/api/v1/legal_holds?access_review_id=${reviewId}`)).body.list[0];
    expect(kept).toMatchObject({ liftReason: 'The case is over', liftAskedById: server.admin.id, liftedById: second.id });
    expect((await admin('GET', `/api/v1/access_review/${reviewId}`)).body.accessReview.accessReview.legalHold).toBeUndefined();
    expect((await admin('POST', lift, { reason: 'again' })).status).toBe(400);
  });
});

describe('a review whose time is over', () => {
  it('is due, unless a hold keeps it', async () => {
    const later = { ...server.system(), now: new Date('2099-01-01T00:00:00Z') };
    expect(await isReviewDue(later)).toBe(false);
    await server.test.admin(`UPDATE countersign.reviews SET closed_at = now() WHERE id = '${reviewId}'`);
    expect(await isReviewDue(later)).toBe(true);
    const { hold } = (await admin('POST', '/api/v1/legal_holds', { accessReviewId: reviewId, reason: 'Case 8' })).body;
    expect(await isReviewDue(later)).toBe(false);
    const erased = await admin('POST', `/api/v1/users/${userId}/erase`, { reason: 'They asked for it' });
    expect(erased).toMatchObject({ status: 400, body: { message: expect.stringContaining('legal hold') } });
    await server.test.admin(`UPDATE countersign.legal_holds SET lifted_at = now() WHERE id = '${hold.id}'`);
    await server.test.admin(`UPDATE countersign.reviews SET closed_at = NULL WHERE id = '${reviewId}'`);
  });
});

describe('erasing a person', () => {
  const erase = (person = server.admin) => as(person, 'POST', `/api/v1/users/${userId}/erase`, { reason: 'They asked for it' });

  it('is refused while a review that names them is to be kept, and for those who may not', async () => {
    expect((await erase(reader)).status).toBe(403);
    expect((await request(stranger, stranger.admin, 'POST', `/api/v1/users/${userId}/erase`, { reason: 'x' })).status).toBe(404);
    expect((await admin('POST', `/api/v1/users/${server.admin.id}/erase`, { reason: 'x' })).status).toBe(400);
    expect(await erase()).toMatchObject({ status: 400, body: { message: expect.stringContaining('Keys (not closed)') } });
    await closeReview(reviewId);
    await admin('POST', `/api/v1/access_review/${reviewId}/report`, { format: 'ACCESS_REVIEW_REPORT_FORMAT_CSV' });
    await until(
      () => server.test.admin("SELECT count(*)::int AS count FROM countersign.reports WHERE state = 'OK'"),
      ([row]) => row?.['count'] === 1,
    );
    const { message } = (await erase()).body;
    expect(message).toMatch(/Keys \(until 20\d\d-/);
  });

  it('is done when another confirms it and nothing is to be kept: no name is left, and the log holds', async () => {
    await server.test.admin(`UPDATE countersign.reviews SET closed_at = closed_at - interval '8 years' WHERE id = '${reviewId}'`);
    const data = { address: 'Zerlinde@Quastenflosser.example', outcome: 'SENT', answer: '' };
    await inTransaction({ ...server.system(), react: reactions }, (inside) =>
      recordEvent(inside, { kind: 'email_provider.tested', targetId: server.id, data }),
    );
    const { list } = (await admin('POST', '/api/v1/search/tasks', { accessReviewIds: [reviewId], subjectIds: [userId], pageSize: 1 })).body;
    const { appId, appEntitlementId } = list[0].task.type.certify;
    const removal = { appId, appEntitlementId, identityUserId: userId, description: 'Zerlinde Quastenflosser left' };
    const { taskView } = (await admin('POST', '/api/v1/task/revoke', removal)).body;
    await admin('POST', `/api/v1/tasks/${taskView.task.id}/action/comment`, { comment: 'Zerlinde is on leave.' });
    const before = await findInDump(server, names);
    const tables = ['users', 'accounts', 'events', 'review_accounts', 'tasks', 'task_actions', 'report_chunks', 'search_texts'];
    expect([...new Set(before.map((row) => row.split(':')[0]))]).toEqual(expect.arrayContaining(tables));
    const asked = await erase();
    expect(asked).toMatchObject({ status: 200, body: { request: { subjectDisplayName: 'Zerlinde Quastenflosser' } } });
    expect((await as(second, 'POST', `/api/v1/second_person_requests/${asked.body.request.id}/confirm`, {})).status).toBe(200);
    await until(
      () => server.test.admin(`SELECT count(*)::int AS count FROM countersign.users WHERE id = '${userId}' AND erased_at IS NOT NULL`),
      ([row]) => row?.['count'] === 1,
    );
    expect(await findInDump(server, names)).toEqual([]);
    for (const table of ['review_people', 'review_accounts']) {
      const rows = await server.test.admin(`SELECT salt, commitment FROM countersign.${table} WHERE review_id = '${reviewId}'`);
      expect(rows.length).toBeGreaterThan(0);
      expect(rows).toEqual(rows.map(() => ({ salt: null, commitment: expect.any(Buffer) })));
    }
    const context = server.system();
    await sealFirst(context);
    expect(await checkLog(context, { outside: [] })).toMatchObject({ sentences: [], uncoded: 0, unjudged: 0 });
    expect((await admin('GET', `/api/v1/access_review/${reviewId}`)).body.accessReview.accessReview).toMatchObject({
      emptiedAt: expect.any(String),
    });
    expect(await erase()).toMatchObject({ status: 400, body: { message: expect.stringContaining('erased already') } });
    const tasks = await admin('POST', '/api/v1/search/tasks', { accessReviewIds: [reviewId], pageSize: 100 });
    expect(tasks.status).toBe(200);
  });

  it('does each piece once or not at all, and keeps no name while it is at work', async () => {
    const handler = erasureJobs.get('user.erase')?.handler;
    const bossId: string = (await admin('POST', '/api/v1/search/users', { query: 'stillwasser' })).body.list[0].userId;
    const another = await openReview('Keys again', 'The Stillwasser boss knows why.');
    await closeReview(another);
    await server.test.admin(`UPDATE countersign.reviews SET closed_at = closed_at - interval '8 years' WHERE id = '${another}'`);
    let cursor: JobCursor = {};
    for (let isDone = false; !isDone; ) {
      const context = { ...server.system(), react: reactions };
      const piece = (inside: Context) =>
        handler?.(inside, { subjectId: bossId, cursor, done: 0 } as unknown as Job) ?? Promise.resolve('finished' as const);
      const killed = inTransaction(context, async (inside) => {
        await piece(inside);
        throw new Error('killed');
      });
      await expect(killed).rejects.toThrow('killed');
      const result = await inTransaction(context, piece);
      isDone = result === 'finished';
      cursor = result === 'finished' ? cursor : result.cursor;
      expect(JSON.stringify(cursor).toLowerCase()).not.toContain('stillwasser');
      await sealFirst(context);
    }
    expect(await findInDump(server, ['stillwasser', 'qboss'])).toEqual([]);
    expect(await checkLog(server.system(), { outside: [] })).toMatchObject({ sentences: [] });
  });
});
