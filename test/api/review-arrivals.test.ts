/** What came after the snapshot of a review over HTTP: counted, listed, supplemented, and by whom. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from '../support/api.ts';
import { loadSamples } from '../support/load-samples.ts';
import type { TestServer } from '../support/server.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';

let server: TestServer;
let world: World;
let id: string;
beforeAll(async () => {
  const made = await startWorld();
  server = made.server;
  world = made.world;
  const { samples } = await loadSamples();
  id = (await samples['ReviewArrivalService.supplement']?.(world, server.admin))?.path?.['access_review_id'] ?? '';
}, 240_000);
afterAll(() => server.stop());

const review = '/api/v1/access_review';
const admin = (method: string, path: string, body?: object) => request(server, server.admin, method, `${review}/${path}`, body);

describe('what came after the snapshot', () => {
  it('is counted and listed page by page', async () => {
    const { status, body } = await admin('GET', `${id}/arrivals/counts`);
    expect(status).toBe(200);
    expect(body.counts).toMatchObject({
      counted: true,
      final: true,
      arrived: '12',
      supplemented: '0',
      unasked: '12',
      supplements: [],
      maySupplement: true,
    });
    expect(body.counts.supplementOf).toBeUndefined();
    const read = await request(server, world.reader, 'GET', `${review}/${id}/arrivals/counts`);
    expect(read.body.counts).toEqual({ ...body.counts, maySupplement: false });
    const first = await admin('GET', `${id}/arrivals?page_size=10`);
    const second = await admin('GET', `${id}/arrivals?page_size=10&page_token=${first.body.nextPageToken}`);
    expect([first.body.list.length, second.body.list.length, second.body.nextPageToken]).toEqual([10, 2, '']);
    expect(first.body.list[0]).toMatchObject({ appId: world.appId, appDisplayName: 'World', supplementAccessReviewId: '' });
    expect(first.body.list[0].addedAt).toMatch(/Z$/);
  });

  it('is refused before there is a snapshot, and where it does not say which page', async () => {
    const draft = await world.makeDraft();
    for (const path of ['arrivals', 'arrivals/counts']) {
      const { status, body } = await admin('GET', `${draft}/${path}`);
      expect([status, body.message]).toEqual([
        400,
        'The review is ACCESS_REVIEW_STATE_DRAFT: what comes after its snapshot is counted once it is prepared.',
      ]);
    }
    expect((await admin('GET', `${id}/arrivals?page_token=nonsense`)).status).toBe(400);
    const refused = await admin('POST', `${draft}/action/supplement`, {});
    expect([refused.status, refused.body.message]).toEqual([
      400,
      'The review is ACCESS_REVIEW_STATE_DRAFT: nothing comes after a snapshot that it does not have yet.',
    ]);
  });

  it('is asked about by a supplementary review, once', async () => {
    const { status, body } = await admin('POST', `${id}/action/supplement`, {});
    expect([status, body.items, body.left]).toEqual([200, '12', '0']);
    const { counts } = (await admin('GET', `${id}/arrivals/counts`)).body;
    expect(counts).toMatchObject({ supplemented: '12', unasked: '0' });
    expect(counts.supplements).toEqual([{ accessReviewId: body.accessReviewId, displayName: body.displayName, items: '12' }]);
    await world.until(body.accessReviewId, 'OPEN');
    expect((await admin('GET', `${body.accessReviewId}/arrivals/counts`)).body.counts.supplementOf).toMatchObject({ accessReviewId: id });
    const again = await admin('POST', `${id}/action/supplement`, {});
    expect(again.status).toBe(400);
    expect(again.body.message).toBe('Nothing came into the scope of this review after its snapshot that no review asks about.');
  });

  it('is shown to nobody who may not know of the review, and made by who manages it', async () => {
    const other = await server.makeTenant('other');
    for (const [method, path] of [
      ['GET', 'arrivals'],
      ['GET', 'arrivals/counts'],
      ['POST', 'action/supplement'],
    ] as const) {
      const body = method === 'POST' ? {} : undefined;
      expect((await request(other, other.admin, method, `${review}/${id}/${path}`, body)).status, path).toBe(404);
      expect((await admin(method, `${'x'.repeat(27)}/${path}`, body)).status, path).toBe(404);
      expect((await fetch(`${server.url}${review}/${id}/${path}`, { method })).status, path).toBe(401);
    }
    expect((await request(server, world.reader, 'GET', `${review}/${id}/arrivals`)).status).toBe(200);
    expect((await request(server, world.reader, 'POST', `${review}/${id}/action/supplement`, {})).status).toBe(403);
  });
});
