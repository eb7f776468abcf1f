/**
 * Taking in a file of people: what it says becomes the directory of its source, all of it or nothing.
 */
import { inTransaction, type Context } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { ensureSource, findWantedSource, type SyncSource } from '../sources/index.ts';
import {
  insertPeople,
  lockRoles,
  recordKeptAdministrator,
  releaseAddresses,
  ROLES,
  updateDisabledPeople,
  updatePeople,
  vacateAddresses,
} from '../../foundation/directory/index.ts';
import { matchAccounts } from '../identity/index.ts';
import { getMoversSql, leaversSql } from '../people/index.ts';
import { keepMapping, readAskedReading } from './suggestions/index.ts';
import {
  checkProfiles,
  findPeopleWithoutAddress,
  findRepeatedPeople,
  lockImports,
  lockPlace,
  setImportSettings,
  stagePeopleFile,
  takePlace,
} from './merge/index.ts';
import {
  type PeopleOf,
  countPeopleLosses,
  findDisputed,
  endHalfEnded,
  findKeptAddresses,
  findUnclearManagers,
  findUnclearPeople,
  findUnknownManagers,
  freeAddressesOfEnded,
  getIsMissingSql,
  getKnownPeopleSql,
  getNewPeopleSql,
  listHolderFates,
  removeCircles,
  stagePersons,
  stageManagers,
  updateReferredManagers,
} from './people/index.ts';
import { type CountedNotes, type NoteList, RefusedFile, createNoteList, refuseRows } from './values/index.ts';
import { type ReadFile, type Upload, expectUpload, peopleRows, readFile } from './rows/index.ts';
import {
  type Companion,
  type Guard,
  type Observed,
  type SyncRow,
  type TimedScope,
  findOver,
  guardRemovals,
  leaveRefusals,
  observe,
  recordRefusals,
  renewStatistics,
  recordSync,
  startClock,
} from './record/index.ts';
import { stagePeopleBefore } from './rehearsal/index.ts';

/** Request that comes with the file. */
export interface PeopleImport {
  /** Origin of the people: the name of the source; `people` where it is '' and no id is given. */
  readonly source: string;
  readonly allowRemovals: boolean;
  /** The source by its id. */
  readonly sourceId?: string;
  /** For this file alone: `wanted=Column`, before the mapping of the source. */
  readonly map?: readonly string[];
  /** The sheet of an Excel file; the first where it is ''. */
  readonly sheet?: string;
  /** The line that the names of the columns stand on; 0 where they are to be found. */
  readonly headerLine?: number;
  /** Moment its data are of; the beginning of the import where absent. */
  readonly observedFrom?: Date | undefined;
}

/**
 * Imports people. The whole file is read before the database is touched. INVALID_ARGUMENT for a bad file or row, FAILED_PRECONDITION
 * where too many people would be disabled. A companion does its part in the transaction.
 */
export async function importPeople(context: Context, request: PeopleImport, upload: Upload, companion?: Companion): Promise<SyncRow> {
  const timed = startClock(context);
  expectUpload(upload);
  const observed = observe(context, request.observedFrom, upload);
  const sourceId = request.sourceId ?? '';
  const wanted = { sourceId, name: request.source.trim() || (sourceId === '' ? 'people' : '') };
  const known = await findWantedSource(context, '', wanted);
  const reading = readAskedReading('people', request);
  // Paused since: the record is then of no source.
  const sourceOf = async (inside: Context) => ({ appId: '', source: await findWantedSource(inside, '', wanted).catch(() => undefined) });
  const refused = { kind: 'PEOPLE' as const, source: known?.displayName ?? wanted.name, sourceOf };
  const recorded = companion?.isRehearsal === true ? leaveRefusals : recordRefusals;
  const done = await recorded(timed, refused, async () => {
    const file = await readFile(upload, peopleRows, { ...reading, saved: known?.columnMapping ?? {} });
    try {
      // Two sources may report the same person: one import of people at a time.
      return await takePlace(context, 'people', upload.left, () =>
        inTransaction(context, async (inside) => {
          await setImportSettings(inside);
          await lockPlace(inside, upload.left, () => lockImports(inside, 'people'));
          const { text, errors } = file.rows();
          const repeated = await stagePeopleFile(inside, text);
          const source = await ensureSource(inside, '', wanted);
          const guard = companion?.guard(request.allowRemovals) ?? { isAllowed: request.allowRemovals };
          const row = await mergePeople(
            { ...timed, context: inside },
            source,
            guard,
            { file: { ...file, errors }, repeated, observed: observed() },
            companion?.isRehearsal === true,
          );
          await companion?.end(inside, row);
          await keepMapping(inside, source, reading, file);
          return row;
        }),
      );
    } finally {
      await file.spool.close();
    }
  });
  await renewStatistics(context, 'PEOPLE', done.added + done.changed + done.removed);
  return done;
}

