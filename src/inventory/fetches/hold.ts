/** Fetches that the guard holds: their rows are kept, and somebody confirms or discards them. */
import { sayState } from '../../lib/names/say-state.ts';
import { AppError, invalidField, orThrow } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { findFetchSource, requireLockedSourceOf, requireSourceReader, requireSourceRunner } from '../sources/index.ts';
import { keepContent, restoreContent, type SpooledContent } from './content-spool.ts';
import { recordRecovery, supersedeHeld } from './end-fetch.ts';
import { importContents, type Ours, type Taken } from './import-contents.ts';
import { moveFetch } from './move-fetch.ts';
import { type FetchRow, findFetch, lockFetch } from './store.ts';
import { removeFiles } from './store-files.ts';
import { removePieces } from './store-rows.ts';

const maxReason = 1000;

/** Keeps the rows of a fetch that its guard stopped; those of an older one give way. */
export function holdFetch(context: Context, { fetch, source, token }: Ours, taken: Taken, sentence: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    const { appId, displayName } = source;
    const contents = taken.contents.map(({ about }) => about);
    if (!(await moveFetch(inside, fetch.id, 'HELD', { error: sentence, contents }, token))) {
      return;
    }
    await supersedeHeld(inside, fetch);
    for (const [index, content] of taken.contents.entries()) {
      await keepContent(inside, fetch.id, index, content);
    }
    await recordRecovery(inside, fetch, source);
    await recordEvent(inside, {
      kind: 'connector.sync_held',
      targetId: source.id,
      data: { appId, displayName, fetchId: fetch.id, reason: sentence },
    });
  });
}

const unknown = 'There is no such fetch.';

/** The fetch with this id; NOT_FOUND for none, and for a caller who does not read its source. */
export async function requireFetch(context: Context, id: string): Promise<FetchRow> {
  const found = orThrow(await findFetch(context, id), 'NOT_FOUND', unknown);
  await requireSourceReader(context, found.sourceId, unknown);
  return found;
}

function refuseState({ state }: FetchRow): AppError {
  const why =
    state === 'SUPERSEDED'
      ? 'A later fetch took its place.'
      : state === 'DONE'
        ? 'It is imported already.'
        : 'Only a held fetch has rows to decide on.';
  return new AppError('FAILED_PRECONDITION', `This fetch is not held, it is ${sayState(state)}. ${why}`);
}

/**
 * Imports exactly the rows that are held, whatever they remove. NOT_FOUND for no such source or fetch, FAILED_PRECONDITION for a fetch that is not held any
 * more.
 */
export async function confirmFetch(context: Context, appId: string, sourceId: string, id: string): Promise<void> {
  await requireSourceRunner(context, sourceId);
  await inTransaction(context, (inside) => requireLockedSourceOf(inside, appId, sourceId));
  const fetch = await requireFetch(context, id);
  const source = await findFetchSource(context, sourceId);
  if (fetch.sourceId !== sourceId || source === undefined) {
    throw new AppError('NOT_FOUND', 'There is no such fetch of this source.');
  }
  if (fetch.state !== 'HELD' || fetch.observedFrom === null) {
    throw refuseState(fetch);
  }
  const contents: SpooledContent[] = [];
  try {
    for (const [index, about] of fetch.contents.entries()) {
      contents.push(await restoreContent(context, fetch.id, index, about));
    }
    const { observedFrom, incompleteReason, warnings, bytes } = fetch;
    await importContents(
      context,
      { fetch, source },
      { contents, facts: { observedFrom, incompleteReason, warnings, bytes } },
      { isConfirmed: true },
    );
  } finally {
    await Promise.all(contents.map(({ spool }) => spool.close()));
  }
}

/** Throws the rows of a held fetch away. NOT_FOUND for none, PERMISSION_DENIED for whoever reads its source and does not run it, FAILED_PRECONDITION for one that is not held. */
export function discardFetch(context: Context, id: string, reason: string): Promise<FetchRow> {
  const said = reason.trim();
  if (said === '' || said.length > maxReason) {
    throw invalidField('reason', `must say why, in at most ${maxReason} characters`);
  }
  return inTransaction(context, async (inside) => {
    const fetch = orThrow(await lockFetch(inside, id), 'NOT_FOUND', unknown);
    await requireSourceRunner(inside, fetch.sourceId, unknown);
    if (fetch.state !== 'HELD') {
      throw refuseState(fetch);
    }
    await endHeld(inside, fetch, said);
    return requireFetch(inside, id);
  });
}

/** Ends a held fetch without importing it. */
export async function endHeld(context: Context, fetch: FetchRow, reason: string): Promise<void> {
  await moveFetch(context, fetch.id, 'DISCARDED', { error: reason });
  await removePieces(context, [fetch.id]);
  await removeFiles(context, fetch.sourceId, [fetch.id]);
  const source = await findFetchSource(context, fetch.sourceId);
  await recordEvent(context, {
    kind: 'connector.sync_discarded',
    targetId: fetch.sourceId,
    data: { appId: fetch.appId, displayName: source?.displayName ?? '', fetchId: fetch.id, reason },
  });
}
