/** Decisions in any order of events, beside a plain list of what was meant: none is lost, and in the end the server has all. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tries } from '../../../../../test/support/runs.ts';
import { counts, type Drafts, isMeant } from '~/data/queue/drafts.ts';
import { isUnsaved, readRecord, writeRecord } from '~/data/queue/known.ts';
import { isUnderway } from './read-state.ts';
import { type Action, reduce } from './reduce.ts';
import { openState, type QueueState } from './state.ts';

const view = { by: 'app', group: '', show: 'all', q: '', sort: 'closer' } as const;
const ids = ['a', 'b', 'c', 'd', 'e'];
const rows = ids.map((taskId) => ({ taskId, state: 'OPEN', actions: ['APPROVE', 'DENY'] }));

type Choice = 'certify' | 'deny';

type Event =
  | { readonly kind: 'decide'; readonly id: string; readonly choice: Choice }
  | { readonly kind: 'undoTask'; readonly id: string }
  | { readonly kind: 'undoLast' | 'send' | 'arrive' | 'submit' | 'sendSubmission' | 'submitted' | 'lose' | 'reload' | 'echo' | 'readAnew' }
  | { readonly kind: 'refuse' | 'first' | 'settle'; readonly id: string }
  | { readonly kind: 'fail'; readonly failure: 'outage' | 'fault' | 'signedOut' };

const id = fc.constantFrom(...ids);
const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('decide' as const), id, choice: fc.constantFrom('certify' as const, 'deny' as const) }),
  },
  fc.record({ kind: fc.constant('undoTask' as const), id }),
  fc.record({
    kind: fc.constantFrom(
      ...(['undoLast', 'send', 'arrive', 'submit', 'sendSubmission', 'submitted', 'lose', 'reload', 'echo', 'readAnew'] as const),
    ),
  }),
  fc.record({ kind: fc.constantFrom('refuse' as const, 'first' as const, 'settle' as const), id }),
  fc.record({ kind: fc.constant('fail' as const), failure: fc.constantFrom('outage' as const, 'fault' as const, 'signedOut' as const) }),
);

function openPage(): QueueState {
  const first = openState('me', view);
  const came = reduce(first, { kind: 'pagesCame', reading: first.rows.reading, pages: [{ rows }], isComplete: true });
  return reduce(came, { kind: 'opened', view, task: '' });
}

/** A page with what the device and the server hold, and what the person means. */
class Story {
  state = openPage();
  time = 1_000_000;
  staged = new Map<string, Choice>();
  readonly recorded = new Set<string>();
  #version = 0;
  /** Decisions that are meant and not recorded, by task. */
  readonly meant = new Map<string, Choice>();

  /** The next version of the server's list. */
  version(): string {
    this.#version += 1;
    return String(this.#version);
  }

  do(action: Action): void {
    this.state = reduce(this.state, action);
  }

  happen(one: Event): void {
    const now = ++this.time;
    const { state } = this;
    const { saving, submission, drafts } = state;
    const isSent = saving.sent !== undefined;
    const isSubmitting = submission.phase === 'sending';
    if (one.kind === 'decide' && !isUnderway(state) && !this.recorded.has(one.id)) {
      this.do({ kind: 'go', id: one.id });
      this.do({ kind: 'decide', choice: one.choice, comment: '', until: '', now });
      this.meant.set(one.id, one.choice);
    } else if (one.kind === 'undoTask' || one.kind === 'undoLast') {
      this.do(one.kind === 'undoTask' ? { kind: 'undoTask', id: one.id, now } : { kind: 'undoLast', now });
      this.#takeBack(drafts, isUnderway(state));
    } else if (one.kind === 'send' || one.kind === 'readAnew') {
      this.do({ kind: one.kind });
    } else if (one.kind === 'arrive' && saving.sent !== undefined) {
      this.staged = new Map(saving.sent.map(({ taskId, choice }) => [taskId, choice]));
      this.do({ kind: 'sent', version: this.version(), now });
    } else if (one.kind === 'fail' && isSent) {
      this.do({ kind: 'sendFailed', failure: { kind: one.failure, message: '' }, now });
    } else if (one.kind === 'refuse' && isSent) {
      this.do({ kind: 'sendFailed', failure: { kind: 'tasks', message: '', tasks: new Map([[one.id, 'not yours']]) }, now });
    } else if (one.kind === 'first') {
      this.do({ kind: 'newsCame', changes: new Map([[one.id, { decidedBy: 'Farid' }]]), asked: new Map(), remark: 'first', now });
    } else if (one.kind === 'submit') {
      this.do({ kind: 'submit', drafts: [...drafts.values()].filter(counts), key: 'k', now });
    } else if (one.kind === 'sendSubmission' && !isSent) {
      this.do({ kind: 'sendSubmission' });
    } else if (one.kind === 'settle' && isSubmitting) {
      this.#settle(one.id, now);
    } else if (one.kind === 'submitted' && isSubmitting) {
      this.do({ kind: 'submitted', results: [] });
    } else if (one.kind === 'lose' && isSubmitting) {
      this.do({ kind: 'submissionFailed', message: '', requestId: '', isOutage: true, now });
    } else if (one.kind === 'echo') {
      this.do({ kind: 'copiesCame', drafts, known: state.known, latest: 0, now });
    } else if (one.kind === 'reload') {
      this.#reload(drafts, now);
    }
  }

  /** A step back concerns one task; what is meant of it then, the tests of the steps say. */
  #takeBack(before: Drafts, isUnchanged: boolean): void {
    const changed = ids.filter((taskId) => before.get(taskId) !== this.state.drafts.get(taskId));
    expect(changed.length).toBeLessThanOrEqual(isUnchanged ? 0 : 1);
    for (const taskId of changed) {
      const draft = this.state.drafts.get(taskId);
      if (isMeant(draft)) {
        this.meant.set(taskId, draft.choice);
      } else {
        this.meant.delete(taskId);
      }
    }
  }

