/** Reading sessions: one's own, and as an administrator those of everybody. */
import { orThrow } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { requireSession } from '../../authority/index.ts';
import { findSessionSettings } from '../../credentials/index.ts';
import { limitsOf } from './admit.ts';
import { sessionEnds, type SessionLimits } from './limits.ts';
import { findLimits, findOwnSession, listAllSessions, listSessions, type OwnedSessionRow, type SessionRow } from './store.ts';

async function readLimits(context: Context): Promise<SessionLimits> {
  return limitsOf(await findLimits(context), await findSessionSettings(context));
}

/** The session of the request and when it ends; PERMISSION_DENIED where the request came with an access token. */
export async function getCurrent(context: Context): Promise<{ row: SessionRow; expiresAt: Date; idleExpiresAt: Date }> {
  const { actor } = context;
  requireSession(actor);
  const row = orThrow(await findOwnSession(context, actor.credentialId), 'UNAUTHENTICATED', 'Your session has ended. Sign in again.');
  return { row, ...sessionEnds(row, await readLimits(context)) };
}

/** One's own sessions that live, the newest first. */
export async function listOwn(context: Context, before: string, limit: number): Promise<SessionRow[]> {
  return listSessions(context, context.actor.userId, await readLimits(context), before, limit);
}

/** Sessions of everybody that live, or of these people alone; the newest first. The caller is permitted already. */
export async function listAll(
  context: Context,
  userIds: readonly string[] | undefined,
  before: string,
  limit: number,
): Promise<OwnedSessionRow[]> {
  return listAllSessions(context, userIds, await readLimits(context), before, limit);
}
