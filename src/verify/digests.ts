/** Digests of rows: what events recorded of them, held against the lines of the bundle. */
import { createHash, hash, type Hash } from 'node:crypto';
import type { Fields } from './fields.ts';
import type { Findings } from './findings.ts';
import { HashList } from './hash-list.ts';
import { KeyTable } from './key-table.ts';
import type { LoggedEvent } from './log.ts';

/** The members that hold the rows of a table, by its name in what events recorded. */
const memberOf: Readonly<Record<string, string>> = {
  review_people: 'people.jsonl',
  review_accounts: 'population/accounts.jsonl',
  review_entitlements: 'population/entitlements.jsonl',
  review_conflict_grants: 'population/conflicts.jsonl',
  review_reviewed: 'population/reviewed.jsonl',
  review_policies: 'policies.jsonl',
  review_sources: 'sources.jsonl',
  review_source_changes: 'source-changes.jsonl',
  review_arrivals: 'arrivals.jsonl',
};

/** Characters of the id of an item that all items of its event share. */
const idPrefix = 19;

const [itemsFile, decisionsFile, eventsFile] = ['items.jsonl', 'decisions.jsonl', 'log/events.jsonl'] as const;

/** The form of the lines of actions that bundles have; events of before recorded others. */
const actionForm = 2;

/** Digests by member and, where several events wrote rows of one member, by what the rows name. Most are of one row, so they take little memory. */
export class Digests {
  readonly #findings: Findings;
  /** Places in the lists below, by member and group; the first is 1. */
  #places = new KeyTable();
  #members: string[] = [''];
  #kinds: string[] = [''];
  /** Rows and position of each, one after the other. */
  #numbers = new Float64Array(2 * 1024);
  readonly #hashes = new HashList();
  #found = new Uint32Array(1024);
  #running = new Map<number, Hash>();
  #last = { member: '', group: '', place: 0 };
  /** Events that recorded actions in another form than bundles have. */
  #former = new KeyTable();
  /** Events whose content was erased, and with it what they recorded. */
  #erased = new KeyTable();
  #isSnapshotErased = false;
  /** Rows that are held against nothing, since what was recorded of them was erased. */
  erased = 0;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  /** Takes what an event of the review recorded. */
  record(event: LoggedEvent): void {
    const { data, kind } = event;
    if (kind === 'review.snapshot_taken') {
      // A review that was prepared again has nothing of before.
      this.#places = new KeyTable();
      this.#former = new KeyTable();
      this.#isSnapshotErased = event.isErased;
    }
    if (event.isErased) {
      this.#erased.set(event.leaf.text('id'), 1);
      return;
    }
    if (data.has('evidence')) {
      this.#recordTables(event, data.fields('evidence'));
    } else if (kind === 'review.snapshot_taken') {
      this.#keep('people.jsonl', '', data.fields('people'), event);
      this.#keep('population/accounts.jsonl', '', data.fields('accounts'), event);
      this.#keep('population/entitlements.jsonl', '', data.fields('entitlements'), event);
    } else if (kind === 'review.tasks_made') {
      this.#keep(itemsFile, '', data, event);
    } else if (kind === 'review.submitted') {
      this.#keep(decisionsFile, data.text('submission'), data, event);
    }
  }

