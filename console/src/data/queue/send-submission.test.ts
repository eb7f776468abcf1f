/** Sending a submission: after what is on its way, in parts, once only, and as it was confirmed or not at all. */
import { expect, it } from 'vitest';
import { listToSave } from './drafts.ts';
import { deny, World } from './save-drafts.fixture.ts';
import { sendSubmissions } from './send-submission.ts';
import { openState } from './state/state.ts';
import { createQueueStore } from './store.ts';

const view = { by: 'app', group: '', show: 'todo', q: '', sort: 'closer' } as const;
const outage = { kind: 'outage', message: '' } as const;

/** A tab of a device that submits. */
function begin(count: number, world = new World()) {
  const store = createQueueStore(openState('me', view));
  const around = world.around();
  const freshen = async (): Promise<void> => store.dispatch({ kind: 'stagedCame', staged: await world.server.list(), now: 1 });
  const stop = sendSubmissions(store, { ...around, freshen });
  for (let place = 0; place < count; place++) {
    store.dispatch({ kind: 'go', id: `t${place}` });
    store.dispatch({ kind: 'decide', choice: 'certify', comment: '', until: '', now: 1 });
  }
  const save = async (): Promise<void> => {
    const { drafts } = store.state;
    const answer = await world.server.save(listToSave(drafts), '');
    store.dispatch('version' in answer ? { kind: 'sent', ...answer, now: 1 } : { kind: 'sendFailed', failure: answer, now: 1 });
  };
  const submit = async (key = 'key'): Promise<void> => {
    store.dispatch({ kind: 'submit', drafts: [...store.state.drafts.values()], key, now: 1 });
    await save();
  };
  return { world, store, stop, save, submit, ask: (ask: 'undo' | 'send') => around.tabs.send({ ask }) };
}

const partsOf = ({ world }: ReturnType<typeof begin>) =>
  world.server.submissions.map(({ decisions, key, version, isTaken }) => [decisions.length, key, version, isTaken]);
const phaseOf = ({ store }: ReturnType<typeof begin>) => store.state.submission.phase;
const meantBy = ({ store }: ReturnType<typeof begin>) =>
  [...store.state.drafts.values()].filter(({ choice }) => choice !== 'none').map(({ taskId }) => taskId);

it('waits for ten seconds, then for what is on its way', async () => {
  const tab = begin(1);
  tab.store.dispatch({ kind: 'submit', drafts: [...tab.store.state.drafts.values()], key: 'key', now: 1 });
  await tab.world.pass(10_000);
  expect([phaseOf(tab), partsOf(tab)]).toEqual(['sending', []]);
  await tab.save();
  await tab.world.pass(0);
  expect([phaseOf(tab), partsOf(tab), meantBy(tab)]).toEqual(['done', [[1, 'key-0', '1', true]], []]);
  expect([tab.store.state.known.version, tab.world.submission]).toEqual(['2', undefined]);
});

it('goes in parts under one key, the first of them with the version of what was confirmed', async () => {
  const tab = begin(1001);
  await tab.submit();
  await tab.world.pass(10_000);
  expect(partsOf(tab)).toEqual([
    [1000, 'key-0', '1', true],
    [1, 'key-1', '', true],
  ]);
  expect(tab.store.state.submission).toMatchObject({ phase: 'done', count: 1001 });
});

it('is not sent by a page that is left while it waits', async () => {
  const tab = begin(1);
  await tab.submit();
  tab.stop();
  await tab.world.pass(60_000);
  expect([partsOf(tab), tab.world.submission?.phase]).toEqual([[], 'waiting']);
});

it('is not recorded where another device changed any of it meanwhile', async () => {
  const tab = begin(2);
  await tab.submit();
  await tab.world.pass(9_000);
  tab.world.server.put([deny('t0')]);
  await tab.world.pass(1_000);
  expect([partsOf(tab), phaseOf(tab), meantBy(tab), tab.world.submission]).toEqual([
    [[2, 'key-0', '1', false]],
    'changed',
    ['t0'],
    undefined,
  ]);
  expect(tab.store.state.drafts.get('t0')).toMatchObject({ choice: 'deny' });
});

