/** Layout of the list of a queue, line by line: section heads, rows, and places of rows that did not come yet. Pure. */
import { askedWords, searchWords } from '~/data/name-key.ts';
import { type QueueRow, type Section, sectionOf, sections, type Totals } from '~/data/queue/queue-rows.ts';
import type { QueueView } from './view.ts';
import { groupOf, holderOf, matches } from './standing.ts';

export type Item =
  | {
      readonly kind: 'head';
      readonly key: string;
      readonly section: Section | undefined;
      readonly name: string;
      readonly ids: readonly string[];
      readonly total: number;
    }
  | { readonly kind: 'row'; readonly key: string }
  | { readonly kind: 'gap'; readonly key: string };

export interface LayoutInput {
  readonly rows: readonly QueueRow[];
  readonly isComplete: boolean;
  readonly view: QueueView;
  /** Tasks that were decided when the filter was set: those that come later stay where they are. */
  readonly settled: ReadonlySet<string>;
  /** Those among them by the person who looks. */
  readonly mine: ReadonlySet<string>;
  /** Totals of each section, of all groups. */
  readonly sectionCounts: ReadonlyMap<Section, Totals>;
  readonly groups: readonly (Totals & { readonly id: string; readonly name: string })[];
}

function isShown(row: QueueRow, { view, settled, mine }: LayoutInput, words: readonly string[]): boolean {
  const { show, by, group } = view;
  const inShow =
    show === 'all' ||
    (show === 'todo' && !settled.has(row.taskId)) ||
    (show === 'mine' && mine.has(row.taskId)) ||
    (show === 'closer' && sectionOf(row) === 'CLOSER') ||
    (show === 'new' && sectionOf(row) === 'NEW');
  return inShow && (by === 'person' || group === '' || groupOf(row, by) === group) && matches(row, words);
}

/** Counts the rows shown of these totals, before all have come; undefined where that is not known. */
function expected(totals: Totals | undefined, { view, isComplete }: LayoutInput): number | undefined {
  if (isComplete || totals === undefined || view.q !== '' || (view.by !== 'person' && view.group !== '')) {
    return undefined;
  }
  return view.show === 'all' ? totals.total : view.show === 'todo' ? totals.todo : undefined;
}

/** The list: sections in their order, by person a part for each. */
export function layOut(input: LayoutInput): Item[] {
  const words = searchWords(askedWords(input.view.q));
  const shown = input.rows.filter((row) => isShown(row, input, words));
  const { by, sort } = input.view;
  const isWhole = by === 'list' || (by !== 'person' && sort !== 'closer');
  const parts = isWhole ? wholeList(shown, input) : by === 'person' ? partByPerson(shown, input) : partBySection(shown, input);
  const items: Item[] = [];
  for (const { key, section, name, rows, total } of parts) {
    const ids = rows.map(({ taskId }) => taskId);
    if (ids.length === 0 && total === 0) {
      continue;
    }
    if (!isWhole) {
      items.push({ kind: 'head', key: `head ${key}`, section, name, ids, total: Math.max(total, ids.length) });
    }
    for (const id of ids) {
      items.push({ kind: 'row', key: id });
    }
    for (let place = ids.length; place < total; place++) {
      items.push({ kind: 'gap', key: `gap ${key} ${place}` });
    }
  }
  return items;
}

interface Part {
  readonly key: string;
  readonly section: Section | undefined;
  readonly name: string;
  readonly rows: readonly QueueRow[];
  readonly total: number;
}

/** All of them in the server's order. Sections are an order of their own, and stand in that one alone. */
function wholeList(rows: readonly QueueRow[], input: LayoutInput): Part[] {
  const totals = [...input.sectionCounts.values()].map((one) => expected(one, input) ?? 0);
  const total = totals.reduce((sum, one) => sum + one, 0);
  return [{ key: 'list', section: undefined, name: '', rows, total: Math.max(total, rows.length) }];
}

function partBySection(shown: readonly QueueRow[], input: LayoutInput): Part[] {
  const bySection = Map.groupBy(shown, sectionOf);
  return sections.map((section) => {
    const rows = bySection.get(section) ?? [];
    return { key: section, section, name: '', rows, total: expected(input.sectionCounts.get(section), input) ?? rows.length };
  });
}

function partByPerson(shown: readonly QueueRow[], input: LayoutInput): Part[] {
  const byPerson = Map.groupBy(shown, (row) => groupOf(row, 'person'));
  const known = new Set(input.groups.map(({ id }) => id));
  const others = [...byPerson.keys()]
    .filter((id) => !known.has(id))
    .map((id) => ({ id, name: holderOf(byPerson.get(id)?.[0] as QueueRow), totals: undefined }));
  return [...input.groups.map((group) => ({ id: group.id, name: group.name, totals: group })), ...others].map(({ id, name, totals }) => {
    const rows = byPerson.get(id) ?? [];
    return { key: id, section: undefined, name, rows, total: expected(totals, input) ?? rows.length };
  });
}
