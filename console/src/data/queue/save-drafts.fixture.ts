/** An open queue for tests of how its decisions are saved, with a device, tabs, a server and a clock of the tests' own. */
import { ClientError } from '~/data/query.ts';
import type { Around, SaveFailure, SubmissionPart, TabNews } from './draft-around.ts';
import { counts, type Draft, isMeant, maxAtOnce } from './drafts.ts';
import { type Copies, readRecord, sameAs, type StagedDecision, noCopies, writeRecord } from './known.ts';
import { saveDrafts } from './save-drafts.ts';
import { sendSubmissions } from './send-submission.ts';
import { lastStep } from './state/change-drafts.ts';
import { readSaving } from './state/read-state.ts';
import { type KeptSubmission, openState, type TaskResult } from './state/state.ts';
import { createQueueStore } from './store.ts';

/** Lets what is due in promises happen. */
export const settle = async (): Promise<void> => {
  for (let round = 0; round < 60; round++) {
    await Promise.resolve();
  }
};

const view = { by: 'app', group: '', show: 'todo', q: '', sort: 'closer' } as const;
const ids = ['a', 'b', 'c', ...Array.from({ length: maxAtOnce + 7 }, (_, index) => `t${index}`)];
const pages = [{ rows: ids.map((taskId) => ({ taskId, state: 'OPEN', actions: ['APPROVE'] })) }];

/** Outcomes of decisions, as rows have them. */
const outcomes: Readonly<Record<string, string>> = { certify: 'CERTIFIED', deny: 'DECERTIFIED' };

/** The surroundings of a tab, until it is gone. */
interface TabAround extends Around {
  readonly server: Server;
  /** The tab hears nothing until it catches up, as a busy one, or one that the browser froze. */
  fallBehind(): void;
  catchUp(): void;
  die(): void;
}

/** An open queue as these tests drive it: what a person does, and what the server says. */
export class Box {
  readonly #store = createQueueStore(openState('me', view));
  readonly #stopSending;
  readonly #saved;
  readonly #around: TabAround;

  constructor(around: TabAround) {
    this.#around = around;
    const { reading } = this.#store.state.rows;
    this.#store.dispatch({ kind: 'pagesCame', reading, pages, isComplete: true });
    this.#saved = saveDrafts(this.#store, around);
    this.#stopSending = sendSubmissions(this.#store, { ...around, freshen: this.#saved.freshen });
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

  get submission() {
    return this.#store.state.submission;
  }

  /** The outcome of a task that is recorded, as the screen shows it; empty for one that is open. */
  outcomeOf(id: string): string {
    return this.#store.state.rows.byId.get(id)?.outcome ?? '';
  }

  close(): void {
    this.#stopSending();
    this.#saved.close();
  }

  /** The page is gone at once, with all that it had planned. */
  crash(): void {
    this.#around.die();
  }

  /** True while it hears nothing. */
  isBehind = false;

  fallBehind(): void {
    this.isBehind = true;
    this.#around.fallBehind();
  }

  catchUp(): void {
    this.isBehind = false;
    this.#around.catchUp();
  }

  submit(key: string): void {
    const { drafts } = this.#store.state;
    this.#store.dispatch({ kind: 'submit', drafts: [...drafts.values()].filter(counts), key, now: this.#around.timers.now() });
  }

  sendSubmission(): void {
    this.#store.dispatch({ kind: 'sendSubmission' });
  }

  dismiss(): void {
    this.#store.dispatch({ kind: 'dismissSubmission' });
  }

  /** Asks the tab that has a submission under way. */
  ask(ask: 'undo' | 'send'): void {
    this.#around.tabs.send({ ask });
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
    this.#store.dispatch({ kind: 'discard', id, now: this.#around.timers.now() });
  }

  settle(results: readonly { taskId: string; decided: boolean; message: string }[]): void {
    const sent = [...this.drafts.values()];
    const all = results.map((one) => ({ code: '', ...one }));
    this.#around.server.record(all.flatMap(({ taskId, decided }) => (decided ? [taskId] : [])));
    const { version } = this.#around.server;
    this.#store.dispatch({ kind: 'settled', results: all, sent, version, now: this.#around.timers.now() });
    this.#around.tabs.send({ results: all, sent, version });
  }

  end(): void {
    this.#store.dispatch({ kind: 'reviewEnded' });
  }

  async flush(): Promise<void> {
    this.#store.dispatch({ kind: 'send' });
    await settle();
  }

  /** Looks at what was done elsewhere, as an open page does every few seconds. */
  async look(): Promise<void> {
    const { server, timers } = this.#around;
    const own = [...server.recorded].filter(([id, choice]) => this.outcomeOf(id) !== outcomes[choice]);
    if (own.length > 0) {
      const closed = { state: 'CLOSED', decidedByUserId: 'me' };
      const changes = new Map(own.map(([id, choice]) => [id, { ...closed, outcome: outcomes[choice] ?? '' }]));
      this.#store.dispatch({ kind: 'ownCame', changes, now: timers.now() });
    }
    await this.#saved.freshen(own.length > 0 ? undefined : server.version).catch(() => undefined);
    await settle();
  }
}

/** A server that keeps one person's decisions, and counts their changes. */
export class Server {
  readonly values = new Map<string, StagedDecision>();
  /** What was recorded last, by task. */
  readonly recorded = new Map<string, string>();
  readonly submissions: (SubmissionPart & { readonly isTaken: boolean })[] = [];
  readonly saves: (readonly Draft[])[] = [];
  failures: SaveFailure[] = [];
  /** So many answers are lost on their way, after they were carried out. */
  lost = 0;
  listFails = false;
  #version = 0;
  readonly #answers = new Map<string, TaskResult[]>();