it('goes on where another device changed something else', async () => {
  const tab = begin(1);
  await tab.submit();
  tab.world.server.put([...tab.world.server.values.values(), deny('z')]);
  await tab.world.pass(10_000);
  expect(partsOf(tab)).toEqual([
    [1, 'key-0', '1', false],
    [1, 'key-0', '2', true],
  ]);
  expect([phaseOf(tab), meantBy(tab)]).toEqual(['done', ['z']]);
});

it('whose answer was lost is sent again under its key, and recorded once', async () => {
  const tab = begin(1);
  await tab.submit();
  tab.world.server.lost = 1;
  await tab.world.pass(10_000);
  expect([phaseOf(tab), tab.world.submission]).toMatchObject(['failed', { phase: 'sending', version: '1' }]);
  tab.store.dispatch({ kind: 'sendSubmission' });
  await tab.world.pass(0);
  expect([phaseOf(tab), meantBy(tab), tab.world.server.version, tab.world.submission]).toEqual(['done', [], '2', undefined]);
});

it('that did not arrive is not recorded as it was, where it was changed since', async () => {
  const tab = begin(1);
  await tab.submit();
  tab.world.server.failures = [outage];
  await tab.world.pass(10_000);
  tab.store.dispatch({ kind: 'go', id: 't0' });
  tab.store.dispatch({ kind: 'decide', choice: 'deny', comment: 'left', until: '', now: 2 });
  await tab.save();
  tab.store.dispatch({ kind: 'sendSubmission' });
  await tab.world.pass(0);
  expect([phaseOf(tab), meantBy(tab), tab.world.server.recorded.size]).toEqual(['changed', ['t0'], 0]);
});

it('of one tab holds the others until it is over, and they can take it back or send it', async () => {
  const left = begin(2);
  const right = begin(0, left.world);
  await left.submit();
  await left.world.pass(0);
  expect(right.store.state.submission).toMatchObject({ phase: 'elsewhere', count: 2 });
  const late = begin(0, left.world);
  await left.world.pass(0);
  expect([phaseOf(late), left.world.submission?.phase]).toEqual(['elsewhere', 'waiting']);
  right.ask('undo');
  await left.world.pass(0);
  expect([left, right, late].map(phaseOf)).toEqual(['idle', 'idle', 'idle']);
  await left.submit('other');
  right.ask('send');
  await left.world.pass(0);
  expect([[left, right, late].map(phaseOf), partsOf(left)]).toEqual([['done', 'idle', 'idle'], [[2, 'other-0', '1', true]]]);
});

it('that is sent at once has the lock that it waits for', async () => {
  const tab = begin(1);
  const submitted = tab.submit();
  tab.store.dispatch({ kind: 'sendSubmission' });
  await submitted;
  await tab.world.pass(0);
  expect([phaseOf(tab), partsOf(tab).length]).toEqual(['done', 1]);
});

it('is begun by one of two tabs that begin at once', async () => {
  const left = begin(1);
  const right = begin(1, left.world);
  await Promise.all([left.submit(), right.submit('other')]);
  await left.world.pass(10_000);
  expect([[left, right].map(phaseOf).sort(), partsOf(left).filter((part) => part.at(-1)).length]).toEqual([['done', 'idle'], 1]);
});

it('that a tab left says so in the others', async () => {
  const left = begin(1);
  const right = begin(0, left.world);
  await left.submit();
  await left.world.pass(0);
  left.stop();
  await left.world.pass(0);
  expect([right.store.state.submission, partsOf(left), left.world.submission]).toMatchObject([{ phase: 'left', count: 1 }, [], undefined]);
});
