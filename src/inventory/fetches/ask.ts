/** Asking for a fetch: by the schedule, by a person, or again after one that failed. */
import { AppError } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { enqueueEffects } from '../../jobs/index.ts';
import { newId } from '../../wire/ids.ts';
import type { FetchSource } from '../sources/index.ts';
import { countEnd } from './count-ends.ts';
import { findFetcher } from './fetchers/index.ts';
import type { FetchReason } from './states.ts';
import { endedStates, findNewest, findUnderWay, insertFetch, updateRunAt } from './store.ts';

/** The name that the queue knows fetches by. */
export const fetchKind = 'fetch.run';

/** A fetch that is asked for. */
export interface FetchWish {
  readonly reason: FetchReason;
  /** Begins then; now where absent. */
  readonly runAt?: Date;
}

/** Counts the fetches in a row, up to now, that failed. */
export async function countFailures(context: Context, sourceId: string): Promise<number> {
  const last = await findNewest(context, sourceId, endedStates);
  return last?.state === 'FAILED' ? last.failures + 1 : 0;
}

/**
 * Adds a fetch in the caller's transaction. Where the source is paused, or one of it is under way, a scheduled one is skipped, and says so. Returns false
 * where it is.
 */
export async function askForFetch(context: Context, source: FetchSource, wish: FetchWish): Promise<boolean> {
  const { id: sourceId, appId } = source;
  const { reason, runAt = context.now } = wish;
  const id = newId(context.now);
  const failures = await countFailures(context, sourceId);
  const row = { id, sourceId, appId, reason, failures, requestedById: context.actor.userId, runAt };
  if (source.pausedAt === null && (await insertFetch(context, { ...row, state: 'WAITING' }))) {
    await enqueue(context, source, id, runAt);
    return true;
  }
  if (reason === 'SCHEDULED') {
    const error = source.pausedAt === null ? 'Another fetch of the source was under way.' : 'The source is paused.';
    await insertFetch(context, { ...row, state: 'SKIPPED', error });
    countEnd(source.kind, 'SKIPPED');
  }
  return false;
}

/** Puts a fetch into the queue. A connector asks for its own. */
async function enqueue({ db, tenantId, now }: Context, { kind }: FetchSource, id: string, runAt: Date): Promise<void> {
  if (findFetcher(kind)?.open !== undefined) {
    await enqueueEffects(db, { tenantId, ids: [id], kind: fetchKind, runAt }, now);
  }
}

/** Fetches now. One that waits, for its turn or for a retry, begins at once. FAILED_PRECONDITION where one runs. */
export function fetchNow(context: Context, source: FetchSource): Promise<void> {
  return inTransaction(context, async (inside) => {
    const found = await findUnderWay(inside, source.id);
    if (found === undefined && (await askForFetch(inside, source, { reason: 'FORCED' }))) {
      return;
    }
    const waiting = found ?? (await findUnderWay(inside, source.id));
    if (waiting?.state !== 'WAITING') {
      throw new AppError(
        'FAILED_PRECONDITION',
        `A fetch of the source ${JSON.stringify(source.displayName)} is running. Wait until it ends.`,
      );
    }
    await updateRunAt(inside, waiting.id, inside.now);
    await enqueue(inside, source, waiting.id, inside.now);
  });
}

/**
 * Has a source fetched soon, to see what became of a removal. False where a fetch runs: its data may be of before the removal. True where one comes, and where
 * none can.
 */
export async function fetchForProof(context: Context, source: FetchSource): Promise<boolean> {
  const found = await findUnderWay(context, source.id);
  if (found === undefined) {
    await askForFetch(context, source, { reason: 'REMOVAL' });
    return true;
  }
  if (found.state !== 'WAITING') {
    return false;
  }
  if (found.runAt > context.now) {
    await updateRunAt(context, found.id, context.now);
    await enqueue(context, source, found.id, context.now);
  }
  return true;
}
