/** Each transition of a queue's state, from one state to the next. */
import { describe, expect, it } from 'vitest';
import { ClientError } from '~/data/query.ts';
import { counts, type Draft, isMeant } from '~/data/queue/drafts.ts';
import { knowList, nothingKnown } from '~/data/queue/known.ts';
import type { QueueReply, QueueRow } from '~/data/queue/queue-rows.ts';
import { isDecided, readGroups, readSaving, readTotals, rowIds } from './read-state.ts';
import { type Action, reduce } from './reduce.ts';
import { openState, type QueueState } from './state.ts';
import { refusalOf } from './targets.ts';
import type { QueueView } from './view.ts';

const view: QueueView = { by: 'app', group: '', show: 'todo', q: '', sort: 'closer' };
const now = 1_000_000;

const row = (taskId: string, more: Partial<QueueRow> = {}): QueueRow => ({
  taskId,
  state: 'OPEN',
  actions: ['APPROVE', 'DENY', 'REASSIGN'],
  section: 'REVIEW_QUEUE_SECTION_CLOSER',
  appId: 'ledger',
  appDisplayName: 'Ledger',
  person: `Person of ${taskId}`,
  ...more,
});
const unchanged = (taskId: string, more: Partial<QueueRow> = {}) => row(taskId, { section: 'REVIEW_QUEUE_SECTION_UNCHANGED', ...more });

const page = (rows: readonly QueueRow[], total = rows.length): QueueReply => ({
  rows: [...rows],
  counts: { total: String(total), todo: String(total), decided: '0', staged: '0' },
  sections: ['CLOSER', 'UNCHANGED'].map((name) => ({
    section: `REVIEW_QUEUE_SECTION_${name}`,
    counts: { total: String(rows.filter(({ section }) => section?.endsWith(`_${name}`)).length) },
  })) as QueueReply['sections'],
  groups: [{ id: 'ledger', displayName: 'Ledger', counts: { total: String(total), todo: String(total) } }],
});

/** The state after these actions. */
const after = (state: QueueState, ...actions: readonly Action[]): QueueState => actions.reduce(reduce, state);

const come = (state: QueueState, pages: readonly QueueReply[], isComplete = true): QueueState =>
  reduce(state, { kind: 'pagesCame', reading: state.rows.reading, pages, isComplete });

const open = (rows: readonly QueueRow[] = [row('a'), row('b'), unchanged('c'), unchanged('d')], shown = view): QueueState =>
  reduce(come(openState('me', shown), [page(rows)]), { kind: 'opened', view: shown, task: '' });

const decide = (choice: 'certify' | 'deny' = 'certify', more: Partial<Extract<Action, { kind: 'decide' }>> = {}): Action => ({
  kind: 'decide',
  choice,
  comment: '',
  until: '',
  now,
  ...more,
});
const meant = ({ drafts }: QueueState): string[] => [...drafts.values()].filter(counts).map(({ taskId }) => taskId);
const news = (more: Partial<Extract<Action, { kind: 'newsCame' }>>): Action => ({
  kind: 'newsCame',
  changes: new Map(),
  asked: new Map(),
  remark: 'Somebody was first.',
  now,
  ...more,
});

