/** What others do to a queue is asked for from the moment on at which the queue was read, so that nothing falls between the two. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { DraftBox } from './draft-box.ts';
import { type Onlooker, watchChanges } from './queue-changes.ts';
import { QueueRows } from './queue-rows.ts';

const asked: string[] = [];
let changes: object = {};
let queue: object = {};

beforeEach(() => {
  vi.useFakeTimers();
  asked.length = 0;
  vi.stubGlobal('document', { visibilityState: 'visible' });
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path);
    return new Response(JSON.stringify(path.endsWith('/queue') ? queue : changes), { headers: { 'content-type': 'application/json' } });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const settings = { counts: { total: '2', todo: '2' }, groups: [], sections: [] };

async function look(): Promise<{ rows: QueueRows; refused: string[]; stop: () => void }> {
  const rows = new QueueRows('r1');
  await rows.read();
  const refused: string[] = [];
  const box = { refuse: (ids: readonly string[]) => refused.push(...ids), end: () => undefined } as unknown as DraftBox;
  const onlooker: Onlooker = { rows, box, ask: () => undefined, readAnew: () => undefined };
  return { rows, refused, stop: watchChanges('r1', onlooker, () => 'Somebody was first.') };
}

it('begins where the queue was read, and goes on from each answer', async () => {
  queue = { ...settings, rows: [{ taskId: 'a', state: 'OPEN' }], changesCursor: 'then' };
  changes = {
    cursor: 'later',
    state: 'OPEN',
    list: [{ taskId: 'a', kind: 'REVIEW_CHANGE_KIND_DECIDED', outcome: 'CERTIFIED', actorUserId: 'u2', actor: 'Farid Sample' }],
  };
  const { rows, refused, stop } = await look();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked.at(-1)).toBe('/api/v1/access_review/r1/changes?since=then');
  expect(rows.byId.get('a')).toMatchObject({ state: 'CLOSED', outcome: 'CERTIFIED', decidedBy: 'Farid Sample' });
  expect(refused).toEqual(['a']);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked.at(-1)).toBe('/api/v1/access_review/r1/changes?since=later');
  stop();
  rows.stop();
});

it('keeps the moment of the first page while later ones come, and that of a server that says none', async () => {
  queue = { ...settings, rows: [{ taskId: 'a' }], nextPageToken: 'more', changesCursor: 'first' };
  const rows = new QueueRows('r1');
  await rows.read();
  queue = { rows: [{ taskId: 'b' }], changesCursor: 'second' };
  await rows.read();
  expect([rows.state, rows.changesCursor]).toEqual(['complete', 'first']);
  await rows.readAgain('app');
  expect(rows.changesCursor).toBe('second');
  rows.stop();
  queue = { ...settings, rows: [] };
  const { stop, rows: none } = await look();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked.at(-1)).toBe('/api/v1/access_review/r1/changes');
  stop();
  none.stop();
});
