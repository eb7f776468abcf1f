/** Ending sessions: by whoever signs out, by the person for their other browsers, by administrators, and by the service when one is over. */
import { AppError } from '../../../errors.ts';
import { type Context, inTransaction } from '../../../context.ts';
import { recordEvent } from '../../audit/index.ts';
import { findUser } from '../../directory/index.ts';
import { endSession, endSessionsOf, findLiveSession, type SelfEndReason } from '../session/index.ts';
import { removeOpenLinksOf } from '../links/index.ts';

/** Reason a session ended. */
export type EndReason = 'signed_out' | 'ended_by_owner' | 'ended_by_administrator' | 'signed_in_again' | SelfEndReason;

/** Ends a session where it did not end yet, and says whether it did. */
export function endOne(context: Context, session: { id: string; userId: string }, why: EndReason): Promise<boolean> {
  return inTransaction(context, async (inside) => {
    const isEnded = await endSession(inside, session.id);
    if (isEnded) {
      await recordEvent(inside, {
        kind: 'session.ended',
        targetId: session.id,
        data: { userId: session.userId, why },
      });
    }
    return isEnded;
  });
}

/** Ends one of the caller's own sessions. NOT_FOUND where they have none with this id that still lives. */
export function endOwn(context: Context, id: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    const { userId } = inside.actor;
    const ended = await endSessionsOf(inside, userId, '', id);
    if (ended.length === 0) {
      throw new AppError('NOT_FOUND', 'You have no session with this id, or it has ended.');
    }
    await recordEnded(inside, ended);
  });
}

/** Ends the caller's own sessions but the one they work in, and the links by which a new one could begin, and returns how many sessions. */
export function endOthers(context: Context): Promise<number> {
  return inTransaction(context, async (inside) => {
    const ended = await endSessionsOf(inside, inside.actor.userId, inside.actor.credentialId);
    // Whoever worked in one of them may have printed a link there.
    await removeOpenLinksOf(inside, inside.actor.userId);
    await recordEnded(inside, ended);
    return ended.length;
  });
}

/** Ends a session of anybody. NOT_FOUND where none with this id lives. The caller is permitted already. */
export function endByAdministrator(context: Context, id: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    const session = await findLiveSession(inside, id);
    if (session === undefined || !(await endOne(inside, session, 'ended_by_administrator'))) {
      throw new AppError('NOT_FOUND', 'There is no session with this id, or it has ended.');
    }
  });
}

/** Of the sessions that one act ends, its event names so many; it counts all. */
export const maxNamed = 100;

/**
 * Ends all sessions of a person but the one the caller works in, and the links by which a new one could begin, and returns how many sessions.
 * NOT_FOUND for nobody. The caller is permitted already.
 */
export function endAllOf(context: Context, userId: string): Promise<number> {
  return inTransaction(context, async (inside) => {
    const user = await findUser(inside, userId);
    // People who were deleted are signed out, and nobody knows of them.
    if (user === undefined || user.status === 'DELETED') {
      throw new AppError('NOT_FOUND', 'There is no such user.');
    }
    const ended = await endSessionsOf(inside, user.id, inside.actor.credentialId);
    const removedLinks = await removeOpenLinksOf(inside, user.id);
    if (ended.length > 0 || removedLinks > 0) {
      await recordEvent(inside, {
        kind: 'session.all_ended',
        targetId: user.id,
        data: { endedCount: ended.length, sessionIds: ended.slice(0, maxNamed), removedLinks },
      });
    }
    return ended.length;
  });
}

async function recordEnded(context: Context, ids: readonly string[]): Promise<void> {
  const { userId } = context.actor;
  for (const id of ids) {
    await recordEvent(context, { kind: 'session.ended', targetId: id, data: { userId, why: 'ended_by_owner' } });
  }
}
