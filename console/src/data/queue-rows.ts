/** The rows of a queue: read in pages of 1,000, the next ones before they are wanted, and kept as they came. */
import { whenBack } from './connection.ts';
import { call, type ClientError, isOutage, type ReplyOf } from './query.ts';

export type QueueReply = ReplyOf<'ReviewQueueService.ReadQueue'>;
export type QueueRow = NonNullable<QueueReply['rows']>[number] & { readonly taskId: string };
export type QueueGroup = NonNullable<QueueReply['groups']>[number];
/** A list is not grouped; its counts are those by app. */
export type Grouping = 'app' | 'person' | 'resource' | 'list';

/** What comes first: what deserves a look, or by name of who holds it or of the right, what was unused for longest, or what was granted last. */
export type Order = 'closer' | 'person' | 'right' | 'unused' | 'newest';

/** Tasks that are there, to do, closed, and staged when they were read. */
export interface Totals {
  readonly total: number;
  readonly todo: number;
  readonly decided: number;
  readonly staged: number;
}

/** The sections in the order they are shown. */
export const sections = ['CLOSER', 'NEW', 'CHANGED', 'UNCHANGED', 'OTHER'] as const;
export type Section = (typeof sections)[number];

/** The section of a row. */
export function sectionOf(row: QueueRow): Section {
  const name = (row.section ?? '').replace('REVIEW_QUEUE_SECTION_', '');
  return (sections as readonly string[]).includes(name) ? (name as Section) : 'OTHER';
}

const pageSize = 1000;
const orders = { closer: 'ATTENTION', person: 'PERSON', right: 'ENTITLEMENT', unused: 'UNUSED', newest: 'NEWEST' } as const;
const groupings = { app: 'APP', person: 'PERSON', resource: 'RESOURCE', list: 'APP' } as const;

function readTotals(counts: QueueReply['counts'] | undefined): Totals {
  const of = (value: string | undefined): number => Number(value ?? 0);
  return { total: of(counts?.total), todo: of(counts?.todo), decided: of(counts?.decided), staged: of(counts?.staged) };
}

export class QueueRows {
  /** In the server's order, which is the one that was asked for last. */
  rows: QueueRow[] = [];
  readonly byId = new Map<string, QueueRow>();
  counts: Totals = { total: 0, todo: 0, decided: 0, staged: 0 };
  sectionCounts: ReadonlyMap<Section, Totals> = new Map();
  /** The groups of each grouping that was read. */
  readonly groups = new Map<Grouping, readonly (Totals & { readonly id: string; readonly name: string })[]>();
  state: 'first' | 'more' | 'complete' | 'failed' = 'first';
  error: ClientError | undefined;
  /** From where on changes by others are asked for: before the oldest page that is here was read. Empty before the first page. */
  changesCursor = '';
  /** Rises when rows came or changed. */
  version = 0;
  readonly #reviewId: string;
  readonly #listeners = new Set<() => void>();
  readonly #stop = new AbortController();
  #token = '';
  #by: Grouping = 'app';
  #order: Order = 'closer';
  /** The number of the request that is underway; 0 for none. */
  #reading = 0;
  #requests = 0;
  #isAgain = false;
  readonly #stopWaiting: () => void;