describe('opening', () => {
  it('goes to the task of the address, else to the first that is left', () => {
    expect(open().current).toBe('a');
    const read = come(openState('me', view), [page([row('a'), row('b')])]);
    expect(reduce(read, { kind: 'opened', view, task: 'b' }).current).toBe('b');
    expect(reduce(read, { kind: 'opened', view, task: 'gone' }).current).toBe('a');
    expect(open([row('a', { state: 'CLOSED', outcome: 'CERTIFIED' }), row('b')], { ...view, show: 'all' }).current).toBe('b');
  });

  it('shows nothing before it, and a view that is set before it is none', () => {
    const read = come(openState('me', view), [page([row('a')])]);
    expect([read.lines.items, read.current]).toEqual([[], '']);
    expect(reduce(read, { kind: 'view', view: { ...view, show: 'all' } })).toBe(read);
  });

  it('leaves out what was decided, and keeps what is decided later where it is', () => {
    const opened = open([row('a', { state: 'CLOSED', outcome: 'CERTIFIED' }), row('b'), row('c')]);
    expect(rowIds(opened)).toEqual(['b', 'c']);
    const decided = reduce(opened, decide());
    expect([rowIds(decided), decided.current]).toEqual([['b', 'c'], 'c']);
    const same = reduce(decided, { kind: 'view', view });
    expect(rowIds(same)).toEqual(['b', 'c']);
    const anew = after(decided, { kind: 'view', view: { ...view, show: 'all' } }, { kind: 'view', view });
    expect([rowIds(anew), anew.current]).toEqual([['c'], 'c']);
    expect(rowIds(reduce(decided, { kind: 'view', view: { ...view, show: 'mine' } }))).toEqual(['b']);
  });
});

describe('rows', () => {
  it('that come later stand behind, and nothing moves', () => {
    const first = reduce(come(openState('me', view), [page([row('a'), row('b')], 4)], false), { kind: 'opened', view, task: 'b' });
    expect([first.rows.phase, first.lines.count, first.current]).toEqual(['more', 2, 'b']);
    const both = come(first, [page([row('a'), row('b')], 4), page([row('b'), row('c'), row('d')])]);
    expect([rowIds(both), both.current, both.rows.phase]).toEqual([['a', 'b', 'c', 'd'], 'b', 'complete']);
  });

  it('are gone to the end with whoever wanted there, unless they went elsewhere', () => {
    const pages = [page([row('a'), row('b')], 4), page([row('c')]), page([row('d')])];
    const first = reduce(come(openState('me', view), pages.slice(0, 1), false), { kind: 'opened', view, task: '' });
    const going = reduce(first, { kind: 'goToEnd' });
    expect([going.current, going.rows.wanted]).toEqual(['b', Number.POSITIVE_INFINITY]);
    const more = come(going, pages.slice(0, 2), false);
    expect([more.current, come(more, pages).current, come(more, pages).toEnd]).toEqual(['c', 'd', undefined]);
    expect(come(reduce(more, { kind: 'move', by: -1 }), pages).current).toBe('b');
    const failed = reduce(going, { kind: 'pagesFailed', error: new ClientError('no', { status: 503, code: 'UNAVAILABLE' }) });
    expect([failed.rows.phase, come(failed, pages).current]).toEqual(['failed', 'b']);
  });

  it('of a reading that nobody wants any more are left', () => {
    const opened = open();
    const sorted = reduce(opened, { kind: 'view', view: { ...view, sort: 'person' } });
    expect([sorted.rows.phase, rowIds(sorted)]).toEqual(['more', ['a', 'b', 'c', 'd']]);
    const late: Action = { kind: 'pagesCame', reading: opened.rows.reading, pages: [page([row('z')])], isComplete: true };
    expect(reduce(sorted, late)).toBe(sorted);
    const came = come(reduce(sorted, { kind: 'go', id: 'c' }), [page([row('d'), row('c'), row('b'), row('a')])]);
    expect([rowIds(came), came.current]).toEqual([['d', 'c', 'b', 'a'], 'd']);
  });

  it('are wanted up to the largest number, and from none in another reading', () => {
    const wanting = after(open(), { kind: 'wantRows', until: 2000 }, { kind: 'wantRows', until: 10 });
    expect([wanting.rows.wanted, reduce(wanting, { kind: 'readAnew' }).rows.wanted]).toEqual([2000, 0]);
  });

  it('have groups by each grouping that was read', () => {
    const groups = [{ id: 'p', name: 'Jonas', total: 4, todo: 4, decided: 0, staged: 0 }];
    expect(reduce(open(), { kind: 'groupsCame', by: 'person', groups }).rows.groups.get('person')).toEqual(groups);
  });
});

