/** What a decision about several takes, what it leaves out, and what may be chosen. */
import { describe, expect, it } from 'vitest';
import type { QueueRow } from '~/data/queue/queue-rows.ts';
import { isMeant } from '~/data/queue/drafts.ts';
import { type Action, reduce } from './reduce.ts';
import { openState, type QueueState } from './state.ts';
import { freeTargets, leftOut, needsReason, refusalOf } from './targets.ts';

const view = { by: 'app', group: '', show: 'all', q: '', sort: 'closer' } as const;
const row = (taskId: string): QueueRow => ({ taskId, state: 'OPEN', actions: ['APPROVE', 'DENY', 'REASSIGN'] });
const after = (state: QueueState, ...actions: readonly Action[]): QueueState => actions.reduce(reduce, state);
const now = 1;
const toggle = (id: string): Action => ({ kind: 'toggle', id });
const decide: Action = { kind: 'decide', choice: 'certify', comment: '', until: '', now };
const news = (id: string, change: Partial<QueueRow>): Action => ({
  kind: 'newsCame',
  changes: new Map([[id, change]]),
  asked: new Map(),
  remark: 'first',
  now,
});
const open = (): QueueState => {
  const first = openState('me', view);
  const rows = ['a', 'b', 'c', 'd'].map(row);
  return after(
    first,
    { kind: 'pagesCame', reading: first.rows.reading, pages: [{ rows }], isComplete: true },
    { kind: 'opened', view, task: '' },
  );
};
const chosen = (): QueueState => after(open(), toggle('a'), toggle('b'), toggle('c'));
const meant = ({ drafts }: QueueState): string[] => [...drafts.values()].filter(isMeant).map(({ taskId }) => taskId);
const closed = { state: 'CLOSED', outcome: 'CERTIFIED' };

describe('a decision about several', () => {
  it.each([
    ['others', { ...closed, decidedByUserId: 'u2' }],
    ['mine', { ...closed, decidedByUserId: 'me' }],
    ['gone', { state: 'CLOSED', outcome: 'CANCELLED' }],
    ['forbidden', { actions: [] }],
  ] as const)('leaves out what became %s meanwhile', (kind, change) => {
    const state = reduce(chosen(), news('b', change as Partial<QueueRow>));
    expect(leftOut(state)).toMatchObject([{ id: 'b', kind }]);
    expect([freeTargets(state), refusalOf(state), needsReason(state, 'certify')]).toEqual([['a', 'c'], undefined, false]);
    const decided = reduce(state, decide);
    expect([meant(decided), decided.selected.size]).toEqual([['a', 'c'], 0]);
  });

  it('leaves out what is not in the list any more', () => {
    const state = { ...chosen(), selected: new Set(['a', 'x']) };
    expect([leftOut(state), freeTargets(state)]).toEqual([[{ id: 'x', kind: 'gone' }], ['a']]);
  });

  it('leaves out what was passed on, and what a draft stands beside', () => {
    const first = after(chosen(), { kind: 'passed', ids: ['d'], name: 'Farid', isDone: false, now });
    expect(leftOut({ ...first, selected: new Set(['d', 'a']) })).toMatchObject([{ id: 'd', kind: 'gone' }]);
    const drafted = after(
      open(),
      { kind: 'go', id: 'b' },
      decide,
      toggle('a'),
      toggle('b'),
      news('b', { ...closed, decidedByUserId: 'u2' }),
    );
    expect([leftOut(drafted).map(({ id }) => id), freeTargets(drafted)]).toEqual([['b'], ['a']]);
  });

  it('is refused where nothing of it can be decided', () => {
    const state = ['a', 'b', 'c'].reduce((next, id) => reduce(next, news(id, { ...closed, decidedByUserId: 'u2' })), chosen());
    expect([refusalOf(state)?.kind, freeTargets(state), meant(reduce(state, decide))]).toEqual(['others', [], []]);
  });

  it('takes a row out of the selection whatever became of it, and never back in', () => {
    const state = reduce(chosen(), news('b', { ...closed, decidedByUserId: 'u2' }));
    const without = reduce(state, toggle('b'));
    expect([...without.selected]).toEqual(['a', 'c']);
    expect([...reduce(without, toggle('b')).selected]).toEqual(['a', 'c']);
  });

  it('of a range, a part or the next row takes nothing that cannot be decided', () => {
    const state = after(open(), news('b', { ...closed, decidedByUserId: 'u2' }), { kind: 'go', id: 'a' });
    expect([...after(state, toggle('a'), { kind: 'selectTo', id: 'd' }).selected]).toEqual(['a', 'c', 'd']);
    expect([...after(state, { kind: 'extend', by: 1 }, { kind: 'extend', by: 1 }).selected]).toEqual(['a', 'c']);
    expect([...after(state, { kind: 'selectSection' }).selected]).toEqual(['a', 'c', 'd']);
  });
});

it('says of an item that went to others, or that is gone, not that somebody was first', () => {
  const decided = after(open(), decide);
  const kindOf = (change: Partial<QueueRow>) => refusalOf({ ...after(decided, news('a', change)), current: 'a' })?.kind;
  expect([
    kindOf({ actions: [] }),
    kindOf({ state: 'CLOSED', outcome: 'CANCELLED' }),
    kindOf({ state: 'CLOSED', outcome: 'CERTIFIED', decidedBy: 'Farid' }),
  ]).toEqual(['gone', 'gone', 'others']);
});

describe('passing on several', () => {
  it('keeps those that did not go as the selection', () => {
    const state = reduce(chosen(), { kind: 'passed', ids: ['a', 'c'], name: 'Farid', isDone: false, now });
    expect([[...state.selected], state.mode]).toEqual([['b'], 'free']);
    expect(reduce(state, { kind: 'passed', ids: ['b'], name: 'Farid', isDone: true, now }).selected.size).toBe(0);
  });
});