  /** Takes what an event recorded table by table. Rows of items and of actions are of many events, and name theirs. */
  #recordTables(event: LoggedEvent, tables: Fields): void {
    const id = event.leaf.text('id');
    for (const table of Object.keys(tables.raw)) {
      const member = memberOf[table];
      const said = tables.fields(table);
      if (member !== undefined) {
        this.#keep(member, '', said, event);
      } else if (table === 'tasks') {
        this.#keep(itemsFile, id, said, event);
      } else if (table === 'task_actions' && said.whole('form') === actionForm) {
        this.#keep(decisionsFile, id, said, event);
      } else if (table === 'task_actions') {
        this.#former.set(id, 1);
      }
    }
  }

  #keep(member: string, group: string, said: Fields, { position, kind }: LoggedEvent): void {
    const place = this.#members.length;
    if (place === this.#found.length) {
      this.#numbers = grown(this.#numbers, new Float64Array(4 * place));
      this.#found = grown(this.#found, new Uint32Array(2 * place));
    }
    this.#members.push(member);
    this.#kinds.push(kind);
    this.#numbers[2 * place] = said.has('n') ? said.whole('n') : said.whole('rows');
    this.#numbers[2 * place + 1] = position;
    this.#hashes.set(place, said.text('sha256'));
    this.#places.set(keyOf(member, group), place);
    this.#last = { member: '', group: '', place: 0 };
  }

  /** Adds the line of an item. The id of its event begins as its own does. */
  addItem(line: Buffer, number: number, item: string): void {
    const event = `${item.slice(0, idPrefix)}${'0'.repeat(Math.max(0, item.length - idPrefix))}`;
    if (this.isErased(event)) {
      this.erased += 1;
      return;
    }
    this.add(itemsFile, line, number, this.#placeOf(itemsFile, event) > 0 ? event : '');
  }

  /** Adds the line of a decision. Those of events of before, which recorded other lines, are held against nothing. */
  addDecision(line: Buffer, number: number, event: string, submission: string): void {
    if (event !== '' && this.#former.get(event) > 0) {
      return;
    }
    if (this.isErased(event)) {
      this.erased += 1;
    } else {
      this.add(decisionsFile, line, number, event === '' ? submission : event);
    }
  }

  /** True if this event is here without its content. */
  isErased(event: string): boolean {
    return this.#erased.get(event) > 0;
  }

  /** Members that events recorded whole. */
  recordedMembers(): string[] {
    return Object.values(memberOf).filter((member) => this.#places.get(keyOf(member, '')) > 0);
  }

  /** Adds a line of a member; `group` where its rows are of several events. */
  add(member: string, line: Buffer, number: number, group = ''): void {
    const place = this.#placeOf(member, group);
    if (place === 0 && this.#isSnapshotErased && Object.values(memberOf).includes(member)) {
      this.erased += 1;
      return;
    }
    if (place === 0) {
      const whose = group === '' ? 'it' : `the rows of ${group}`;
      this.#findings.add(member, `No event recorded ${whose}.`, { line: number, from: [eventsFile] });
      return;
    }
    this.#found[place] = this.#found[place]! + 1;
    // A text of its 32 bytes: a buffer for each line would take twice the time.
    const digest = hash('sha256', line, 'binary');
    if (this.#numbers[2 * place] === 1) {
      if (!hash('sha256', Buffer.from(digest, 'binary'), 'buffer').equals(this.#hashes.at(place))) {
        this.#findings.add(member, `It is not the row that was logged ${this.#say(place)}.`, { line: number, from: [eventsFile] });
      }
      return;
    }
    let running = this.#running.get(place);
    if (running === undefined) {
      running = createHash('sha256');
      this.#running.set(place, running);
    }
    running.update(digest, 'binary');
  }

  /** Compares all that was recorded with the lines that were added; returns how many rows stand as they were logged. */
  check(): number {
    let rows = 0;
    const empty = hash('sha256', '', 'buffer');
    for (const place of this.#places.values()) {
      const [wanted, found, member] = [this.#numbers[2 * place]!, this.#found[place]!, this.#members[place]!];
      const from = { from: [eventsFile] };
      if (found !== wanted) {
        this.#findings.add(member, `It has ${found} rows of ${wanted} that were logged ${this.#say(place)}.`, from);
      } else if (wanted !== 1 && !(this.#running.get(place)?.digest() ?? empty).equals(this.#hashes.at(place))) {
        this.#findings.add(member, `Its rows are not those that were logged ${this.#say(place)}.`, from);
      }
      rows += wanted;
    }
    return rows;
  }

  /** Rows of one event stand together, mostly. */
  #placeOf(member: string, group: string): number {
    if (member !== this.#last.member || group !== this.#last.group) {
      this.#last = { member, group, place: this.#places.get(keyOf(member, group)) };
    }
    return this.#last.place;
  }

  #say(place: number): string {
    return `at position ${this.#numbers[2 * place + 1]} (${this.#kinds[place]})`;
  }
}

const keyOf = (member: string, group: string): string => (group === '' ? member : `${member} ${group}`);

function grown<Numbers extends Float64Array | Uint32Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