describe('going', () => {
  it('is up, down, to the ends and to what is left', () => {
    const opened = open();
    const at = (...actions: readonly Action[]): string => after(opened, ...actions).current;
    expect([at({ kind: 'move', by: 1 }), at({ kind: 'move', by: 10 }), at({ kind: 'move', by: -1 })]).toEqual(['b', 'd', 'a']);
    expect([at({ kind: 'goToEnd' }), at({ kind: 'goToEnd' }, { kind: 'goToStart' })]).toEqual(['d', 'a']);
    expect([at({ kind: 'moveSection', by: 1 }), at({ kind: 'goToEnd' }, { kind: 'moveSection', by: -1 })]).toEqual(['c', 'a']);
    expect([at(decide(), { kind: 'go', id: 'd' }, { kind: 'goToNextLeft' }), at({ kind: 'go', id: '' })]).toEqual(['b', 'a']);
  });

  it('closes a field, and staying does not', () => {
    const fielded = reduce(open(), { kind: 'mode', mode: 'until' });
    expect([reduce(fielded, { kind: 'go', id: 'a' }).mode, reduce(fielded, { kind: 'go', id: 'b' }).mode]).toEqual(['until', 'free']);
  });
});

describe('choosing', () => {
  const chosen = (...actions: readonly Action[]): string[] => [...after(open(rows), ...actions).selected];
  const rows = [row('a'), row('x', { terms: ['CONFLICT'] }), unchanged('c'), unchanged('d', { terms: ['RISK'] }), unchanged('e')];

  it('takes one and leaves it out, and never what is decided by itself', () => {
    const toggle = (id: string): Action => ({ kind: 'toggle', id });
    expect([chosen(toggle('a')), chosen(toggle('a'), toggle('a')), chosen(toggle('x')), chosen(toggle('gone'))]).toEqual([
      ['a'],
      [],
      [],
      [],
    ]);
  });

  it('takes the next one, a range, a section, or what is plain of it', () => {
    expect(chosen({ kind: 'extend', by: 1 }, { kind: 'extend', by: 1 })).toEqual(['a', 'c']);
    expect(chosen({ kind: 'toggle', id: 'a' }, { kind: 'selectTo', id: 'd' })).toEqual(['a', 'c', 'd']);
    expect(chosen({ kind: 'go', id: 'd' }, { kind: 'selectSection' })).toEqual(['c', 'd', 'e']);
    expect(chosen({ kind: 'selectPlain', ids: ['c', 'd', 'e'] })).toEqual(['c', 'e']);
  });

  it('ends with a decision about all of it, and so does the comment beside it', () => {
    const state = after(open(rows), { kind: 'selectPlain', ids: ['c', 'e'] }, { kind: 'share', comment: 'Seen.' });
    const decided = reduce(state, decide('certify', { comment: 'Seen.' }));
    expect([meant(decided), decided.selected.size, decided.shared, decided.steps.length]).toEqual([['c', 'e'], 0, '', 1]);
    expect(meant(reduce(decided, { kind: 'undoLast', now }))).toEqual([]);
    expect(reduce(state, { kind: 'clearSelection' }).shared).toBe('');
  });
});

