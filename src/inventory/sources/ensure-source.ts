/** Source that a file comes from: the one named by id or by name, and, where nobody made it, a new one fed by files. */
import { AppError, invalidField, orThrow } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { findSyncSource, findSyncSourceByName, insertFileSource, type SyncSource } from './store-sync.ts';

const maxNameLength = 200;

/** Way a source is asked for: by its id, by its name, by both where they agree. */
export interface WantedSource {
  /** '' where the source is asked for by name alone. */
  readonly sourceId: string;
  /** Its name, or the name it gets. */
  readonly name: string;
  /** True for rows that the source fetched itself. */
  readonly isFetched?: boolean;
}

/**
 * The source that is wanted, undefined where no id is given and none has the name. INVALID_ARGUMENT for an id that is no source's, a source of
 * another app, a name that is not the one of the id, or one too long; FAILED_PRECONDITION for a source that is paused or not fed by files.
 * `appId` undefined: of whichever app (not of people).
 */
export async function findWantedSource(context: Context, appId: string | undefined, wanted: WantedSource): Promise<SyncSource | undefined> {
  const name = wanted.name.trim();
  if (name.length > maxNameLength) {
    throw invalidField('source', `must not be longer than ${maxNameLength} characters`);
  }
  if (wanted.sourceId === '') {
    const named = appId === undefined ? undefined : await findSyncSourceByName(context, appId, name);
    return named === undefined ? undefined : requireFed(named, wanted.isFetched);
  }
  const source = await findSyncSource(context, wanted.sourceId);
  if (source === undefined) {
    throw invalidField('connectorId', `no source has the id ${JSON.stringify(wanted.sourceId.slice(0, 64))}`);
  }
  if (appId === undefined ? source.appId === '' : source.appId !== appId) {
    const ofPeople = 'is a source of people; import into it with POST /api/v1/imports/people';
    const ofApp = appId === '' ? 'is a source of an app; import into it with POST /api/v1/imports/grants' : 'is a source of another app';
    throw invalidField('connectorId', source.appId === '' ? ofPeople : ofApp);
  }
  if (name !== '' && name.toLowerCase() !== source.displayName.toLowerCase()) {
    throw invalidField(
      'source',
      `the source with this connectorId is named ${JSON.stringify(source.displayName)}; leave one of the two out`,
    );
  }
  return requireFed(source, wanted.isFetched);
}

function requireFed(source: SyncSource, isFetched = false): SyncSource {
  const name = JSON.stringify(source.displayName);
  if (source.kind !== 'FILE' && source.kind !== 'SCIM' && !isFetched) {
    throw refuse(`The source ${name} fetches by itself, so it takes no files. Name another source.`);
  }
  if (source.kind === 'SCIM') {
    throw refuse(`An identity provider pushes to the source ${name} over SCIM, so it takes no files. Name another source.`);
  }
  if (source.pausedAt !== null) {
    throw refuse(`The source ${name} is paused. Resume it, or name another source.`);
  }
  return source;
}

function refuse(message: string): AppError {
  return new AppError('FAILED_PRECONDITION', message, { violations: [{ field: 'connectorId', description: message }] });
}

/**
 * The source that is wanted, made where none has the name. Errors as above. Inside a transaction that holds the lock of the app, or of
 * people, so that the same source is not made twice; whoever calls writes the event.
 */
export async function ensureSource(context: Context, appId: string, wanted: WantedSource): Promise<SyncSource> {
  const found = await findWantedSource(context, appId, wanted);
  if (found !== undefined) {
    return found;
  }
  const id = newId(context.now);
  await insertFileSource(context, id, appId, wanted.name.trim());
  const made = await findSyncSource(context, id);
  return orThrow(made, 'INTERNAL', 'Something went wrong on our side.', { detail: 'a source was gone right after it was made' });
}