  get version(): string {
    return String(this.#version);
  }

  put(decisions: readonly StagedDecision[]): void {
    this.values.clear();
    for (const one of decisions) {
      this.values.set(one.taskId, one);
    }
    this.#version += 1;
  }

  record(taskIds: readonly string[]): void {
    for (const taskId of taskIds) {
      this.values.delete(taskId);
      this.recorded.set(taskId, this.values.get(taskId)?.choice ?? '');
    }
    this.#version += 1;
  }

  /** Records decisions once for each key, if what is staged is of the version that they were read from. */
  async submit(part: SubmissionPart) {
    const failure = this.failures.shift();
    const before = this.#answers.get(part.key);
    const isTaken = failure === undefined && (before !== undefined || part.version === '' || part.version === this.version);
    this.submissions.push({ ...part, isTaken });
    if (failure !== undefined) {
      throw new ClientError('nobody answers', { status: 0, code: 'UNAVAILABLE' });
    }
    if (!isTaken) {
      return undefined;
    }
    const ids = part.decisions.map(({ taskId }) => taskId);
    const results = before ?? ids.map((taskId) => ({ taskId, decided: true, code: '', message: '' }));
    if (before === undefined) {
      this.record(ids);
      for (const { taskId, choice } of part.decisions) {
        this.recorded.set(taskId, choice);
      }
      this.#answers.set(part.key, results);
    }
    if (this.lost > 0) {
      this.lost -= 1;
      throw new ClientError('nobody answers', { status: 0, code: 'UNAVAILABLE' });
    }
    return { results, version: before === undefined ? this.version : '' };
  }

  async list() {
    if (this.listFails) {
      throw new Error('nobody answers');
    }
    return { version: this.version, decisions: [...this.values.values()] };
  }

  async save(decisions: readonly (Draft & StagedDecision)[], version: string) {
    const failure = this.failures.shift();
    if (failure !== undefined) {
      return failure;
    }
    if (version !== '' && version !== this.version) {
      return { kind: 'changed', message: '' } as const;
    }
    this.saves.push(decisions);
    const isChanged = decisions.length !== this.values.size || decisions.some((one) => !sameAs(one, this.values.get(one.taskId)));
    if (isChanged) {
      this.put(decisions.map(({ taskId, choice, comment, until, amend }) => ({ taskId, choice, comment, until, amend })));
    }
    if (this.lost > 0) {
      this.lost -= 1;
      return { kind: 'outage', message: 'no answer' } as const;
    }
    return { version: this.version };
  }
}

/** A device with its tabs and its clock, before a server that other devices may share. */
export class World {
  kept: Copies = noCopies;
  isShelfBroken = false;
  /** Of the device's clock, which somebody may set; timers go on as time passes. */
  skew = 0;
  time = 1_000_000;
  timers: { at: number; run: () => void }[] = [];
  readonly server: Server;
  submission: KeptSubmission | undefined;
  readonly #tabs = new Set<(news: TabNews) => void>();
  #turn: Promise<unknown> = Promise.resolve();
  #holder: Promise<void> | undefined;

