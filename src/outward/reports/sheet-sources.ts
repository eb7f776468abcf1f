/**
 * The sheet of sources: where the access came from that the review asked about, as it was frozen. Counts are those that tie the review to its files;
 * a review of an earlier release, which kept none, has those of the last files before it.
 */
import type { Context } from '../../context.ts';
import type { Cell } from '../../lib/workbook/xlsx-writer.ts';
import { findReview, listAppNames, type SourceAccuracy } from '../../governance/reviews/index.ts';
import { findPeopleSources, listSourceCounts, type SourceCount } from '../../governance/snapshots/index.ts';
import { findSync, listSyncsAt, type SyncRow } from '../../inventory/syncs/index.ts';
import type { ReportSheet } from './report-sheet.ts';

const dayMs = 86_400_000;

/** Names of what is held by no source of its own. */
const ownNames: Readonly<Record<string, string>> = {
  MANUAL: 'Granted here, by no file',
  DERIVED: 'App access that follows from accounts',
};

/** Heading of how many records of a source were disputed when the review froze its people: they stood for nobody. */
const disputedHeading = 'Disputed records';
/** Columns before that one. */
const columnsBefore = 23;

export const sourcesSheet: ReportSheet = {
  name: 'Sources',
  isSplit: false,
  columns: () => [
    { heading: 'Source', width: 28 },
    { heading: 'Application', width: 28 },
    { heading: 'Checked on (UTC)' },
    { heading: 'Last finished on (UTC)' },
    { heading: 'Age in days', width: 12 },
    { heading: 'Last result', width: 12 },
    { heading: 'To look at' },
    { heading: 'Sync', width: 30 },
    { heading: 'SHA-256 of the file', width: 66 },
    { heading: 'Began on (UTC)' },
    { heading: 'Ended on (UTC)' },
    { heading: 'Data from (UTC)' },
    { heading: 'What may be missing', width: 24 },
    ...['Rows', 'Accepted', 'Named again', 'Rejected', 'Held when frozen', 'Added', 'Changed', 'Removed', 'Unchanged', 'Revision'].map(
      (heading) => ({
        heading,
        width: 12,
      }),
    ),
    { heading: disputedHeading, width: 12 },
  ],
  async read(context, { report }) {
    const { accuracy } = (await findReview(context, report.reviewId)) ?? { accuracy: null };
    const sources = accuracy?.sources ?? [];
    const checkedAt = new Date(accuracy?.checkedAt ?? '');
    const counts = await listSourceCounts(context, report.reviewId);
    const countOf = new Map(counts.flatMap((count) => (count.sourceId === '' ? [] : [[count.sourceId, count]])));
    const ids = sources.map(({ connectorId }) => connectorId);
    const syncs = sources.length === 0 ? undefined : await listSyncsAt(context, ids, checkedAt);
    const rows: Cell[][] = [];
    for (const source of sources) {
      const count = countOf.get(source.connectorId);
      const last = syncs?.get(source.connectorId);
      const isCounted = count !== undefined && count.syncId !== '';
      const sync = isCounted && count.syncId !== last?.id ? await findSync(context, count.syncId) : last;
      rows.push([...describe(source, checkedAt), ...tell(sync, count, source.rows)]);
    }
    const others = counts.filter(({ sourceId }) => !ids.includes(sourceId));
    const reporting = (await findPeopleSources(context, report.reviewId)) ?? [];
    const disputedOf = new Map(reporting.map(({ sourceId, disputed }) => [sourceId, disputed]));
    const told = [
      ...rows.map((row, at) => ({ row, sourceId: ids[at] ?? '' })),
      ...(await listOthers(context, others)).map((row, at) => ({ row, sourceId: others[at]?.sourceId ?? '' })),
    ];
    const people = reporting.filter(({ sourceId }) => told.every((one) => one.sourceId !== sourceId));
    return {
      rows: [
        ...told.map(({ row, sourceId }) => widen(row, disputedOf.get(sourceId) ?? null)),
        ...people.map(({ displayName, disputed }) => widen([displayName, 'People'], disputed)),
      ],
      after: undefined,
    };
  },
};

/** Puts the number of disputed records behind a row. */
function widen(row: readonly Cell[], disputed: number | null): Cell[] {
  return [...row, ...Array<Cell>(Math.max(0, columnsBefore - row.length)).fill(null), disputed];
}

/** A source as it was when the review was prepared. */
function describe(source: SourceAccuracy, checkedAt: Date): Cell[] {
  const doneAt = source.lastDoneAt === '' ? null : new Date(source.lastDoneAt);
  const dataFrom = doneAt && new Date(source.observedFrom ?? source.lastDoneAt);
  return [
    source.displayName,
    source.appDisplayName ?? source.appId,
    checkedAt,
    doneAt,
    dataFrom === null ? null : Math.floor((checkedAt.getTime() - dataFrom.getTime()) / dayMs),
    source.lastResult,
    source.flags.join(', '),
  ];
}

/** The file that a source read last, and what was counted of it. */
function tell(sync: SyncRow | undefined, count: SourceCount | undefined, rows: number | null): Cell[] {
  const held = count?.held ?? null;
  if (sync === undefined) {
    return [null, null, null, null, null, null, rows, null, null, null, held];
  }
  const { id, fileSha256, startedAt, endedAt, observedFrom, incompleteReason, added, changed, removed, unchanged, revision } = sync;
  const counted = count?.syncId === id ? [count.rows, count.accepted, count.duplicates, count.rejected] : [sync.rows, ...countRows(sync)];
  return [
    id,
    fileSha256,
    startedAt,
    endedAt,
    observedFrom,
    incompleteReason,
    ...counted,
    held,
    added,
    changed,
    removed,
    unchanged,
    revision,
  ];
}

/** Lists what is held by no source that the review knew: by hand, by having an account, or by one that is gone. */
async function listOthers(context: Context, counts: readonly SourceCount[]): Promise<Cell[][]> {
  const apps = await listAppNames(context, [...new Set(counts.map(({ appId }) => appId))]);
  const nameOf = new Map(apps.map(({ id, displayName }) => [id, displayName]));
  const rows: Cell[][] = [];
  for (const count of counts) {
    const name = count.displayName || (ownNames[count.kind] ?? count.kind);
    const sync = count.syncId === '' ? undefined : await findSync(context, count.syncId);
    rows.push([name, nameOf.get(count.appId) ?? count.appId, ...[null, null, null, null, null], ...tell(sync, count, null)]);
  }
  return rows;
}

/** Counts the grants that a file named, its rows that named one again, and those that were refused. */
function countRows({ rows, rejected, counts }: SyncRow): [accepted: number | null, again: number | null, rejected: number] {
  const accepted = counts['grants']?.total ?? null;
  // Nothing follows from the number of grants if one row names several.
  return [accepted, accepted === null || accepted + rejected > rows ? null : rows - rejected - accepted, rejected];
}