describe('deciding', () => {
  it('is counted at once, and goes to the next one', () => {
    const decided = after(open(), decide(), decide('deny'));
    expect([meant(decided), decided.current]).toEqual([['a', 'b'], 'c']);
    expect(readTotals(decided)).toEqual({ total: 4, left: 2, decided: 2, mine: 2, drafts: 2 });
    expect(readGroups(decided)).toEqual([{ id: 'ledger', name: 'Ledger', total: 4, left: 2 }]);
    expect(decided.drafts.get('b')).toMatchObject({ choice: 'deny', at: now + 1, amend: false });
  });

  it('of what was submitted changes it', () => {
    const opened = open([row('a', { state: 'CLOSED', outcome: 'CERTIFIED', decidedByUserId: 'me' })], { ...view, show: 'all' });
    expect(reduce(opened, decide('deny')).drafts.get('a')?.amend).toBe(true);
  });

  it('is taken back where one is, and goes there', () => {
    const decided = after(open(), decide(), decide(), { kind: 'go', id: 'd' });
    const back = reduce(decided, { kind: 'undoLast', now });
    expect([meant(back), back.current]).toEqual([['a'], 'b']);
    expect(meant(reduce(decided, { kind: 'undoTask', id: 'a', now }))).toEqual(['b']);
    expect(reduce(decided, { kind: 'undoTask', id: 'd', now })).toBe(decided);
  });

  it('is refused for what is somebody else’s, not there, forbidden, or on its way', () => {
    const rows = [row('a'), row('o', { state: 'CLOSED', outcome: 'CERTIFIED', decidedByUserId: 'u2' }), row('f', { actions: [] })];
    const opened = open(rows, { ...view, show: 'all' });
    const refused = (...actions: readonly Action[]) => refusalOf(after(opened, ...actions))?.kind;
    expect(['a', 'o', 'f', 'gone'].map((id) => refused({ kind: 'go', id }))).toEqual([undefined, 'others', 'forbidden', 'gone']);
    expect(refused(decide(), { kind: 'submit', drafts: [], key: 'k', now })).toBe('forbidden');
    const drafts = [...reduce(opened, decide()).drafts.values()];
    expect(refused(decide(), { kind: 'submit', drafts, key: 'k', now })).toBe('underway');
  });

  it('of what somebody else decided meanwhile stands beside it until it is agreed to', () => {
    const changes = new Map([['a', { state: 'CLOSED', outcome: 'DECERTIFIED', decidedByUserId: 'u2', decidedBy: 'Farid' }]]);
    const first = after(open(), decide(), news({ changes }));
    expect([meant(first), first.drafts.get('a')?.refused, first.rows.counts.decided]).toEqual([[], 'Somebody was first.', 1]);
    expect(refusalOf({ ...first, current: 'a' })).toMatchObject({ kind: 'others', row: { decidedBy: 'Farid' } });
    expect([...reduce(first, { kind: 'discard', id: 'a', now }).drafts.values()].filter(isMeant)).toEqual([]);
  });
});

describe('tasks of others', () => {
  it('that were passed on are no longer one’s own', () => {
    const passed = reduce(open(), { kind: 'passed', ids: ['a'], name: 'Farid', isDone: true, now });
    expect([isDecided(passed, 'a'), passed.current, readTotals(passed).left]).toEqual([true, 'b', 3]);
    expect(reduce(open(), { kind: 'passed', ids: [], name: 'Farid', isDone: false, now }).current).toBe('a');
    // What was decided about it before is not submitted.
    expect(meant(after(open(), decide(), { kind: 'passed', ids: ['a'], name: 'Farid', isDone: true, now }))).toEqual([]);
  });

  it('that ask now are shown when that is wanted, as if they had never been here', () => {
    const asked = new Map([
      ['a', '2026-01-01'],
      ['n', '2026-01-02'],
    ]);
    const opened = after(open(), { kind: 'passed', ids: ['a'], name: 'Farid', isDone: true, now }, news({ asked }));
    expect([[...opened.asked.keys()], rowIds(opened)]).toEqual([
      ['a', 'n'],
      ['a', 'b', 'c', 'd'],
    ]);
    const shown = come(reduce(opened, { kind: 'readAnew' }), [page([row('b'), row('n'), row('a')])]);
    expect([rowIds(shown), shown.current, shown.asked.size, isDecided(shown, 'a')]).toEqual([['b', 'n', 'a'], 'n', 0, false]);
    expect(reduce(shown, news({ asked })).asked.size).toBe(0);
    // Those that are here as tasks to decide are no news.
    expect(reduce(open(), news({ asked: new Map([['b', '1']]) })).asked.size).toBe(0);
  });

  it('keep what others did while the rows are read anew, and forget what the rows say themselves', () => {
    const closed = { state: 'CLOSED', outcome: 'CERTIFIED', decidedByUserId: 'u2' };
    const before = reduce(open(), news({ changes: new Map([['a', closed]]) }));
    const during = after(before, { kind: 'readAnew' }, news({ changes: new Map([['b', closed]]) }));
    const anew = come(during, [page([row('a'), row('b'), row('c')])]);
    expect(['a', 'b', 'c'].map((id) => anew.rows.byId.get(id)?.state)).toEqual(['OPEN', 'CLOSED', 'OPEN']);
  });
});

