/**
 * Moment an import may work in the database: after those before it into the same place (an app, or the people), when nobody else changes that
 * place, and in its turn. Whoever waits holds neither a connection nor a turn. What an import does then is in import-grants.ts and
 * import-people.ts.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { isAppError } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { setLockWait } from '../../catalog/index.ts';
import { setPatience } from './store-staging.ts';
import { createTurns, type Left } from '../record/index.ts';

/** Of one tenant at most half: another one's small file does not wait for large ones. */
const turns = createTurns({ inAll: 4, ofEach: 2 });
/** Two imports into one place would only wait for each other in the database. */
const places = createTurns({ inAll: Number.POSITIVE_INFINITY, ofEach: 1 });

const [shortestPauseMs, longestPauseMs] = [50, 300] as const;

/** Somebody else changes the place: this try is undone. */
class PlaceTaken extends Error {
  override readonly name = 'PlaceTaken';
}

/** True if PostgreSQL reports a lock that did not come within lock_timeout. */
function isLockTaken(error: unknown): boolean {
  return isAppError(error) && error.cause instanceof Error && 'code' in error.cause && error.cause.code === '55P03';
}

/**
 * Runs an import's work in the database, again where it finds its place taken (`lockPlace`). Throws the reason of `left` where the client left
 * before the place was locked; after that it is done to its end, so that a client whose connection broke finds what it sent.
 */
export async function takePlace<T>(context: Context, place: string, left: Left, work: () => Promise<T>): Promise<T> {
  if (context.db.inTransaction) {
    return work();
  }
  const { tenantId } = context;
  return places.take(`${tenantId} ${place}`, left, async () => {
    for (;;) {
      try {
        return await turns.take(tenantId, left, work);
      } catch (error) {
        if (!(error instanceof PlaceTaken)) {
          throw error;
        }
      }
      await delay(shortestPauseMs + Math.random() * (longestPauseMs - shortestPauseMs));
    }
  });
}

/**
 * Locks the place inside the transaction of the work; other locks are waited for afterwards as long as it takes. From here on the client may
 * leave: the work is done to its end.
 */
export async function lockPlace<T>(context: Context, left: Left, lock: () => Promise<T>): Promise<T> {
  await setLockWait(context);
  try {
    const place = await lock();
    left?.throwIfAborted();
    await setPatience(context);
    return place;
  } catch (error) {
    // Without its cause: the transaction would be begun again at once, while the import holds a turn.
    throw isLockTaken(error) ? new PlaceTaken('somebody else changes this') : error;
  }
}
