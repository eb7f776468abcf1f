/**
 * Taking in a file of people: what it says becomes the directory of its source, all of it or nothing.
 */
import { inTransaction, type Context } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { ensureSource, findWantedSource, type SyncSource } from '../sources/index.ts';
import { analyzePeople, insertPeople, lockRoles, ROLES, updateDisabledPeople, updatePeople } from '../directory/index.ts';
import { matchAccounts } from '../identity/index.ts';
import { readAskedReading } from './column-mapping.ts';
import { checkProfiles } from './check-profiles.ts';
import { keepMapping } from './keep-mapping.ts';
import { analyzeFrom } from './limits.ts';
import { createNoteList, type NoteList, RefusedFile, refuseRows } from './notes.ts';
import { peopleRows } from './people-rows.ts';
import { type ReadFile, readFile } from './read-file.ts';
import { type Guard, guardRemovals, recordSync, startClock, type TimedScope } from './record-import.ts';
import { leaveRefusals, recordRefusals } from './record-refusal.ts';
import type { Rehearsing } from './rehearse.ts';
import type { SyncRow } from './store.ts';
import { removeCircles, findUnknownManagers, updateManagers } from './store-managers.ts';
import { findUnclearManagers, findUnclearPeople, updateReferredManagers } from './store-references.ts';
import { countPeopleLosses, getIsMissing, getKnownPeople, getNewPeople, stagePersons, listHolderFates } from './store-people.ts';
import { stagePeopleBefore } from './store-rehearsal.ts';
import { findRepeatedPeople, stagePeopleFile, lockImports, setImportSettings } from './store-staging.ts';
import { lockPlace, takePlace } from './take-place.ts';
import { expectUpload, type Upload } from './upload.ts';

/** What is asked for beside the file. */
export interface PeopleImport {
  /** Where the people come from: the name of the source; `people` where it is '' and no id is given. */
  readonly source: string;
  readonly allowRemovals: boolean;
  /** The source by its id. */
  readonly sourceId?: string;
  /** For this file alone: `wanted=Column`, before the mapping of the source. */
  readonly map?: readonly string[];
  /** The sheet of an Excel file; the first where it is ''. */
  readonly sheet?: string;
}

/**
 * Imports people. The whole file is read before the database is touched. INVALID_ARGUMENT for a bad file or row, FAILED_PRECONDITION
 * where too many people would be disabled. One that is rehearsed is undone by what `rehearsing` throws.
 */
export async function importPeople(context: Context, request: PeopleImport, upload: Upload, rehearsing?: Rehearsing): Promise<SyncRow> {
  const timed = startClock(context);
  expectUpload(upload);
  const sourceId = request.sourceId ?? '';
  const wanted = { sourceId, name: request.source.trim() || (sourceId === '' ? 'people' : '') };
  const known = await findWantedSource(context, '', wanted);
  const reading = readAskedReading('people', request);
  // Paused since: the record is then of no source.
  const sourceOf = async (inside: Context) => ({ appId: '', source: await findWantedSource(inside, '', wanted).catch(() => undefined) });
  const refused = { kind: 'PEOPLE' as const, source: known?.displayName ?? wanted.name, sourceOf };
  const recorded = rehearsing === undefined ? recordRefusals : leaveRefusals;
  const done = await recorded(timed, refused, async () => {
    const file = await readFile(upload, peopleRows, { ...reading, saved: known?.columnMapping ?? {} });
    try {
      // Two sources may report the same person: one import of people at a time.
      return await takePlace(context, 'people', upload.left, () =>
        inTransaction(context, async (inside) => {
          await setImportSettings(inside);
          await lockPlace(inside, upload.left, () => lockImports(inside, 'people'));
          const { text, errors } = file.rows();
          await stagePeopleFile(inside, text);
          const source = await ensureSource(inside, '', wanted);
          const guard = rehearsing?.guard(request.allowRemovals) ?? { isAllowed: request.allowRemovals };
          const row = await mergePeople({ ...timed, context: inside }, source, guard, { ...file, errors }, rehearsing !== undefined);
          await rehearsing?.end(inside, row);
          await keepMapping(inside, source, reading, file);
          return row;
        }),
      );
    } finally {
      await file.spool.close();
    }
  });
  if (done.added + done.changed + done.removed >= analyzeFrom && !context.db.inTransaction) {
    await analyzePeople(context).catch((error: unknown) =>
      context.log.warn({ err: error }, 'the statistics could not be renewed after a sync'),
    );
  }
  return done;
}

async function mergePeople(timed: TimedScope, connector: SyncSource, guard: Guard, file: ReadFile, isRehearsed: boolean): Promise<SyncRow> {
  const { context } = timed;
  const source = connector.displayName;
  file.errors.addMany(await findRepeatedPeople(context));
  file.errors.addMany(await findUnclearPeople(context));
  file.errors.addMany(await checkProfiles(context, 'import_people'));
  const errors = file.errors.list();
  if (errors.count > 0) {
    throw new RefusedFile(refuseRows(errors), file, errors);
  }
  await lockRoles(context);

  const warnings = createNoteList();
  await stagePersons(context);
  if (isRehearsed) {
    await stagePeopleBefore(context, connector.id);
  }
  await updateManagers(context);
  await updateReferredManagers(context);
  warnings.addMany(await findUnknownManagers(context));
  warnings.addMany(await findUnclearManagers(context));
  warnings.addMany(await removeCircles(context));

  const keptId = await keepLastAdministrator(context, connector.id, warnings);
  const losses = await countPeopleLosses(context, connector.id, keptId);
  guardRemovals(
    {
      verb: 'disable',
      removed: losses.disabled,
      total: losses.people,
      noun: `people of the source ${JSON.stringify(source)}`,
      share: connector.removalShare,
    },
    guard,
    file,
  );

  const changed = await updatePeople(context, getKnownPeople(connector.id, keptId));
  const removed = await updateDisabledPeople(context, getIsMissing(connector.id, keptId));
  const added = await insertPeople(context, getNewPeople(connector.id));
  const id = newId(context.now);
  const accounts = (await matchAccounts(context, undefined, 'IMPORT', id)).changed;
  const { count, first } = warnings.list();
  return recordSync(timed, connector, {
    id,
    kind: 'PEOPLE',
    source,
    appId: '',
    fileSha256: file.sha256,
    fileFormat: file.format,
    readAs: file.readAs,
    revision: null,
    rows: file.rowCount,
    added,
    changed,
    removed,
    unchanged: file.rowCount - added - changed,
    warningCount: count,
    warnings: first,
    counts: {
      people: { added, changed, removed, total: file.rowCount },
      accounts: { added: 0, changed: accounts, removed: 0, total: accounts },
    },
    peopleDigest: '',
    howRead: file.howRead,
    findings: undefined,
  });
}

/**
 * The Super Administrator who stays enabled although the file says otherwise, because nobody else would be left: the one who was there
 * first. '' where none is needed.
 */
async function keepLastAdministrator(context: Context, sourceId: string, warnings: NoteList): Promise<string> {
  const holders = await listHolderFates(context, sourceId, ROLES.SUPER_ADMINISTRATOR.id);
  const kept = holders[0];
  if (kept === undefined || holders.some((holder) => holder.stays)) {
    return '';
  }
  warnings.add({
    line: kept.line ?? 1,
    column: kept.line === null ? 'email' : 'employment_status',
    reason: `${kept.email} is the last Super Administrator and stays enabled${kept.line === null ? ', although the file does not name them' : ''}`,
  });
  return kept.id;
}
