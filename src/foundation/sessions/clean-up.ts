/**
 * Removes the remains of signing in after a while: sessions that are over are ended, and what ended is removed with links, sign-ins that nobody
 * finished and limits whose time is over.
 */
import type { Context } from '../../context.ts';
import { recordEvents } from '../audit/index.ts';
import { findSessionSettings } from '../credentials/index.ts';
import { hasOldWindows, removeOldWindows } from '../rates/index.ts';
import { hasOldDeviceGrants, longOver, removeOldDeviceGrants } from './device/index.ts';
import { findLimits, limitsOf, whyOver } from './session/index.ts';
import { endStaleSessions, hasLeftOvers, removeLeftOvers, type Ages } from './store-clean-up.ts';
import { removeOldChanges } from './links/index.ts';
import { removeOldStates } from './sign-in/index.ts';

/** Ended sessions and links stay so long, for whoever looks into something. */
const keptMs = 30 * 24 * 3_600_000;
/** Of one transaction. */
const maxAtOnce = 500;

async function readAges(context: Context): Promise<Ages> {
  const limits = limitsOf(await findLimits(context), await findSessionSettings(context));
  const before = (ms: number): Date => new Date(context.now.getTime() - ms);
  return {
    createdBefore: before(limits.lengthSeconds * 1000),
    usedBefore: before(limits.idleSeconds * 1000),
    endedBefore: before(keptMs),
  };
}

/** True if anything is due to go. */
export async function isSignInCleanUpDue(context: Context): Promise<boolean> {
  const { db, tenantId, now } = context;
  return (
    (await hasLeftOvers(context, await readAges(context))) ||
    (await hasOldWindows(db, tenantId, now)) ||
    (await hasOldDeviceGrants(context, longOver(now)))
  );
}

/** Ends and removes a part of what is due, in the transaction of the caller, and says how much; 0 once nothing is left. */
export async function cleanUpSignIns(context: Context): Promise<number> {
  const ages = await readAges(context);
  const limits = limitsOf(await findLimits(context), await findSessionSettings(context));
  const ended = await endStaleSessions(context, ages, maxAtOnce);
  await recordEvents(
    context,
    ended.map((session) => ({
      kind: 'session.ended',
      targetId: session.id,
      data: { userId: session.userId, why: whyOver(session, limits, context.now) ?? 'idle' },
    })),
  );
  const { db, tenantId, now } = context;
  const removed = [
    await removeLeftOvers(context, ages, maxAtOnce),
    await removeOldChanges(context, ages.endedBefore, maxAtOnce),
    await removeOldStates(context, maxAtOnce),
    await removeOldWindows(db, tenantId, now, maxAtOnce),
    await removeOldDeviceGrants(context, longOver(now), maxAtOnce),
  ];
  return removed.reduce((sum, one) => sum + one, ended.length);
}
