/**
 * Taking in a file of grants: what it says becomes who has access to what in one app, as far as its source goes; all of it or nothing.
 */
import { invalidField } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { analyzeCatalog, ensureApp, type FillableApp, findApp, findAppByName } from '../catalog/index.ts';
import { analyzeLedger, findRevision } from '../ledger/index.ts';
import { ensureSource, findWantedSource, type SyncSource } from '../sources/index.ts';
import { type AskedReading, readAskedReading } from './column-mapping.ts';
import { grantRows } from './grant-rows.ts';
import { checkProfiles } from './check-profiles.ts';
import { analyzeFrom, fileLimits } from './limits.ts';
import { createNoteList, RefusedFile, refuseRows } from './notes.ts';
import { type ReadFile, readFile, type Upload } from './read-file.ts';
import { guardRemovals, recordSync, startClock, type TimedScope } from './record-import.ts';
import { recordRefusals } from './record-refusal.ts';
import { hashHead } from './hash-head.ts';
import { keepFile, type KeptFile } from './keep-file.ts';
import { findSync, findLastSync, findPeopleDigest, type SyncRow } from './store.ts';
import { type AccountDifference, findAccountDifference, findUnknownOwners, stageAccountNumbers } from './store-accounts.ts';
import { type DifferenceOf, findDifference, hasOtherSources, type GrantDifference, stagePairs } from './store-difference.ts';
import { type EntitlementCounts, stageEntitlementIds, stageEntitlementNumbers } from './store-entitlements.ts';
import { stagePaths } from './store-paths.ts';
import { findContradictions, stageGrantsFile, setImportSettings } from './store-staging.ts';
import { takeTurn } from './take-turn.ts';
import type { CountedNotes } from './types.ts';
import { writeDifference } from './write-difference.ts';

/** What is asked for beside the file. */
export interface GrantsImport {
  /** Display name of the app; may be '' where `connectorId` names it. */
  readonly app: string;
  readonly allowRemovals: boolean;
  /** The source the file comes from, by id or by name; the app's source `files` where neither is given. */
  readonly sourceId?: string;
  readonly source?: string;
  /** For this file alone: `wanted=Column`, before the mapping of the source. */
  readonly map?: readonly string[];
  /** The sheet of an Excel file; the first where it is ''. */
  readonly sheet?: string;
}

const defaultSource = 'files';

/** The request with the app's name, which the source may have supplied. */
interface Wanted {
  readonly appName: string;
  readonly sourceId: string;
  readonly source: string;
  readonly allowRemovals: boolean;
  readonly reading: AskedReading;
  /** Of the first bytes of the file; '' before they came. */
  readonly headSha256: string;
}

/**
 * Imports the grants of an app, which is made where it is not there, and so is the source. The whole file is read before the database is
 * touched. INVALID_ARGUMENT for a bad file or row, FAILED_PRECONDITION for a paused source and where too many grants would end.
 */
export async function importGrants(context: Context, request: GrantsImport, upload: Upload): Promise<SyncRow> {
  const timed = startClock(context);
  const { wanted, source } = await resolveSource(context, request);
  const refused = { kind: 'GRANTS' as const, source: wanted.appName, sourceOf: (inside: Context) => findRefusedSource(inside, wanted) };
  const done = await recordRefusals(timed, refused, () => takeUpload(timed, wanted, source, upload));
  if (done.added + done.changed + done.removed >= analyzeFrom && !context.db.inTransaction) {
    await renewStatistics(context).catch((error: unknown) =>
      context.log.warn({ err: error }, 'the statistics could not be renewed after a sync'),
    );
  }
  return done;
}

async function renewStatistics(context: Context): Promise<void> {
  await analyzeLedger(context);
  await analyzeCatalog(context);
}

