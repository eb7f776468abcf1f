/** Holds rows of evidence against the events that recorded them. */
import type { Context } from '../../../context.ts';
import { compareLines, digestLines, type RowDigest } from '../../../lib/log/row-digest.ts';
import { type EntryRow, listKeys, listKnownEvents } from '../../audit/index.ts';
import type { EvidenceRow, EvidenceScope, EvidenceSource } from './state.ts';

/** Most rows that are named one by one. */
const maxNamed = 100;

/** Says which rows of these events are not what they recorded; also how many were looked at. */
export async function checkEvidence(
  context: Context,
  sources: readonly EvidenceSource[],
  entries: readonly EntryRow[],
): Promise<{ rows: number; sentences: string[] }> {
  const present = entries.filter(({ id }) => id !== null);
  const sentences: string[] = [];
  let rows = 0;
  for (const source of present.length === 0 ? [] : sources) {
    const { same, rest } = await findSame(context, source, present);
    rows += same;
    const byEvent = Map.groupBy(
      rest.length === 0
        ? []
        : await source.list(
            context,
            rest.map(({ eventId }) => eventId),
          ),
      ({ eventId }) => eventId,
    );
    const wrong = rest.flatMap((entry) => {
      const found = byEvent.get(entry.eventId) ?? [];
      rows += found.length;
      const said = compareRows(source.table, entry, found);
      return said.length === 0 ? [] : [{ eventId: entry.eventId, said }];
    });
    const superseded = new Set(
      wrong.length === 0
        ? []
        : await source.listSuperseded?.(
            context,
            wrong.map(({ eventId }) => eventId),
          ),
    );
    sentences.push(...wrong.flatMap(({ eventId, said }) => (superseded.has(eventId) ? [] : said)));
    sentences.push(...((await source.listWrong?.(context, present)) ?? []));
  }
  return { rows, sentences };
}

/** The number of rows that the database knows to be those recorded, and the events whose rows are to be read. */
async function findSame(
  context: Context,
  { table, listDigests }: EvidenceSource,
  present: readonly EntryRow[],
): Promise<{ same: number; rest: readonly EntryRow[] }> {
  if (listDigests === undefined) {
    return { same: 0, rest: present };
  }
  const digests = new Map(
    (
      await listDigests(
        context,
        present.map(({ eventId }) => eventId),
      )
    ).map((one) => [one.eventId, one]),
  );
  let same = 0;
  const rest = present.filter(({ eventId, data, contentHash }) => {
    const found = digests.get(eventId);
    const wanted = contentHash === null ? digestIn(data, table) : undefined;
    if (found !== undefined && found.sha256 === wanted?.sha256) {
      same += found.rows;
      return false;
    }
    return found !== undefined || (wanted?.rows ?? 0) > 0;
  });
  return { same, rest };
}

function compareRows(table: string, entry: EntryRow, found: readonly EvidenceRow[]): string[] {
  const said = compareDigest(table, entry, found);
  // A row of which the line is another one is named once.
  const named = new Set(said);
  const others = found.filter((row) => !named.has(sayChanged(table, row, entry.eventId)));
  return [...said, ...others.flatMap((row) => sayBeside(table, entry, row)).slice(0, maxNamed)];
}

function sayChanged(table: string, row: EvidenceRow | undefined, eventId: string): string {
  return `${nameRow(table, row)}: is not what event ${eventId} recorded.`;
}

/** Says what was changed of a row that its line does not have. */
function sayBeside(table: string, { reviewId, data, contentHash }: EntryRow, row: EvidenceRow): string[] {
  const isFormer = contentHash === null && digestIn(data, table)?.form === undefined;
  const isElsewhere = row.reviewId !== undefined && reviewId !== '' && row.reviewId !== reviewId;
  return [
    ...(row.wrong === undefined || isFormer ? [] : [`${nameRow(table, row)}: ${row.wrong}.`]),
    ...(isElsewhere ? [`${nameRow(table, row)}: belongs to another review than its event.`] : []),
  ];
}

function compareDigest(table: string, { eventId, data, contentHash }: EntryRow, found: readonly EvidenceRow[]): string[] {
  const wanted = contentHash === null ? digestIn(data, table) : undefined;
  if (wanted === undefined) {
    // The content of an event that was emptied says nothing of its rows any more.
    return contentHash === null ? found.slice(0, maxNamed).map(({ id }) => `${table} ${id}: belongs to no event.`) : [];
  }
  const lines = found.map(({ line, formerly = line }) => (wanted.form === undefined ? formerly : line));
  if (digestLines(lines).sha256 === wanted.sha256) {
    return [];
  }
  const { unknown, gone } = compareLines(lines, wanted);
  const named = unknown.slice(0, maxNamed).map((at) => sayChanged(table, found[at], eventId));
  const missing = gone - unknown.length;
  return [
    ...named,
    ...(missing > 0
      ? [`${table}: ${missing} of the ${wanted.rows} rows that event ${eventId} recorded ${missing === 1 ? 'is' : 'are'} gone.`]
      : []),
    ...(named.length === 0 && missing <= 0 ? [`${table}: the rows of event ${eventId} are not what it recorded.`] : []),
  ];
}

function nameRow(table: string, row: EvidenceRow | undefined): string {
  return `${table} ${row?.id ?? ''}${row?.taskId === undefined ? '' : ` of task ${row.taskId}`}`;
}

/** The digest that an event has of the rows of a table; undefined where it has none. */
function digestIn(data: string, table: string): RowDigest | undefined {
  // Most events record no rows, and their data need not be read.
  if (!data.includes('"evidence"')) {
    return undefined;
  }
  const { evidence } = JSON.parse(data) as { evidence?: Readonly<Record<string, RowDigest>> };
  return evidence?.[table];
}

/** Sentences about what contradicts the evidence, or a part of it. */
export async function checkContradictions(context: Context, sources: readonly EvidenceSource[], only?: EvidenceScope): Promise<string[]> {
  const sentences: string[] = [];
  for (const { listContradictions } of sources) {
    sentences.push(...((await listContradictions?.(context, maxNamed, only)) ?? []));
  }
  return sentences;
}

/** Rows that no event recorded, and what contradicts the evidence. */
export async function checkRest(context: Context, sources: readonly EvidenceSource[]): Promise<string[]> {
  const sentences: string[] = [];
  const since = (await listKeys(context)).at(-1)?.createdAt ?? context.now;
  for (const source of sources) {
    const stray = [...(await source.listStray(context, since, maxNamed)), ...(await listOfUnknownEvents(context, source))];
    sentences.push(...stray.map(({ id }) => `${source.table} ${id}: belongs to no event.`));
  }
  return [...sentences, ...(await checkContradictions(context, sources))];
}

const idsAtOnce = 2_000;

/** Rows that name an event which is not in the log. */
async function listOfUnknownEvents(context: Context, { list, listEventIds }: EvidenceSource): Promise<readonly EvidenceRow[]> {
  const found: EvidenceRow[] = [];
  for (let after = ''; found.length < maxNamed; ) {
    const ids = (await listEventIds(context, after, idsAtOnce)).map(({ id }) => id);
    const last = ids.at(-1);
    if (last === undefined) {
      break;
    }
    const known = new Set(await listKnownEvents(context, ids));
    const unknown = ids.filter((id) => !known.has(id));
    found.push(...(unknown.length === 0 ? [] : await list(context, unknown)));
    after = last;
  }
  return found.slice(0, maxNamed);
}