  /** The server records a decision as it was submitted. One that was changed since is still meant. */
  #settle(taskId: string, now: number): void {
    const sent = this.state.submission.kept?.drafts.find((draft) => draft.taskId === taskId);
    if (sent !== undefined) {
      this.recorded.add(taskId);
      this.staged.delete(taskId);
      if (this.meant.get(taskId) === sent.choice) {
        this.meant.delete(taskId);
      }
      this.do({ kind: 'settled', results: [{ taskId, decided: true, code: '', message: '' }], sent: [sent], version: this.version(), now });
    }
  }

  /** The device keeps all drafts, and the server what it staged. */
  #reload(drafts: Drafts, now: number): void {
    const { known } = this.state;
    this.state = openPage();
    this.do({ kind: 'copiesCame', ...readRecord(writeRecord({ drafts, known, latest: 0 })), now });
    const decisions = [...this.staged].map(([taskId, choice]) => {
      return { taskId, choice, comment: '', until: '', amend: this.recorded.has(taskId) };
    });
    this.do({ kind: 'stagedCame', staged: { version: String(this.#version), decisions }, now });
  }

  /** Decisions that the page holds, those that count and those that stand beside somebody else's. */
  held(): Map<string, Choice> {
    return new Map([...this.state.drafts.values()].filter(isMeant).map(({ taskId, choice }) => [taskId, choice]));
  }
}

it('loses no decision, whatever happens in whichever order', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      const story = new Story();
      for (const one of events) {
        story.happen(one);
        expect(Object.fromEntries(story.held())).toEqual(Object.fromEntries(story.meant));
      }
      // Somebody is signed in again, and the server answers.
      for (let round = 0; round < 3; round++) {
        story.happen({ kind: 'submitted' });
        story.happen({ kind: 'send' });
        story.happen({ kind: 'arrive' });
      }
      const counting = [...story.state.drafts.values()].filter(counts).map(({ taskId, choice }) => [taskId, choice] as const);
      // A decision that was refused while it was on its way may lie there still.
      const staged = [...story.staged].filter(([taskId]) => !story.state.drafts.get(taskId)?.refused);
      expect(Object.fromEntries(staged)).toEqual(Object.fromEntries(counting));
      expect(story.state.saving).toMatchObject({ phase: 'saved', dueAt: 0, failures: 0 });
    }),
    { numRuns: tries(300, 3000) },
  );
});

it('never stops sending what is not saved while somebody is signed in', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      const story = new Story();
      for (const one of events.filter((some) => some.kind !== 'fail' || some.failure !== 'signedOut')) {
        story.happen(one);
        const { drafts, known, saving, submission } = story.state;
        const waits = [...drafts.values()].some((draft) => counts(draft) && isUnsaved(draft, known));
        expect(!waits || saving.dueAt !== 0 || saving.sent !== undefined || submission.phase === 'sending').toBe(true);
      }
    }),
    { numRuns: tries(300, 3000) },
  );
});
