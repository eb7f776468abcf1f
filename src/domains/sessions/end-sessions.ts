/** Ending sessions: by whoever signs out, by the person for their other browsers, and by the service when one is over. */
import { AppError } from '../../errors.ts';
import { type Context, inTransaction } from '../../context.ts';
import { recordEvent } from '../audit/index.ts';
import { endSession, endSessionsOf } from './store.ts';

/** Why a session ended. */
export type EndReason = 'signed_out' | 'ended_by_owner' | 'signed_in_again' | 'expired' | 'idle' | 'disabled' | 'issued_access_off';

/** Ends a session where it did not end yet, and says whether it did. */
export function endOne(context: Context, session: { id: string; userId: string }, why: EndReason): Promise<boolean> {
  return inTransaction(context, async (inside) => {
    const isEnded = await endSession(inside, session.id);
    if (isEnded) {
      await recordEvent(inside, {
        kind: 'session.ended',
        targetType: 'session',
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

/** Ends the caller's own sessions but the one they work in, and returns how many. */
export function endOthers(context: Context): Promise<number> {
  return inTransaction(context, async (inside) => {
    const ended = await endSessionsOf(inside, inside.actor.userId, inside.actor.credentialId);
    await recordEnded(inside, ended);
    return ended.length;
  });
}

async function recordEnded(context: Context, ids: readonly string[]): Promise<void> {
  const { userId } = context.actor;
  for (const id of ids) {
    await recordEvent(context, { kind: 'session.ended', targetType: 'session', targetId: id, data: { userId, why: 'ended_by_owner' } });
  }
}
