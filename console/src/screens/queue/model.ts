/** What is done in a queue beside going through it: its opening and its view, the selection, what is passed on and what asks anew. */
import type { DraftBox } from '../../data/draft-box.ts';
import type { QueueRows } from '../../data/queue-rows.ts';
import { addressOf, type QueueView } from './address.ts';
import { type Mode, QueueList } from './list.ts';
import { isPlain, reasonAlone } from './standing.ts';

export class QueueModel extends QueueList {
  selected: ReadonlySet<string> = new Set();
  /** What is written beside the selection, for all of it: it goes with the decision however that is made, and ends with the selection. */
  shared = '';
  /** Tasks that ask since the queue was read, each with the moment since when. */
  asked: ReadonlyMap<string, string> = new Map();
  readonly #answered = new Map<string, string>();
  #anchor = '';
  readonly #unsubscribe: readonly (() => void)[];

  constructor(rows: QueueRows, box: DraftBox, me: string) {
    super(rows, box, me);
    this.#unsubscribe = [rows.subscribe(() => this.arrived()), box.subscribe(() => this.tell())];
  }

  /** Reads the first rows and the drafts, then shows them. */
  async open(view: QueueView, task: string): Promise<void> {
    await Promise.all([this.rows.read(view.by, view.sort), this.box.open()]);
    this.isReady = true;
    this.setView(view, task);
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) {
      unsubscribe();
    }
    this.rows.stop();
    this.box.close();
  }

  /** Shows something else: what is decided now leaves the list where it is to show what is left. */
  setView(view: QueueView, task = this.current): void {
    const isSame = JSON.stringify(addressOf(view)) === JSON.stringify(addressOf(this.view)) && this.items.length > 0;
    this.view = view;
    if (!isSame) {
      this.seen.clear();
      this.settled = new Set();
      this.mine = new Set();
      this.selected = new Set();
      this.shared = '';
      void this.rows.readGroups(view.by);
    }
    if (view.sort !== this.rows.order) {
      void this.#sort(view);
    }
    this.rebuild();
    this.current = this.places.has(task) ? task : (this.firstLeft() ?? this.rowIds()[0] ?? '');
    this.mode = 'free';
    this.tell();
  }

  /** Whoever sorts looks at what comes first then. */
  async #sort({ sort, by }: QueueView): Promise<void> {
    if (await this.rows.sort(sort, by)) {
      this.rebuild();
      this.current = this.firstLeft() ?? this.rowIds()[0] ?? '';
      this.tell();
    }
  }

  toggle(id: string): void {
    const row = this.row(id);
    if (row === undefined || reasonAlone(row) !== undefined || this.standing(row).kind === 'others') {
      return;
    }
    const selected = new Set(this.selected);
    if (!selected.delete(id)) {
      selected.add(id);
    }
    this.#anchor = id;
    this.#select(selected);
  }

  /** Takes the current row and the next one. */
  extend(by: 1 | -1): void {
    const before = this.current;
    this.move(by);
    this.#select(new Set([...this.selected, ...this.#choosable([before, this.current])]));
  }

  /** Everything between the last one that was chosen and this one. */
  selectTo(id: string): void {
    const ids = this.rowIds();
    const [from, to] = [ids.indexOf(this.#anchor || this.current), ids.indexOf(id)].sort((left, right) => left - right);
    this.#select(new Set([...this.selected, ...this.#choosable(ids.slice(Math.max(0, from ?? 0), (to ?? 0) + 1))]));
    this.go(id);
  }

  /** What is left of the part that the current row is in. */
  selectSection(): void {
    const at = this.places.get(this.current) ?? 0;
    const head = this.items.slice(0, at).findLast((item) => item.kind === 'head');
    if (head?.kind === 'head') {
      this.#select(new Set([...this.selected, ...this.#choosable(head.ids).filter((id) => !this.isDecided(id))]));
    }
  }

  /** The rows that "Select the unchanged" takes of these. */
  plain(ids: readonly string[]): string[] {
    return ids.filter((id) => {
      const row = this.row(id);
      return row !== undefined && !this.standing(row).isDecided && isPlain(row);
    });
  }

  select(ids: readonly string[]): void {
    this.#select(new Set(ids));
  }

  share(comment: string): void {
    this.shared = comment;
    this.tell();
  }

  setMode(mode: Mode): void {
    this.mode = mode;
    this.tell();
  }

  pass(ids: readonly string[], name: string): void {
    for (const id of ids) {
      this.passed.set(id, name);
    }
    this.tell();
  }

  /** Remembers tasks that ask now and are not here as tasks to decide. */
  ask(tasks: ReadonlyMap<string, string>): void {
    const isNews = ([id, at]: readonly [string, string]): boolean => {
      const row = this.row(id);
      const isHere =
        row !== undefined && !this.passed.has(id) && this.standing(row).kind !== 'gone' && this.standing(row).kind !== 'forbidden';
      return this.#answered.get(id) !== at && !(isHere && row.state !== 'CLOSED');
    };
    this.asked = new Map([...this.asked, ...[...tasks].filter(isNews)]);
    this.tell();
  }

  /** Reads the queue anew and goes to the first of the tasks that ask since. Whether one of them is in sight now. */
  async readAnew(): Promise<boolean> {
    const { asked } = this;
    if (!(await this.rows.readAgain(this.view.by))) {
      return true;
    }
    this.asked = new Map([...this.asked].filter(([id, at]) => asked.get(id) !== at));
    for (const [id, at] of asked) {
      this.#answered.set(id, at);
      this.passed.delete(id);
      this.seen.delete(id);
      this.settled.delete(id);
      this.mine.delete(id);
    }
    this.rebuild();
    const first = this.rowIds().find((id) => asked.has(id));
    this.current = first ?? (this.places.has(this.current) ? this.current : (this.firstLeft() ?? ''));
    this.tell();
    return first !== undefined || asked.size === 0;
  }

  #choosable(ids: readonly string[]): string[] {
    return ids.filter((id) => {
      const row = this.row(id);
      return row !== undefined && reasonAlone(row) === undefined;
    });
  }

  #select(selected: ReadonlySet<string>): void {
    this.selected = selected;
    this.shared = selected.size === 0 ? '' : this.shared;
    this.mode = 'free';
    this.tell();
  }
}