describe('saving', () => {
  const saving = (state: QueueState) => ({ ...readSaving(state), dueAt: state.saving.dueAt });

  it('is planned, sent as a whole, and done', () => {
    const decided = after(open(), decide(), decide());
    expect(saving(decided)).toMatchObject({ state: 'waiting', unsaved: 2, since: now, dueAt: now + 2000 });
    const sending = reduce(decided, { kind: 'send' });
    expect([sending.saving.phase, sending.saving.sent?.map(({ taskId }) => taskId)]).toEqual(['sending', ['a', 'b']]);
    expect(reduce(sending, { kind: 'send' })).toBe(sending);
    const changed = reduce(sending, decide());
    expect(saving(changed)).toMatchObject({ state: 'sending', unsaved: 3, dueAt: 0 });
    const sent = reduce(changed, { kind: 'sent', version: '1', now: now + 5 });
    expect(saving(sent)).toMatchObject({ state: 'waiting', unsaved: 1, dueAt: now + 4005 });
    expect(saving(after(sent, { kind: 'send' }, { kind: 'sent', version: '2', now }))).toMatchObject({
      state: 'saved',
      unsaved: 0,
      dueAt: 0,
    });
  });

  it('is tried again later and later, until it is over', () => {
    const outage = { kind: 'outage', message: 'no answer' } as const;
    let state = reduce(open(), decide());
    const waits: number[] = [];
    for (let round = 0; round < 7; round++) {
      state = after(state, { kind: 'send' }, { kind: 'sendFailed', failure: outage, now });
      waits.push(state.saving.dueAt - now);
    }
    expect([state.saving.phase, waits]).toEqual(['device', [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]]);
    expect(after(state, { kind: 'send' }).saving.phase).toBe('device');
    expect(after(state, { kind: 'send' }, { kind: 'sent', version: '2', now }).saving).toMatchObject({ phase: 'saved', failures: 0 });
  });

  it('goes on with the rest when some are refused, also after an outage', () => {
    const failure = { kind: 'tasks', message: '', tasks: new Map([['a', 'is no task of yours']]) } as const;
    const outage = { kind: 'outage', message: 'no answer' } as const;
    const away = after(open(), decide(), decide(), { kind: 'send' }, { kind: 'sendFailed', failure: outage, now });
    const refused = after(away, { kind: 'send' }, { kind: 'sendFailed', failure, now });
    expect([meant(refused), refused.saving.phase, refused.saving.dueAt]).toEqual([['b'], 'waiting', now + 4000]);
  });

  it('stops where the session or the review has ended', () => {
    const decided = after(open(), decide(), { kind: 'send' }, { kind: 'sendFailed', failure: { kind: 'signedOut', message: '' }, now });
    expect(saving(reduce(decided, decide()))).toMatchObject({ state: 'signedOut', unsaved: 2, dueAt: 0 });
    const ended = after(open(), decide(), { kind: 'reviewEnded' });
    expect([ended.saving.phase, reduce(ended, { kind: 'reviewEnded' })]).toEqual(['closed', ended]);
  });

  it('takes what another tab and the server hold', () => {
    const draft: Draft = { taskId: 'a', choice: 'deny', comment: '', until: '', at: 5, amend: false, refused: '' };
    const value = { taskId: 'a', choice: 'deny', comment: '', until: '', amend: false } as const;
    const drafts = new Map([['a', draft]]);
    const heard = reduce(open(), {
      kind: 'copiesCame',
      drafts,
      known: knowList(nothingKnown, { version: '1', decisions: [value] }),
      latest: 0,
      now,
    });
    expect([meant(heard), saving(heard).unsaved]).toEqual([['a'], 0]);
    const staged = { version: '2', decisions: [{ ...value, taskId: 'b' }] };
    expect(meant(reduce(heard, { kind: 'stagedCame', staged, now }))).toEqual(['b']);
    // The other tab sends what it decided; where it is gone by then, this one does.
    expect(saving(reduce(open(), { kind: 'copiesCame', drafts, known: nothingKnown, latest: 0, now })).dueAt).toBe(now + 10_000);
    expect(saving(after(open(), { kind: 'copiesCame', drafts, known: nothingKnown, latest: 0, now }, decide(), decide())).dueAt).toBe(
      now + 2000,
    );
  });

  it('is at once where this device keeps nothing', () => {
    expect(saving(after(open(), { kind: 'notKept', now }, decide())).dueAt).toBe(now);
    expect(saving(after(open(), decide(), { kind: 'notKept', now })).dueAt).toBe(now);
  });
});

