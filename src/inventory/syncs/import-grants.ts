/**
 * Taking in a file of grants: what it says becomes who has access to what in one app, as far as its source goes; all of it or nothing. An upload
 * is read, waits for its app, is held against what its source said before, and then merged, as far as it is new (merge-grants.ts).
 */
import { getNameKey } from '../../lib/names/same-name.ts';
import { invalidField } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { ensureApp, findApp, findAppByName } from '../catalog/index.ts';
import { syncSlot } from './slots.ts';
import { ensureSource, findWantedSource, type SyncSource } from '../sources/index.ts';
import { type AskedReading, keepMapping, readAskedReading } from './suggestions/index.ts';
import { findExtent, lockPlace, mergeGrants, recordUnchanged, setDateOrder, setImportSettings, takePlace } from './merge/index.ts';
import { type Upload, expectUpload, grantRows, readFile } from './rows/index.ts';
import {
  type Companion,
  type SyncRow,
  findDigestKey,
  leaveRefusals,
  observe,
  recordRefusals,
  renewStatistics,
  startClock,
} from './record/index.ts';
import { createRowGroups, makeDigestKey } from './columns/index.ts';

/** Request that comes with the file. */
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
  /** The line that the names of the columns stand on; 0 where they are to be found. */
  readonly headerLine?: number;
  /** The column that named the app of each row, where the rows are those of one app of several. */
  readonly appColumn?: string;
  /** Moment its data are of; the beginning of the import where absent. */
  readonly observedFrom?: Date | undefined;
  /** True if the source fetched it itself. */
  readonly isFetched?: boolean;
}

const defaultSource = 'files';

/** The request with the app's name, which the source may have supplied. */
interface Wanted {
  readonly appName: string;
  readonly sourceId: string;
  readonly source: string;
  readonly allowRemovals: boolean;
  readonly isFetched: boolean;
  readonly reading: AskedReading;
}

/**
 * Imports the grants of an app, which is made where it is not there, and so is the source. The whole file is read before the database is
 * touched. INVALID_ARGUMENT for a bad file or row, FAILED_PRECONDITION for a paused source and where too many grants would end. A companion
 * does its part in the transaction.
 */
export async function importGrants(context: Context, request: GrantsImport, upload: Upload, companion?: Companion): Promise<SyncRow> {
  const timed = startClock(context);
  expectUpload(upload);
  const observed = observe(context, request.observedFrom, upload);
  const { wanted, appId, source: known } = await resolveSource(context, request);
  const refused = { kind: 'GRANTS' as const, source: wanted.appName, sourceOf: (inside: Context) => findRefusedSource(inside, wanted) };
  const recorded = companion?.isRehearsal === true ? leaveRefusals : recordRefusals;
  const done = await recorded(timed, refused, async () => {
    const digestKey = (known && (await findDigestKey(context, known.id))) ?? makeDigestKey();
    const groups = createRowGroups(digestKey);
    const defaults = { resource: wanted.appName.trim() };
    const file = await readFile(upload, grantRows, {
      ...wanted.reading,
      now: context.now,
      defaults,
      saved: known?.columnMapping ?? {},
      groups,
    });
    try {
      return await takePlace(context, `app ${getNameKey(wanted.appName)}`, upload.left, async () => {
        // A dry run leaves all as it is.
        if (appId !== undefined && companion?.isRehearsal !== true) {
          await syncSlot.get().mergeNames(context, appId);
        }
        return inTransaction(context, async (inside) => {
          await setImportSettings(inside);
          await setDateOrder(inside, file.dateOrder);
          const isNewApp = (await findAppByName(inside, wanted.appName)) === undefined;
          const { app, source } = await lockPlace(inside, upload.left, () => ensurePlace(inside, wanted));
          const place = { timed: { ...timed, context: inside }, app, source, isNewApp };
          const read = { file, groups, digestKey, observed: observed() };
          const extent = await findExtent(place, read);
          if (extent.kind === 'NOTHING') {
            const same = await recordUnchanged(place, read, extent.last);
            await companion?.end(inside, same);
            return same;
          }
          const guard = companion?.guard(wanted.allowRemovals) ?? { isAllowed: wanted.allowRemovals };
          const row = await mergeGrants(place, read, extent, guard);
          await companion?.end(inside, row);
          await keepMapping(inside, source, wanted.reading, file);
          return row;
        });
      });
    } finally {
      await file.spool.close();
    }
  });
  await renewStatistics(context, 'GRANTS', done.added + done.changed + done.removed);
  return done;
}

/** Finds the app and source that are meant, before anything is read: what cannot be is refused at once. */
async function resolveSource(
  context: Context,
  request: GrantsImport,
): Promise<{ wanted: Wanted; appId: string | undefined; source: SyncSource | undefined }> {
  const { app: name, sourceId = '', source: sourceName = '', allowRemovals, isFetched = false } = request;
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
  const reading = readRequest(request);
  const wanted = { sourceId, name: sourceId === '' && sourceName.trim() === '' ? defaultSource : sourceName, isFetched };
  const source = await findWantedSource(context, named?.id, wanted);
  // An app reported by its name that is deleted from now on is made anew, as one that is not there.
  const app = source === undefined || sourceId === '' ? named : await findApp(context, source.appId);
  if (sourceId !== '' && app === undefined) {
    throw invalidField('connectorId', 'is a source of a deleted app');
  }
  return {
    wanted: { appName: app?.displayName ?? name, sourceId, source: wanted.name, allowRemovals, isFetched, reading },
    appId: app?.id,
    source,
  };
}

/** Reads how the rows are to be read. The same file says something else of its apps together than of one of them. */
function readRequest(request: GrantsImport): AskedReading {
  const reading = readAskedReading('grants', request);
  const { appColumn } = request;
  return appColumn === undefined ? reading : { ...reading, key: JSON.stringify([reading.key, { appColumn }]) };
}

async function findRefusedSource(context: Context, wanted: Wanted): Promise<{ appId: string; source: SyncSource | undefined }> {
  const app = await findAppByName(context, wanted.appName);
  const source =
    app &&
    (await findWantedSource(context, app.id, { sourceId: wanted.sourceId, name: wanted.source, isFetched: wanted.isFetched }).catch(
      () => undefined,
    ));
  return { appId: app?.id ?? '', source };
}

/** The app and the source, made where they are not there; nobody else changes the app until the transaction ends. */
async function ensurePlace(context: Context, wanted: Wanted) {
  const app = await ensureApp(context, wanted.appName);
  return {
    app,
    source: await ensureSource(context, app.id, { sourceId: wanted.sourceId, name: wanted.source, isFetched: wanted.isFetched }),
  };
}