/** Which app and source are meant, before anything is read: what cannot be is refused at once. */
async function resolveSource(context: Context, request: GrantsImport): Promise<{ wanted: Wanted; source: SyncSource | undefined }> {
  const { app: name, sourceId = '', source: sourceName = '', allowRemovals } = request;
  if (name.trim() === '' && sourceId === '') {
    throw invalidField('app', 'must name the app of these grants');
  }
  const named = name.trim() === '' ? undefined : await findAppByName(context, name);
  if (named === undefined && name.trim() !== '' && sourceId !== '') {
    throw invalidField(
      'app',
      `no app has the name ${JSON.stringify(name.slice(0, 200))}, so the source belongs to another one; leave one of the two out`,
    );
  }
  const reading = readAskedReading('grants', request);
  const wanted = { sourceId, name: sourceId === '' && sourceName.trim() === '' ? defaultSource : sourceName };
  const source = await findWantedSource(context, named?.id, wanted);
  // An app reported by its name that is deleted from now on is made anew, as one that is not there.
  const app = source === undefined || sourceId === '' ? named : await findApp(context, source.appId);
  if (sourceId !== '' && app === undefined) {
    throw invalidField('connectorId', 'is a source of a deleted app');
  }
  return {
    wanted: { appName: app?.displayName ?? name, sourceId, source: wanted.name, allowRemovals, reading, headSha256: '' },
    source,
  };
}

async function takeUpload(timed: TimedScope, asked: Wanted, source: SyncSource | undefined, upload: Upload): Promise<SyncRow> {
  const last = source && (await findSync(timed.context, source.lastSyncId));
  const wanted = { ...asked, headSha256: await hashHead(upload.body, fileLimits.stallMs) };
  // A file that begins as the one before may be the same again: then nothing but its bytes needs to be read.
  const kept = last === undefined || last.headSha256 !== wanted.headSha256 ? undefined : await keepFile(upload);
  try {
    const same = kept && (await takeTurn(() => takeUnchanged(timed, wanted, (last) => isSameFile(last, wanted, kept))));
    return same ?? (await takeFile(timed, wanted, source, kept?.upload() ?? upload));
  } finally {
    await kept?.close();
  }
}

async function takeFile(timed: TimedScope, wanted: Wanted, source: SyncSource | undefined, upload: Upload): Promise<SyncRow> {
  const file = await readFile(upload, grantRows, { ...wanted.reading, saved: source?.columnMapping ?? {}, isDigested: true });
  try {
    return await takeTurn(async () => {
      const comesAgain = source !== undefined && source.lastSyncId !== '' && file.errors.list().count === 0;
      const same = comesAgain ? await takeUnchanged(timed, wanted, (last) => saysTheSame(last, file)) : undefined;
      return same ?? (await inTransaction(timed.context, (context) => mergeGrants({ ...timed, context }, wanted, file)));
    });
  } finally {
    await file.spool.close();
  }
}

async function findRefusedSource(context: Context, wanted: Wanted): Promise<{ appId: string; source: SyncSource | undefined }> {
  const app = await findAppByName(context, wanted.appName);
  const source =
    app && (await findWantedSource(context, app.id, { sourceId: wanted.sourceId, name: wanted.source }).catch(() => undefined));
  return { appId: app?.id ?? '', source };
}

async function lockPlace(context: Context, wanted: Wanted): Promise<{ app: FillableApp; source: SyncSource }> {
  // Another import of the same app waits here, and goes on with what this one leaves behind.
  const app = await ensureApp(context, wanted.appName);
  return { app, source: await ensureSource(context, app.id, { sourceId: wanted.sourceId, name: wanted.source }) };
}

/** What a record says of a file that says what the one before said; undefined where it does not. */
type Comparison = (last: SyncRow) => Pick<SyncRow, 'fileSha256' | 'fileFormat' | 'readAs'> | undefined;

/** The very bytes, read in the same way. */
function isSameFile(last: SyncRow, wanted: Wanted, kept: KeptFile): ReturnType<Comparison> {
  return last.fileSha256 === kept.sha256 && last.readAs === wanted.reading.key ? last : undefined;
}

/** The same rows in whatever order and spelling. Warnings name lines, which are others in another order. */
function saysTheSame(last: SyncRow, file: ReadFile): ReturnType<Comparison> {
  const isSame = last.contentDigest !== '' && last.contentDigest === file.contentDigest && last.warningCount === 0;
  return isSame ? { fileSha256: file.sha256, fileFormat: file.format, readAs: file.readAs } : undefined;
}

/**
 * The record of a sync whose file says what the one of the sync before said, where nothing it depends on has changed since: the app's access,
 * what matching sees of the people, the settings of the source. Undefined where that is not so.
 */
