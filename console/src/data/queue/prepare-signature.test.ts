/** Preparing a signature: what is on this device goes to the server first, what it would not take says why, and nothing else changes. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { prepareSignature } from './prepare-signature.ts';
import { openState } from './state/state.ts';
import { createQueueStore } from './store.ts';

const view = { by: 'app', group: '', show: 'todo', q: '', sort: 'closer' } as const;
let sent: { decisions: { taskId: string }[]; idempotencyKey: string }[] = [];
let refused: readonly string[] = [];

beforeEach(() => {
  sent = [];
  refused = [];
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    const request = JSON.parse(body) as (typeof sent)[number];
    sent.push(request);
    const results = request.decisions.map(({ taskId }) => ({
      taskId,
      decided: !refused.includes(taskId),
      message: 'Somebody else decided it.',
    }));
    return new Response(JSON.stringify({ signature: { id: 's' }, results }), { headers: { 'content-type': 'application/json' } });
  });
});
afterEach(() => vi.unstubAllGlobals());

function decide(count: number) {
  const store = createQueueStore(openState('me', view));
  for (let place = 0; place < count; place++) {
    store.dispatch({ kind: 'go', id: `t${place}` });
    store.dispatch({ kind: 'decide', choice: 'certify', comment: '', until: '', now: 1 });
  }
  return store;
}

it('waits for what is on its way, and leaves every draft that would be decided', async () => {
  const store = decide(2);
  const preparing = prepareSignature(store, 'r', 'key');
  await expect.poll(() => store.state.saving.sent).toHaveLength(2);
  expect(sent).toEqual([]);
  store.dispatch({ kind: 'sent', version: '1', now: 2 });
  expect((await preparing).signature?.id).toBe('s');
  expect(sent.map(({ decisions, idempotencyKey }) => [decisions.length, idempotencyKey])).toEqual([[2, 'key']]);
  expect([...store.state.drafts.values()].map(({ refused: why }) => why)).toEqual(['', '']);
  expect(store.state.submission.phase).toBe('idle');
});

it('says of a draft why it would not be taken', async () => {
  refused = ['t1'];
  const store = decide(2);
  const preparing = prepareSignature(store, 'r', 'key');
  store.dispatch({ kind: 'sent', version: '1', now: 2 });
  await preparing;
  expect([...store.state.drafts.values()].map(({ taskId, refused: why }) => [taskId, why])).toEqual([
    ['t0', ''],
    ['t1', 'Somebody else decided it.'],
  ]);
});

it('takes the thousand that the server keeps', async () => {
  const store = decide(1001);
  const preparing = prepareSignature(store, 'r', 'key');
  store.dispatch({ kind: 'sent', version: '1', now: 2 });
  await preparing;
  expect(sent.map(({ decisions }) => decisions.length)).toEqual([1000]);
  expect(store.state.drafts.size).toBe(1001);
});
