/** An open queue for tests of how its decisions are saved, with a device, tabs, a server and a clock of the tests' own. */
import type { Around, SaveFailure, TabNews } from './draft-around.ts';
import { counts, type Draft, maxAtOnce, type StagedDecision } from './drafts.ts';
import { saveDrafts } from './save-drafts.ts';
import { lastStep } from './state/change-drafts.ts';
import { readSaving } from './state/read-state.ts';
import { openState } from './state/state.ts';
import { createQueueStore } from './store.ts';

/** Lets what is due in promises happen. */
export const settle = async (): Promise<void> => {
  for (let round = 0; round < 20; round++) {
    await Promise.resolve();
  }
};

const view = { by: 'app', group: '', show: 'todo', q: '', sort: 'closer' } as const;
const ids = ['a', 'b', 'c', ...Array.from({ length: maxAtOnce + 7 }, (_, index) => `t${index}`)];
const pages = [{ rows: ids.map((taskId) => ({ taskId, state: 'OPEN', actions: ['APPROVE'] })) }];

/** An open queue as these tests drive it: what a person does, and what the server says. */
export class Box {
  readonly #store = createQueueStore(openState('me', view));
  readonly #saved;
  readonly #around: Around;

  constructor(around: Around) {
    this.#around = around;
    const { reading } = this.#store.state.rows;
    this.#store.dispatch({ kind: 'pagesCame', reading, pages, isComplete: true });
    this.#saved = saveDrafts(this.#store, around);
  }

  get drafts() {
    return this.#store.state.drafts;
  }

  get saving() {
    return readSaving(this.#store.state);
  }

  async open(): Promise<void> {
    await this.#saved.open();
    this.#store.dispatch({ kind: 'opened', view, task: '' });
  }

  close(): void {
    this.#saved.close();
  }

  decide(decisions: readonly ReturnType<typeof certify | typeof deny>[]): void {
    const [first] = decisions;
    const now = this.#around.timers.now();
    if (decisions.length > 1) {
      this.#store.dispatch({ kind: 'selectPlain', ids: decisions.map(({ taskId }) => taskId) });
    } else {
      this.#store.dispatch({ kind: 'go', id: first?.taskId ?? '' });
    }
    this.#store.dispatch({ kind: 'decide', choice: first?.choice ?? 'deny', comment: first?.comment ?? '', until: '', now });
  }

  undoLast(): readonly string[] {
    const step = lastStep(this.#store.state);
    this.#store.dispatch({ kind: 'undoLast', now: this.#around.timers.now() });
    return step.map(([taskId]) => taskId);
  }

  undo(id: string): boolean {
    const before = this.drafts;
    this.#store.dispatch({ kind: 'undoTask', id, now: this.#around.timers.now() });
    return before !== this.drafts;
  }

  refuse(taskIds: readonly string[], remark: string): void {
    const changes = new Map(taskIds.map((taskId) => [taskId, { state: 'CLOSED' }] as const));
    this.#store.dispatch({ kind: 'newsCame', changes, asked: new Map(), remark, now: this.#around.timers.now() });
  }

  discard(id: string): void {
    this.#store.dispatch({ kind: 'discard', id });
  }

  settle(results: readonly { taskId: string; decided: boolean; message: string }[]): void {
    const sent = [...this.drafts.values()];
    const all = results.map((one) => ({ code: '', ...one }));
    this.#store.dispatch({ kind: 'settled', results: all, sent, now: this.#around.timers.now() });
    this.#around.tabs.send({ results: all, sent });
  }

  end(): void {
    this.#store.dispatch({ kind: 'reviewEnded' });
  }

  async flush(): Promise<void> {
    this.#store.dispatch({ kind: 'send' });
    await settle();
  }
}

export class World {
  held: readonly Draft[] = [];
  staged: readonly StagedDecision[] = [];
  readonly saves: (readonly Draft[])[] = [];
  failures: SaveFailure[] = [];
  listFails = false;
  time = 1_000_000;
  timers: { at: number; run: () => void }[] = [];
  readonly tabs = new Set<(news: TabNews) => void>();

  box(): Box {
    let mine: ((news: TabNews) => void) | undefined;
    return new Box({
      shelf: {
        read: async () => this.held,
        update: async (change) => {
          this.held = change(this.held);
        },
      },
      tabs: {
        send: (news) => {
          for (const tab of this.tabs) {
            if (tab !== mine) {
              tab(news);
            }
          }
        },
        hear: (heard) => {
          mine = heard;
          this.tabs.add(heard);
          return () => this.tabs.delete(heard);
        },
      },
      server: {
        list: async () => {
          if (this.listFails) {
            throw new Error('nobody answers');
          }
          return this.staged;
        },
        save: async (decisions) => {
          const failure = this.failures.shift();
          if (failure === undefined) {
            this.saves.push(decisions);
          }
          return failure;
        },
      },
      timers: {
        now: () => this.time,
        later: (ms, run) => {
          const timer = { at: this.time + ms, run };
          this.timers.push(timer);
          return () => {
            this.timers = this.timers.filter((one) => one !== timer);
          };
        },
      },
    });
  }

  /** Lets time pass, with what is due in it. */
  async pass(ms: number): Promise<void> {
    const until = this.time + ms;
    for (;;) {
      await settle();
      const next = this.timers.filter(({ at }) => at <= until).sort((left, right) => left.at - right.at)[0];
      if (next === undefined) {
        break;
      }
      this.time = Math.max(this.time, next.at);
      this.timers = this.timers.filter((one) => one !== next);
      next.run();
    }
    this.time = until;
    await settle();
  }
}

export const certify = (taskId: string) => ({ taskId, choice: 'certify' as const, comment: '', until: '', amend: false });
export const deny = (taskId: string) => ({ ...certify(taskId), choice: 'deny' as const, comment: 'left' });
export const meant = (box: Box): string[] => [...box.drafts.values()].filter(counts).map(({ taskId }) => taskId);

export async function open(world = new World()): Promise<{ world: World; box: Box }> {
  const box = world.box();
  await box.open();
  return { world, box };
}
