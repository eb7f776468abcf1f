/** Changes of a queue by others, asked for from the moment at which it was read, so that nothing falls between the two. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readRows } from './read-rows.ts';
import { openState } from './state/state.ts';
import { createQueueStore, type QueueStore } from './store.ts';
import { watchChanges } from './watch-changes.ts';

const asked: string[] = [];
const fresh: string[] = [];
let changes: object = {};
let queue: object = {};

beforeEach(() => {
  vi.useFakeTimers();
  asked.length = 0;
  fresh.length = 0;
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

const view = { by: 'app', group: '', show: 'todo', q: '', sort: 'closer' } as const;

async function read(): Promise<{ store: QueueStore; close: () => void }> {
  const store = createQueueStore(openState('me', view));
  const rows = readRows(store, 'r1');
  await rows.first;
  store.dispatch({ kind: 'opened', view, task: '' });
  await vi.advanceTimersByTimeAsync(0);
  return { store, close: rows.close };
}

async function look(): Promise<{ store: QueueStore; stop: () => void }> {
  const { store, close } = await read();
  const stop = watchChanges('r1', store, {
    remark: () => 'Somebody was first.',
    freshen: async (version) => void fresh.push(version ?? 'anew'),
  });
  return {
    store,
    stop: () => {
      stop();
      close();
    },
  };
}

const cursor = ({ state }: QueueStore) => state.rows.pages[0]?.changesCursor;

it('begins where the queue was read, and goes on from each answer', async () => {
  queue = { ...settings, rows: [{ taskId: 'a', state: 'OPEN', actions: ['APPROVE'] }], changesCursor: 'then' };
  changes = {
    cursor: 'later',
    state: 'OPEN',
    list: [{ taskId: 'a', kind: 'REVIEW_CHANGE_KIND_DECIDED', outcome: 'CERTIFIED', actorUserId: 'u2', actor: 'Farid Sample' }],
  };
  const { store, stop } = await look();
  store.dispatch({ kind: 'decide', choice: 'deny', comment: '', until: '', now: 1 });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked.at(-1)).toBe('/api/v1/access_review/r1/changes?since=then&include_own=true');
  expect(store.state.rows.byId.get('a')).toMatchObject({ state: 'CLOSED', outcome: 'CERTIFIED', decidedBy: 'Farid Sample' });
  expect(store.state.drafts.get('a')).toMatchObject({ choice: 'deny', refused: 'Somebody was first.' });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked.at(-1)).toBe('/api/v1/access_review/r1/changes?since=later&include_own=true');
  stop();
});

it('hears what this person did elsewhere, and of which version the list of what is staged is', async () => {
  queue = {
    ...settings,
    rows: ['a', 'b'].map((taskId) => ({ taskId, state: 'OPEN', actions: ['APPROVE'] })),
    changesCursor: 'then',
  };
  const own = { kind: 'REVIEW_CHANGE_KIND_DECIDED', outcome: 'CERTIFIED', actorUserId: 'me', actor: 'Elif Sample' };
  changes = { cursor: 'later', state: 'OPEN', pendingVersion: '4', list: ['a', 'b'].map((taskId) => ({ taskId, ...own })) };
  const { store, stop } = await look();
  const value = { choice: 'certify', comment: '', until: '', amend: false } as const;
  const decisions = ['a', 'b'].map((taskId) => ({ taskId, ...value }));
  store.dispatch({ kind: 'stagedCame', staged: { version: '3', decisions }, now: 1 });
  store.dispatch({ kind: 'go', id: 'b' });
  store.dispatch({ kind: 'decide', choice: 'deny', comment: 'left', until: '', now: 2 });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(fresh).toEqual(['anew']);
  expect(store.state.rows.byId.get('a')).toMatchObject({ state: 'CLOSED', outcome: 'CERTIFIED', decidedByUserId: 'me' });
  // What was staged is recorded, as the list says; what was decided since changes that.
  store.dispatch({ kind: 'stagedCame', staged: { version: '4', decisions: [] }, now: 3 });
  expect([...store.state.drafts.values()]).toMatchObject([
    { taskId: 'a', choice: 'none' },
    { taskId: 'b', choice: 'deny', amend: true, refused: '' },
  ]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(fresh).toEqual(['anew']);
  stop();
});

it('keeps the moment of the first page while later ones come, and that of a server that says none', async () => {
  queue = { ...settings, rows: [{ taskId: 'a' }], nextPageToken: 'more', changesCursor: 'first' };
  const store = createQueueStore(openState('me', view));
  const rows = readRows(store, 'r1');
  await rows.first;
  queue = { rows: [{ taskId: 'b' }], changesCursor: 'second' };
  await vi.advanceTimersByTimeAsync(0);
  expect([store.state.rows.phase, cursor(store)]).toEqual(['complete', 'first']);
  queue = { ...settings, rows: [{ taskId: 'b' }], changesCursor: 'second' };
  store.dispatch({ kind: 'readAnew' });
  await vi.advanceTimersByTimeAsync(0);
  expect([store.state.rows.list.map(({ taskId }) => taskId), cursor(store)]).toEqual([['b'], 'second']);
  rows.close();
  queue = { ...settings, rows: [] };
  const { stop } = await look();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked.at(-1)).toBe('/api/v1/access_review/r1/changes?include_own=true');
  stop();
});