async function mergePeople(
  timed: TimedScope,
  connector: SyncSource,
  guard: Guard,
  { file, repeated, observed }: { readonly file: ReadFile; readonly repeated: number; readonly observed: Observed },
  isRehearsed: boolean,
): Promise<SyncRow> {
  const { context } = timed;
  const { isComplete } = observed.record;
  const total = file.rowCount - repeated;
  const source = connector.displayName;
  const freed = await findRepeated(context, file.errors);
  file.errors.addMany(await findUnclearPeople(context));
  file.errors.addMany(await checkProfiles(context, 'import_people'));
  const errors = file.errors.list();
  if (errors.count > 0) {
    throw new RefusedFile(refuseRows(errors), file, errors);
  }
  await lockRoles(context);

  const warnings = createNoteList();
  warnings.addMany(observed.warnings);
  warnings.addMany(file.warnings);
  warnings.addMany(freed);
  const of: PeopleOf = { sourceId: connector.id, isComplete };
  await stagePersons(context, of);
  if (isRehearsed) {
    await stagePeopleBefore(context);
  }
  const disputed = await findDisputed(context);
  warnings.addMany(disputed);
  warnings.addMany(await findKeptAddresses(context));
  warnings.addMany(await endHalfEnded(context));
  await releaseAddresses(context, leaversSql);
  await stageManagers(context);
  await updateReferredManagers(context);
  warnings.addMany(await findUnknownManagers(context));
  warnings.addMany(await findUnclearManagers(context));
  // Behind the staging, which gives people of the directory the address they have there.
  warnings.addMany(await findPeopleWithoutAddress(context));
  warnings.addMany(await removeCircles(context));

  const keptId = await keepLastAdministrator(context, connector.id, warnings);
  const losses = await countPeopleLosses(context, keptId);
  guardRemovals(
    findOver({
      check: 'SHARE',
      verb: 'disable',
      removed: losses.disabled,
      total: losses.people,
      noun: `people of the source ${JSON.stringify(source)}`,
      share: connector.removalShare,
    }),
    guard,
    file,
  );

  await vacateAddresses(context, getMoversSql(context.tenantId));
  const changed = await updatePeople(context, getKnownPeopleSql(connector.id, keptId));
  const removed = await updateDisabledPeople(context, getIsMissingSql(keptId));
  const added = await insertPeople(context, getNewPeopleSql(connector.id));
  const id = newId(context.now);
  const { changed: accounts, marked } = await matchAccounts(context, undefined, 'IMPORT', id);
  if (marked > 0) {
    const reason = `accounts that match a former address of their owner from now on: ${marked}; check that they are still theirs`;
    warnings.add({ line: 1, column: 'email', reason });
  }
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
    unchanged: total - added - changed - disputed.count,
    warningCount: count,
    warnings: first,
    counts: {
      people: { added, changed, removed, total, disputed: disputed.count },
      accounts: { added: 0, changed: accounts, removed: 0, total: accounts },
    },
    peopleDigest: '',
    howRead: file.howRead,
    findings: undefined,
    parts: null,
    elsewhere: null,
    ...observed.record,
  });
}

/** Adds rows whose address stands on another row to the errors, but for those of whom the file says that they left: their address is somebody else's by now. */
async function findRepeated(context: Context, errors: NoteList): Promise<CountedNotes> {
  const repeated = await findRepeatedPeople(context);
  const freed = repeated.count === 0 ? repeated : await freeAddressesOfEnded(context);
  errors.addMany(freed.count === 0 ? repeated : await findRepeatedPeople(context));
  return freed;
}

/**
 * The Super Administrator who stays enabled although the file says otherwise, because nobody else would be left: the one who was there
 * first. '' where none is needed.
 */
async function keepLastAdministrator(context: Context, sourceId: string, warnings: NoteList): Promise<string> {
  const holders = await listHolderFates(context, ROLES.SUPER_ADMINISTRATOR.id);
  const kept = holders[0];
  if (kept === undefined || holders.some((holder) => holder.stays)) {
    return '';
  }
  warnings.add({
    line: kept.line ?? 1,
    column: kept.line === null ? 'email' : 'employment_status',
    reason: `${kept.email} is the last Super Administrator and stays enabled${kept.line === null ? ', although the file does not name them' : ''}`,
  });
  await recordKeptAdministrator(context, kept.id, sourceId);
  return kept.id;
}