describe('a submission', () => {
  const decided = after(open(), decide(), decide('deny'));
  const drafts = [...decided.drafts.values()];
  const begun = reduce(decided, { kind: 'submit', drafts, key: 'k', now });
  const result = (taskId: string, isIt = true) => ({ taskId, decided: isIt, code: '', message: isIt ? '' : 'already denied' });

  it('waits ten seconds, in which it can be taken back', () => {
    expect(begun.submission).toMatchObject({ phase: 'waiting', count: 2, endsAt: now + 10_000, kept: { phase: 'waiting', key: 'k' } });
    expect(reduce(begun, { kind: 'submit', drafts, key: 'l', now })).toBe(begun);
    expect(reduce(decided, { kind: 'submit', drafts: [], key: 'l', now })).toBe(decided);
    const back = reduce(begun, { kind: 'undoLast', now });
    expect([back.submission.phase, back.submission.kept, meant(back)]).toEqual(['idle', undefined, ['a', 'b']]);
    expect(reduce(begun, { kind: 'undoTask', id: 'a', now })).toBe(begun);
  });

  it('ends drafts and tasks part by part, and says what was refused', () => {
    const sending = reduce(begun, { kind: 'sendSubmission' });
    expect([sending.submission.phase, sending.submission.kept?.phase]).toEqual(['sending', 'sending']);
    expect([reduce(sending, { kind: 'undoLast', now }), reduce(sending, { kind: 'send' })]).toEqual([sending, sending]);
    const results = [result('a'), result('b', false)];
    const settled = reduce(sending, { kind: 'settled', results, sent: drafts, version: '3', now });
    expect([...settled.drafts.values()].filter(isMeant)).toMatchObject([{ taskId: 'b', refused: 'already denied' }]);
    expect(settled.rows.byId.get('a')).toMatchObject({ state: 'CLOSED', outcome: 'CERTIFIED', decidedByUserId: 'me' });
    const done = reduce(settled, { kind: 'submitted', results });
    expect(done.submission).toMatchObject({ phase: 'done', results, kept: undefined });
    expect(reduce(done, { kind: 'dismissSubmission' }).submission.phase).toBe('idle');
  });

  it('that is sent again leaves what was decided otherwise meanwhile, which changes what is recorded', () => {
    const failed = after(begun, { kind: 'sendSubmission' }, { kind: 'submissionFailed', message: '', requestId: '', isOutage: true, now });
    const again = after(failed, { kind: 'go', id: 'a' }, decide('deny'), { kind: 'sendSubmission' });
    const settled = reduce(again, { kind: 'settled', results: [result('a'), result('b')], sent: drafts, version: '3', now });
    expect([...settled.drafts.values()].filter(isMeant)).toMatchObject([{ taskId: 'a', choice: 'deny', amend: true, refused: '' }]);
    expect(settled.rows.byId.get('a')).toMatchObject({ state: 'CLOSED', outcome: 'CERTIFIED' });
  });

  it('does not go out where another tab or device changed what was confirmed', () => {
    const [first] = drafts;
    const changed = new Map([['a', { ...first, choice: 'deny', at: now + 9 } as Draft]]);
    const heard = reduce(begun, { kind: 'copiesCame', drafts: changed, known: nothingKnown, latest: 0, now });
    expect(heard.submission).toMatchObject({ phase: 'changed', count: 2, kept: undefined });
    const taken = reduce(begun, { kind: 'stagedCame', staged: { version: '4', decisions: [] }, now });
    expect(taken.submission.phase).toBe('waiting');
    const known = knowList(nothingKnown, { version: '3', decisions: drafts.filter(isMeant) });
    const saved = reduce({ ...begun, known }, { kind: 'stagedCame', staged: { version: '4', decisions: [] }, now });
    expect([saved.submission.phase, meant(saved)]).toEqual(['changed', []]);
    expect(reduce(begun, { kind: 'copiesCame', drafts: new Map(), known: nothingKnown, latest: 0, now }).submission.phase).toBe('waiting');
  });

  it('of another tab holds everything as it is until that is over', () => {
    const elsewhere = reduce(decided, { kind: 'submissionElsewhere', underway: { count: 2, endsAt: 5 } });
    expect([elsewhere.submission.phase, refusalOf(elsewhere)?.kind]).toEqual(['elsewhere', 'underway']);
    expect(reduce(elsewhere, { kind: 'undoTask', id: 'a', now })).toBe(elsewhere);
    expect(reduce(elsewhere, { kind: 'undoLast', now })).toBe(elsewhere);
    expect(reduce(elsewhere, { kind: 'submit', drafts, key: 'l', now })).toBe(elsewhere);
    expect(reduce(elsewhere, { kind: 'submissionElsewhere', underway: undefined }).submission.phase).toBe('idle');
    expect(reduce(decided, { kind: 'submissionElsewhere', underway: undefined })).toBe(decided);
  });

  it('stays on this device where nobody answered, and not where it was refused', () => {
    const sending = reduce(begun, { kind: 'sendSubmission' });
    const fail = (isOutage: boolean): QueueState =>
      reduce(sending, { kind: 'submissionFailed', message: 'why', requestId: 'r', isOutage, now });
    expect([fail(true).submission.kept?.key, fail(false).submission.kept]).toEqual(['k', undefined]);
    expect(reduce(fail(true), { kind: 'sendSubmission' }).submission.phase).toBe('sending');
    expect(reduce(fail(false), { kind: 'sendSubmission' }).submission.phase).toBe('failed');
    expect(meant(fail(false))).toEqual(['a', 'b']);
  });

  it('of an earlier visit never went out, or nobody knows', () => {
    const found = (phase: 'waiting' | 'sending') => reduce(decided, { kind: 'submissionFound', kept: { phase, key: 'k', drafts } });
    expect(found('waiting').submission).toMatchObject({ phase: 'left', count: 2, kept: undefined });
    expect(found('sending').submission).toMatchObject({ phase: 'unsure', count: 2, kept: { key: 'k' } });
    expect(reduce(begun, { kind: 'submissionFound', kept: { phase: 'sending', key: 'x', drafts } })).toBe(begun);
  });
});
