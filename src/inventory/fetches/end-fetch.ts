/** The end of a fetch that failed, and of one that took the place of those held: in the transaction of whoever ends it. */
import type { Context } from '../../context.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import type { FetchSource } from '../sources/index.ts';
import { askForFetch } from './ask.ts';
import { type FetchError, findRetryPause, toldAfterFailures } from './states.ts';
import { moveFetch } from './move-fetch.ts';
import { type FetchRow, listHeld } from './store.ts';
import { removeFiles } from './store-files.ts';
import { removePieces } from './store-rows.ts';

/** Failure of a fetch, for people and for what follows. */
export interface Failure extends FetchError {
  readonly message: string;
}

const maxError = 2000;

/** Ends a fetch as FAILED and asks for the retry; nothing where it is not under this lease any more. */
export async function endFailed(
  context: Context,
  fetch: FetchRow,
  source: FetchSource,
  failure: Failure,
  token: string | undefined,
): Promise<void> {
  const error = failure.message.slice(0, maxError);
  if (!(await moveFetch(context, fetch.id, 'FAILED', { error }, token))) {
    return;
  }
  await removeFiles(context, source.id, [fetch.id]);
  const failures = fetch.failures + 1;
  if (failures === toldAfterFailures) {
    const { appId, displayName } = source;
    await recordEvent(context, {
      kind: 'connector.fetch_failing',
      targetId: source.id,
      data: { appId, displayName, fetchId: fetch.id, failures, error },
    });
  }
  const pause = source.deletedAt === null ? findRetryPause(failure, failures, Math.random) : undefined;
  if (pause !== undefined) {
    await askForFetch(context, source, { reason: 'RETRY', runAt: new Date(context.now.getTime() + pause) });
  }
}

/** Says that a source that failed again and again does not any more. */
export async function recordRecovery(context: Context, fetch: FetchRow, source: FetchSource): Promise<void> {
  if (fetch.failures >= toldAfterFailures) {
    const { appId, displayName } = source;
    await recordEvent(context, {
      kind: 'connector.recovered',
      targetId: source.id,
      data: { appId, displayName, fetchId: fetch.id, failures: fetch.failures },
    });
  }
}

/** Ends the source's other held fetches, and throws their rows away. */
export async function supersedeHeld(context: Context, { id, sourceId }: Pick<FetchRow, 'id' | 'sourceId'>): Promise<void> {
  const held = await listHeld(context, sourceId, id);
  for (const one of held) {
    await moveFetch(context, one, 'SUPERSEDED');
  }
  await removePieces(context, held);
  await removeFiles(context, sourceId, held);
}

/** Says who confirmed, in the transaction in which the fetch is done. */
export async function recordConfirmed(
  context: Context,
  { id }: FetchRow,
  { id: sourceId, appId, displayName }: FetchSource,
): Promise<void> {
  await recordEvent(context, { kind: 'connector.sync_confirmed', targetId: sourceId, data: { appId, displayName, fetchId: id } });
}
