/** The list of a queue and where one is in it: lines, standings, what is left, the current row. It knows no DOM, so that tests read it as it is. */
import type { DraftBox } from '../../data/draft-box.ts';
import { counts } from '../../data/drafts.ts';
import type { QueueRow, QueueRows } from '../../data/queue-rows.ts';
import type { QueueView } from './address.ts';
import { type Item, layOut } from './layout.ts';
import { groupOf, holderOf, type Standing, standingOf } from './standing.ts';

export type Mode = 'free' | 'certify' | 'deny' | 'until' | 'reassign' | 'comment';

/** A group with what is left of it. */
export interface GroupLeft {
  readonly id: string;
  readonly name: string;
  readonly total: number;
  readonly left: number;
}

export class QueueList {
  readonly rows: QueueRows;
  readonly box: DraftBox;
  readonly me: string;
  view: QueueView = { by: 'app', group: '', show: 'todo', q: '', sort: 'closer' };
  items: readonly Item[] = [];
  /** The place of each row among the lines. */
  places: ReadonlyMap<string, number> = new Map();
  /** How many lines are no heads, those of rows that are still to come too. */
  count = 0;
  /** The number of each row among these, from 1. */
  ranks: ReadonlyMap<string, number> = new Map();
  /** The task that is looked at; empty where there is none. */
  current = '';
  mode: Mode = 'free';
  /** Tasks that were passed on during this visit, with the name of who got them. */
  readonly passed = new Map<string, string>();
  isReady = false;
  version = 0;
  /** What was decided when it was shown first: it stays where it is. */
  protected settled = new Set<string>();
  protected mine = new Set<string>();
  protected readonly seen = new Set<string>();
  /** Where one was when the end was asked for, while rows before it are still to come; undefined where it was not. */
  #onTheWay: string | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(rows: QueueRows, box: DraftBox, me: string) {
    this.rows = rows;
    this.box = box;
    this.me = me;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  row(id: string): QueueRow | undefined {
    return this.rows.byId.get(id);
  }

  standing(row: QueueRow): Standing {
    return standingOf(row, this.box.drafts.get(row.taskId), this.me, this.passed.get(row.taskId));
  }

  isDecided(id: string): boolean {
    const row = this.row(id);
    return row === undefined || this.standing(row).isDecided;
  }

  /** All of the caller's tasks: how many there are, and how many are left. */
  totals(): { total: number; left: number; decided: number; drafts: number } {
    const { counts: read, state, rows } = this.rows;
    const drafts = [...this.box.drafts.values()].filter(counts).length;
    const left =
      state === 'complete'
        ? rows.filter((row) => !this.standing(row).isDecided).length
        : Math.max(0, read.total - read.decided - drafts - this.passed.size);
    return { total: read.total, left, decided: read.total - left, drafts };
  }

  /** The groups of the grouping that is shown, each with what is left. */
  groups(): GroupLeft[] {
    const known = this.rows.groups.get(this.view.by) ?? [];
    const left = new Map<string, number>();
    const total = new Map<string, number>();
    const names = new Map<string, string>();
    for (const row of this.rows.rows) {
      const id = groupOf(row, this.view.by);
      total.set(id, (total.get(id) ?? 0) + 1);
      names.set(
        id,
        this.view.by === 'app'
          ? (row.appDisplayName ?? '')
          : this.view.by === 'person'
            ? holderOf(row)
            : row.resource || row.appDisplayName || '',
      );
      if (!this.standing(row).isDecided) {
        left.set(id, (left.get(id) ?? 0) + 1);
      }
    }
    if (this.rows.state === 'complete' || known.length === 0) {
      const order = known.length === 0 ? [...total.keys()] : known.map(({ id }) => id);
      return order
        .filter((id) => total.has(id))
        .map((id) => ({ id, name: names.get(id) ?? '', total: total.get(id) ?? 0, left: left.get(id) ?? 0 }));
    }
    return known.map(({ id, name, total: all, todo }) => ({
      id,
      name,
      total: all,
      left: total.get(id) === all ? (left.get(id) ?? 0) : todo,
    }));
  }

