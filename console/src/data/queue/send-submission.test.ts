/** Sending a submission: after what is on its way, in parts, and once only. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { importDraftKey } from './draft-seal.ts';
import { sendSubmissions } from './send-submission.ts';
import { openState } from './state/state.ts';
import { createQueueStore } from './store.ts';

const view = { by: 'app', group: '', show: 'todo', q: '', sort: 'closer' } as const;
let sent: { decisions: { taskId: string }[]; idempotencyKey: string }[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    const request = JSON.parse(body) as (typeof sent)[number];
    sent.push(request);
    const results = request.decisions.map(({ taskId }) => ({ taskId, decided: true }));
    return new Response(JSON.stringify({ results }), { headers: { 'content-type': 'application/json' } });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function begin(count: number) {
  const store = createQueueStore(openState('me', view));
  const told: unknown[] = [];
  const of = { tenantId: 't', userId: 'me', reviewId: 'r', draftKey: await importDraftKey(Buffer.alloc(32, 1).toString('base64url')) };
  const stop = sendSubmissions(store, of, { send: (news) => told.push(news), hear: () => () => undefined });
  for (let place = 0; place < count; place++) {
    store.dispatch({ kind: 'go', id: `t${place}` });
    store.dispatch({ kind: 'decide', choice: 'certify', comment: '', until: '', now: 1 });
  }
  const submit = (): void => store.dispatch({ kind: 'submit', drafts: [...store.state.drafts.values()], key: 'key', now: 1 });
  return { store, told, stop, submit };
}

it('waits for ten seconds, then for what is on its way', async () => {
  const { store, told, submit } = await begin(1);
  store.dispatch({ kind: 'send' });
  submit();
  await vi.advanceTimersByTimeAsync(10_000);
  expect([store.state.submission.phase, sent.length]).toEqual(['sending', 0]);
  store.dispatch({ kind: 'sent', now: 2 });
  await vi.advanceTimersByTimeAsync(0);
  expect([store.state.submission.phase, sent.length, store.state.drafts.size, told.length]).toEqual(['done', 1, 0, 1]);
});

it('goes in parts under one key', async () => {
  const { store, submit } = await begin(1001);
  submit();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent.map(({ decisions, idempotencyKey }) => [decisions.length, idempotencyKey])).toEqual([
    [1000, 'key-0'],
    [1, 'key-1'],
  ]);
  expect(store.state.submission).toMatchObject({ phase: 'done', count: 1001 });
});

it('is not sent by a page that is left while it waits', async () => {
  const { submit, stop } = await begin(1);
  submit();
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toEqual([]);
});