async function takeUnchanged(timed: TimedScope, wanted: Wanted, compare: Comparison): Promise<SyncRow | undefined> {
  return inTransaction(timed.context, async (context) => {
    // Another import of the app may take minutes.
    await setImportSettings(context);
    const { app, source } = await lockPlace(context, wanted);
    const last = await findLastSync(context, app.id, source.lastSyncId);
    const file = last && compare(last);
    if (file === undefined || !last?.isCurrent || source.updatedAt > last.startedAt) {
      return undefined;
    }
    const peopleDigest = await findPeopleDigest(context);
    if (peopleDigest !== last.peopleDigest) {
      return undefined;
    }
    const still = Object.fromEntries(
      Object.entries(last.counts).map(([kind, { total }]) => [kind, { added: 0, changed: 0, removed: 0, total }]),
    );
    return recordSync({ ...timed, context }, source, {
      ...last,
      fileSha256: file.fileSha256,
      fileFormat: file.fileFormat,
      readAs: file.readAs,
      headSha256: wanted.headSha256,
      id: newId(context.now),
      source: app.displayName,
      revision: await findRevision(context),
      added: 0,
      changed: 0,
      removed: 0,
      unchanged: last.added + last.changed + last.unchanged,
      counts: still,
    });
  });
}

async function mergeGrants(timed: TimedScope, wanted: Wanted, file: ReadFile): Promise<SyncRow> {
  const { context } = timed;
  await setImportSettings(context);
  await stageGrantsFile(context, file.spool);
  const { app, source } = await lockPlace(context, wanted);

  const { hasContradictions, hasPaths, hasManyProfiles } = await stageAccountNumbers(context, app.id, source, file.hasProfiles);
  refuse(file, hasContradictions ? await findContradictions(context) : undefined);
  refuse(file, file.hasProfiles ? await checkProfiles(context, 'import_accounts') : undefined);
  const warnings = createNoteList();
  warnings.addMany(await findUnknownOwners(context));

  await stageEntitlementNumbers(context);
  const entitlements = await stageEntitlementIds(context, app.id, app.appAccessId, source.sourceNo);
  refuse(file, hasPaths ? await stagePaths(context, app.id) : undefined);

  const accounts = await findAccountDifference(context, app.id, source);
  const of: DifferenceOf = {
    appId: app.id,
    appAccessId: app.appAccessId,
    sourceNo: source.sourceNo,
    hasOthers: await hasOtherSources(context, app.id, source.sourceNo),
    hasPaths,
    tellsEnds: file.columns.has('expires_at'),
    hasChangedAccounts: accounts.changed > 0,
  };
  const grants = await findDifference(context, of, await stagePairs(context, of));
  const ofApp = `grants of the app ${JSON.stringify(app.displayName)}`;
  const noun = of.hasOthers ? `${ofApp} that come from the source ${JSON.stringify(source.displayName)}` : ofApp;
  guardRemovals({ verb: 'end', removed: grants.removed, total: grants.open, noun, share: source.removalShare }, wanted.allowRemovals, file);

  const id = newId(context.now);
  const revision = await writeDifference(context, { ...of, syncId: id }, accounts, grants);
  const { count, first } = warnings.list();
  return recordSync(timed, source, {
    id,
    kind: 'GRANTS',
    source: app.displayName,
    appId: app.id,
    fileSha256: file.sha256,
    fileFormat: file.format,
    readAs: file.readAs,
    revision,
    rows: file.rowCount,
    added: grants.added,
    changed: grants.changed,
    removed: grants.removed,
    unchanged: grants.pairs - grants.added - grants.changed,
    warningCount: count,
    warnings: first,
    counts: countKinds(accounts, entitlements, grants),
    peopleDigest: await findPeopleDigest(context),
    contentDigest: hasManyProfiles ? '' : file.contentDigest,
    headSha256: wanted.headSha256,
  });
}

function countKinds(
  { added, changed, removed, total }: AccountDifference,
  catalog: EntitlementCounts,
  grants: GrantDifference,
): SyncRow['counts'] {
  return {
    accounts: { added, changed, removed, total },
    ...catalog,
    grants: { added: grants.added, changed: grants.changed, removed: grants.removed, total: grants.pairs },
  };
}

/** Refuses the file where it has row errors, those just found among them. */
function refuse(file: ReadFile, found: CountedNotes | undefined): void {
  const errors = createNoteList();
  errors.addMany({ count: file.errors.list().count, notes: file.errors.list().first });
  if (found !== undefined) {
    errors.addMany(found);
  }
  const notes = errors.list();
  if (notes.count > 0) {
    throw new RefusedFile(refuseRows(notes), file, notes);
  }
}