  constructor(server = new Server()) {
    this.server = server;
  }

  /** Decisions that are kept. */
  get held(): Draft[] {
    return [...this.kept.drafts.values()].filter(isMeant);
  }

  box(): Box {
    return new Box(this.around());
  }

  around(): TabAround {
    let isGone = false;
    let die = (): void => undefined;
    const gone = new Promise<void>((resolve) => {
      die = () => {
        isGone = true;
        resolve();
      };
    });
    const mine = new Set<(news: TabNews) => void>();
    /** What it did not hear yet. */
    let unheard: (() => void)[] | undefined;
    const catchUp = (): void => {
      const late = unheard ?? [];
      unheard = undefined;
      for (const hear of late) {
        hear();
      }
    };
    let release = (): void => undefined;
    /** Of a page that is gone nothing comes back. */
    const here = async <T>(work: () => T | Promise<T>): Promise<T> => {
      const result = isGone ? undefined : await work();
      return isGone ? new Promise(() => undefined) : (result as T);
    };
    const whole = <T>(value: T): T => {
      if (this.isShelfBroken) {
        throw new Error('nothing is kept');
      }
      return value;
    };
    return {
      shelf: {
        read: () => here(() => whole(this.kept)),
        update: (change) =>
          here(() => {
            this.kept = whole(readRecord(writeRecord(change(this.kept))));
          }),
        readSubmission: () => here(() => whole(this.submission)),
        keepSubmission: (kept) =>
          here(() => {
            this.submission = whole(kept);
          }),
      },
      tabs: {
        send: (news) => {
          for (const tab of isGone ? [] : this.#tabs) {
            if (!mine.has(tab)) {
              tab(structuredClone(news));
            }
          }
        },
        hear: (heard) => {
          const hear = (news: TabNews): void => {
            unheard === undefined ? heard(news) : unheard.push(() => heard(news));
          };
          mine.add(hear);
          this.#tabs.add(hear);
          return () => this.#tabs.delete(hear);
        },
        alone: (work) => {
          const result = this.#turn.then(() => here(work));
          this.#turn = Promise.race([result.catch(() => undefined), gone]);
          return result;
        },
        holdSubmission: async () => {
          if (this.#holder !== undefined || isGone) {
            return undefined;
          }
          this.#holder = new Promise((resolve) => {
            release = () => {
              this.#holder = undefined;
              resolve();
            };
          });
          return release;
        },
        untilNoSubmission: () => here(() => this.#holder),
      },
      server: this.server,
      timers: {
        now: () => this.time + this.skew,
        later: (ms, run) => {
          const timer = { at: this.time + ms, run: () => (isGone ? undefined : run()) };
          this.timers.push(timer);
          return () => {
            this.timers = this.timers.filter((one) => one !== timer);
          };
        },
      },
      fallBehind: () => {
        unheard ??= [];
      },
      catchUp,
      die: () => {
        for (const heard of mine) {
          this.#tabs.delete(heard);
        }
        die();
        release();
      },
    };
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