  /** Goes to a row. */
  go(id: string): void {
    if (id !== '' && id !== this.current) {
      this.current = id;
      this.mode = 'free';
      this.tell();
    }
  }

  move(by: number): void {
    const ids = this.rowIds();
    const at = ids.indexOf(this.current);
    this.go(ids[Math.min(ids.length - 1, Math.max(0, at + by))] ?? '');
  }

  first(): void {
    this.go(this.rowIds()[0] ?? '');
  }

  /** Goes to the last row that is here, and to the last of all when they have come, unless one has gone elsewhere by then. */
  last(): void {
    this.go(this.rowIds().at(-1) ?? '');
    if (this.rows.state === 'more' || this.rows.state === 'failed') {
      this.#onTheWay = this.current;
      this.rows.wantAll();
    }
  }

  /** The next row behind the current one that is not decided, from the start where there is none. */
  nextLeft(): string | undefined {
    const ids = this.rowIds();
    const at = ids.indexOf(this.current);
    return [...ids.slice(at + 1), ...ids.slice(0, at + 1)].find((id) => !this.isDecided(id));
  }

  /** The rows that are looked at next. */
  ahead(count: number): string[] {
    const ids = this.rowIds();
    const at = ids.indexOf(this.current);
    const found: string[] = [];
    for (let place = at; place < ids.length && found.length < count; place++) {
      const id = ids[place] ?? '';
      if (place === at || !this.isDecided(id)) {
        found.push(id);
      }
    }
    return found;
  }

  /** The first row of the part before or behind the current one. */
  moveSection(by: 1 | -1): void {
    const heads = this.items.flatMap((item, place) => (item.kind === 'head' && item.ids.length > 0 ? [place] : []));
    const at = this.places.get(this.current) ?? 0;
    const here = heads.findLastIndex((place) => place < at);
    const head = this.items[heads[Math.min(heads.length - 1, Math.max(0, here + by))] ?? -1];
    this.go(head?.kind === 'head' ? (head.ids[0] ?? '') : '');
  }

  protected rowIds(): string[] {
    return this.items.flatMap((item) => (item.kind === 'row' ? [item.key] : []));
  }

  protected firstLeft(): string | undefined {
    return this.rowIds().find((id) => !this.isDecided(id));
  }

  protected arrived(): void {
    if (this.isReady) {
      this.rebuild();
      if (this.current === '') {
        this.current = this.firstLeft() ?? '';
      }
      if (this.#onTheWay !== undefined) {
        const goesOn = this.#onTheWay === this.current && this.rows.state !== 'failed';
        if (goesOn) {
          this.current = this.rowIds().at(-1) ?? this.current;
        }
        this.#onTheWay = goesOn && this.rows.state === 'more' ? this.current : undefined;
      }
    }
    this.tell();
  }

  protected rebuild(): void {
    for (const row of this.rows.rows) {
      if (!this.seen.has(row.taskId)) {
        this.seen.add(row.taskId);
        const { isDecided, kind } = this.standing(row);
        if (isDecided) {
          this.settled.add(row.taskId);
        }
        if (kind === 'draft' || kind === 'mine' || kind === 'conflict') {
          this.mine.add(row.taskId);
        }
      }
    }
    this.items = layOut({
      rows: this.rows.rows,
      isComplete: this.rows.state === 'complete',
      view: this.view,
      settled: this.settled,
      mine: this.mine,
      sectionCounts: this.rows.sectionCounts,
      groups: this.rows.groups.get(this.view.by) ?? [],
    });
    const places = new Map<string, number>();
    const ranks = new Map<string, number>();
    this.count = 0;
    for (const [place, item] of this.items.entries()) {
      this.count += item.kind === 'head' ? 0 : 1;
      if (item.kind === 'row') {
        places.set(item.key, place);
        ranks.set(item.key, this.count);
      }
    }
    this.places = places;
    this.ranks = ranks;
  }

  protected tell(): void {
    this.version++;
    for (const listener of this.#listeners) {
      listener();
    }
  }
}
