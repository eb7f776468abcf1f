/** The completeness of a review over the API: it ties out to the files, is frozen, and is for those who may read what a review proves. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const header = 'account,email,account_type,account_status,resource_type,resource,entitlement';
let server: TestServer;
let appId: string;
let reviewId: string;

const call = async (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
async function ok(method: string, path: string, body?: unknown): Promise<Loose> {
  const answer = await call(method, path, body);
  expect([method, path, answer.status, answer.body.message]).toEqual([method, path, 200, undefined]);
  return answer.body;
}
async function send(source: string, lines: readonly string[]): Promise<Loose> {
  const path = `/api/v1/imports/grants?app=Shop&allow_removals=true&source=${source}`;
  const answer = await sendFile(server, server.admin, path, [header, ...lines].join('\n'));
  expect([answer.status, answer.body.message]).toEqual([200, undefined]);
  return answer.body.import;
}
async function inState(id: string, state: string): Promise<void> {
  for (let attempt = 0; attempt < 1200; attempt++) {
    const { accessReview } = await ok('GET', `/api/v1/access_review/${id}`);
    if (accessReview.accessReview.state === `ACCESS_REVIEW_STATE_${state}`) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the review did not become ${state}`);
}
const read = async (id = reviewId): Promise<Loose> => (await ok('GET', `/api/v1/access_review/${id}/completeness`)).completeness;
const countsOf = (list: Loose): Loose => Object.fromEntries(list.map(({ name, count }: Loose) => [name, Number(count)]));
const sourceOf = (found: Loose, name: string): Loose =>
  found.sources.find(({ displayName, kind }: Loose) => displayName === name || kind === name);

beforeAll(async () => {
  server = await useTestServer();
  const grant = (account: string, entitlement: string, type = 'USER', status = 'ENABLED') =>
    `${account},,${type},${status},role,Orders,${entitlement}`;
  // Two rows of one grant, and one that the other file has, too.
  await send('main', [
    grant('ann', 'read'),
    grant('ann', 'read'),
    grant('ann', 'write'),
    grant('ben', 'read'),
    grant('bot', 'read', 'SERVICE_ACCOUNT'),
    grant('old', 'read', 'USER', 'DISABLED'),
  ]);
  const second = await send('second', [grant('ann', 'read'), grant('cat', 'read'), grant('cat', 'audit')]);
  appId = second.appId;
  const { list } = await ok('GET', `/api/v1/apps/${appId}/entitlements?page_size=100`);
  const idOf = (name: string): string =>
    list.find(({ appEntitlement }: Loose) => appEntitlement.displayName.includes(name)).appEntitlement.id;
  const created = await ok('POST', '/api/v1/access_review', { displayName: 'Shop' });
  reviewId = created.accessReview.accessReview.id;
  await ok('POST', `/api/v1/access_review/${reviewId}`, {
    accessReview: {
      displayName: 'Shop',
      multiApp: { appEntitlements: { [appId]: { appId, entitlementIds: [idOf('read'), idOf('write')] } } },
      scopeV2: { accountCriteria: { accountTypes: ['APP_USER_TYPE_USER'] } },
      exclusionScope: { appUserStatuses: ['APP_USER_STATUS_DISABLED'] },
    },
  });
});

describe('the completeness of a review', () => {
  it('is known only once it is prepared', async () => {
    expect(await call('GET', `/api/v1/access_review/${reviewId}/completeness`)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('only after it is prepared') },
    });
    expect(await call('GET', '/api/v1/access_review/000000000000000000000000000/completeness')).toMatchObject({ status: 404 });
  });

  it('ties out from each file to the items, with one verdict for each grant', async () => {
    await ok('POST', `/api/v1/access_review/${reviewId}/action/prepare`, {});
    await inState(reviewId, 'REVIEW');
    const found = await read();
    expect(found).toMatchObject({ holds: true, eventUid: expect.stringMatching(/^\w{27}$/) });
    expect(found.sums.map(({ text }: Loose) => text)).toContain('6 rows = 5 accepted + 1 named again + 0 rejected');
    expect(found.sums.map(({ text }: Loose) => text)).toContain('3 accepted = 2 held by it + 1 held by another source');
    expect(sourceOf(found, 'main')).toMatchObject({ rows: '6', accepted: '5', duplicates: '1', elsewhere: '0', held: '5' });
    expect(sourceOf(found, 'second')).toMatchObject({ rows: '3', accepted: '3', elsewhere: '1', held: '2' });
    expect(sourceOf(found, 'second').fileSha256).toMatch(/^[0-9a-f]{64}$/);
    const [app] = found.apps;
    expect(app).toMatchObject({ displayName: 'Shop', grants: '12', itemsAtLaunch: '4', itemsAtCompletion: '4' });
    // Five accounts have access to the app as such, which was not chosen, and so was not "audit".
    expect(countsOf(app.verdicts)).toEqual({ ENTITLEMENT_NOT_CHOSEN: 6, ACCOUNT_FILTER: 1, EXCLUSION_SCOPE: 1, IN: 4 });
    expect(countsOf(found.outcomes)).toEqual({ OPEN: 4 });
  });

  it('counts what was changed between the last file and the snapshot, and what is frozen stays', async () => {
    const frozen = await read();
    await send('main', ['ann,,USER,ENABLED,role,Orders,write']);
    const second = await ok('POST', '/api/v1/access_review', { displayName: 'Later', duplicateFrom: reviewId });
    const { id } = second.accessReview.accessReview;
    await ok('POST', `/api/v1/access_review/${id}/action/prepare`, {});
    await inState(id, 'REVIEW');
    const later = await read(id);
    expect(later.holds).toBe(true);
    expect(sourceOf(later, 'main')).toMatchObject({ rows: '1', accepted: '1', held: '1' });
    // The file of the other source came before; nothing of it was changed since.
    expect(sourceOf(later, 'second')).toMatchObject({ heldThen: '2', held: '2', ended: '0' });
    const again = await read();
    expect({ ...again, apps: [], changes: [] }).toEqual({ ...frozen, apps: [], changes: [] });
    expect(again.apps[0]).toMatchObject({ itemsAtLaunch: '4', itemsAtCompletion: '2' });
  });

  it('follows the items to their outcomes and removals', async () => {
    await ok('POST', `/api/v1/access_review/${reviewId}/action/start`, {});
    await inState(reviewId, 'OPEN');
    await ok('POST', `/api/v1/access_review/${reviewId}/action/close`, { decision: 'CLOSE_DECISION_REVOKED' });
    await inState(reviewId, 'CLOSED');
    const found = await read();
    expect(found.holds).toBe(true);
    const outcomes = countsOf(found.outcomes);
    expect(Object.values(outcomes).reduce((sum: number, one) => sum + Number(one), 0)).toBe(4);
    expect(found.sums.map(({ number }: Loose) => number)).toContain(6);
    const kinds = found.changes.map(({ kind }: Loose) => kind);
    for (const kind of ['review.created', 'review.updated', 'review.snapshot_taken', 'review.prepared']) {
      expect(kinds, kind).toContain(kind);
    }
  });
});