  constructor(reviewId: string) {
    this.#reviewId = reviewId;
    // What did not come because nobody answered comes by itself when somebody does.
    this.#stopWaiting = whenBack(() => {
      if (this.state === 'failed' && isOutage(this.error)) {
        void this.read();
      }
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Reads the first page, or the one that failed. */
  async read(by: Grouping = this.#by, order: Order = this.#order): Promise<void> {
    if (this.#reading !== 0 || this.state === 'complete') {
      return;
    }
    const request = ++this.#requests;
    this.#reading = request;
    const isFirst = this.#token === '';
    if (isFirst) {
      this.#by = by;
      this.#order = order;
    }
    try {
      const reply = await call(
        'ReviewQueueService.ReadQueue',
        {
          accessReviewId: this.#reviewId,
          by: `REVIEW_QUEUE_GROUPING_${groupings[this.#by]}`,
          // The same for all pages: a page token belongs to one request.
          limit: pageSize,
          pageToken: this.#token,
          order: `REVIEW_QUEUE_ORDER_${orders[this.#order]}`,
        },
        { signal: this.#stop.signal },
      );
      if (this.#reading === request) {
        this.#take(reply, isFirst ? by : undefined);
      }
    } catch (error) {
      if (this.#reading === request && !this.#stop.signal.aborted) {
        this.state = 'failed';
        this.error = error as ClientError;
      }
    }
    if (this.#reading === request) {
      this.#reading = 0;
      this.#tell();
    }
  }

  /** Reads on until there are two pages behind this many rows, or all. */
  want(until: number): void {
    if (this.state === 'more' && this.#reading === 0 && this.rows.length < until + 2 * pageSize) {
      void this.read().then(() => this.want(until));
    }
  }

  /** Reads on until all are here. */
  wantAll(): void {
    this.want(Number.POSITIVE_INFINITY);
  }

  /** Begins anew: what is here stays until the first page comes again. Whether it came. */
  async readAgain(by: Grouping, order: Order = this.#order): Promise<boolean> {
    if (this.#reading !== 0) {
      return false;
    }
    this.#token = '';
    this.state = 'more';
    this.#isAgain = true;
    await this.read(by, order);
    return !this.#isAgain;
  }

  /** The order that was asked for last. */
  get order(): Order {
    return this.#order;
  }

  /** Begins anew in another order, whatever is underway. Whether its first page came, and no other order was asked for meanwhile. */
  async sort(order: Order, by: Grouping): Promise<boolean> {
    this.#reading = 0;
    return (await this.readAgain(by, order)) && this.#order === order;
  }

  /** Reads the groups of a grouping, where they were not. */
  async readGroups(by: Grouping): Promise<void> {
    if (this.groups.has(by) || this.state === 'first') {
      return;
    }
    const reply = await call(
      'ReviewQueueService.ReadQueue',
      { accessReviewId: this.#reviewId, by: `REVIEW_QUEUE_GROUPING_${groupings[by]}`, limit: 1 },
      { signal: this.#stop.signal },
    ).catch(() => undefined);
    if (reply !== undefined) {
      this.#takeGroups(reply, by);
      this.#tell();
    }
  }

  /** What became of tasks meanwhile. */
  change(changes: ReadonlyMap<string, Partial<QueueRow>>): void {
    let closed = 0;
    this.rows = this.rows.map((row) => {
      const change = changes.get(row.taskId);
      if (change === undefined) {
        return row;
      }
      closed += change.state === 'CLOSED' && row.state !== 'CLOSED' ? 1 : 0;
      const changed = { ...row, ...change };
      this.byId.set(row.taskId, changed);
      return changed;
    });
    this.counts = { ...this.counts, decided: this.counts.decided + closed };
    this.#tell();
  }

  stop(): void {
    this.#stopWaiting();
    this.#stop.abort();
  }

  #take(reply: QueueReply, by: Grouping | undefined): void {
    if (this.#isAgain) {
      this.#isAgain = false;
      this.rows = [];
      this.byId.clear();
      this.groups.clear();
    }
    for (const row of (reply.rows ?? []) as QueueRow[]) {
      if (row.taskId !== undefined && !this.byId.has(row.taskId)) {
        this.rows.push(row);
        this.byId.set(row.taskId, row);
      }
    }
    if (by !== undefined) {
      this.changesCursor = reply.changesCursor ?? '';
      this.counts = readTotals(reply.counts);
      this.sectionCounts = new Map(
        (reply.sections ?? []).map(({ section, counts }) => [
          (section ?? '').replace('REVIEW_QUEUE_SECTION_', '') as Section,
          readTotals(counts),
        ]),
      );
      this.#takeGroups(reply, by);
    }
    this.#token = reply.nextPageToken ?? '';
    this.state = this.#token === '' ? 'complete' : 'more';
    this.error = undefined;
  }

  #takeGroups({ groups }: QueueReply, by: Grouping): void {
    this.groups.set(
      by,
      (groups ?? []).map(({ id, displayName, counts }) => ({ id: id ?? '', name: displayName ?? '', ...readTotals(counts) })),
    );
  }

  #tell(): void {
    this.version++;
    for (const listener of this.#listeners) {
      listener();
    }
  }
}
