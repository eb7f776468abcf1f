/**
 * The record of a sync whose file says what the last one of its source said: nothing is compared, nothing else is written.
 */
import { newId } from '../../../wire/ids.ts';
import { findRevision } from '../../ledger/index.ts';
import type { GroupedFile, Place } from './find-extent.ts';
import { findFindings } from './find-findings.ts';
import { type CountedNotes, maxNotesTold } from '../values/index.ts';
import { type LastSync, type SyncRow, recordSync, updateContentSync } from '../record/index.ts';

/** Records the sync with the counts of the last one, as they stand now. */
export async function recordUnchanged({ timed, app, source }: Place, { file, observed }: GroupedFile, last: LastSync): Promise<SyncRow> {
  const { context } = timed;
  const id = newId(context.now);
  await updateContentSync(context, source.id, id);
  const counts = Object.fromEntries(
    Object.entries(last.counts).map(([kind, { total }]) => [kind, { added: 0, changed: 0, removed: 0, total }]),
  );
  return recordSync(timed, source, {
    ...last,
    fileSha256: file.sha256,
    fileFormat: file.format,
    readAs: file.readAs,
    rows: file.rowCount,
    id,
    source: app.displayName,
    revision: await findRevision(context),
    added: 0,
    changed: 0,
    removed: 0,
    unchanged: last.added + last.changed + last.unchanged,
    counts,
    howRead: file.howRead,
    findings: await findFindings({ timed, app, source, isNewApp: false }, file.partCount - (last.counts.grants?.total ?? file.partCount)),
    parts: file.partCount,
    ...observed.record,
    ...replaceFetched(last, observed.warnings),
  });
}

/** The warnings of the last sync about its rows, with what this fetch says in place of what that one said. */
function replaceFetched({ warnings, warningCount }: LastSync, { notes }: CountedNotes): Pick<SyncRow, 'warnings' | 'warningCount'> {
  const ofRows = warnings.filter(({ line }) => line > 0);
  return {
    warnings: [...notes, ...ofRows].slice(0, maxNotesTold),
    warningCount: warningCount - (warnings.length - ofRows.length) + notes.length,
  };
}
