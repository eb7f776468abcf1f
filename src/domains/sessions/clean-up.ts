/** What is left of signing in goes after a while: sessions that are over are ended, and what ended is removed with links and sign-ins that nobody finished. */
import type { Context } from '../../context.ts';
import { recordEvents } from '../audit/index.ts';
import { findSessionSettings } from '../credentials/index.ts';
import { limitsOf } from './admit.ts';
import { whyOver } from './limits.ts';
import { findLimits } from './store.ts';
import { endStaleSessions, hasLeftOvers, removeLeftOvers, type Ages } from './store-clean-up.ts';
import { removeOldStates } from './store-states.ts';

/** Ended sessions and links stay so long, for whoever looks into something. */
const keptMs = 30 * 24 * 3_600_000;
/** Of one transaction. */
const mostAtOnce = 500;

async function readAges(context: Context): Promise<Ages> {
  const limits = limitsOf(await findLimits(context), await findSessionSettings(context));
  const before = (ms: number): Date => new Date(context.now.getTime() - ms);
  return {
    createdBefore: before(limits.lengthSeconds * 1000),
    usedBefore: before(limits.idleSeconds * 1000),
    endedBefore: before(keptMs),
  };
}

/** Whether anything is due to go. */
export async function isSignInCleanUpDue(context: Context): Promise<boolean> {
  return hasLeftOvers(context, await readAges(context));
}

/** Ends and removes a part of what is due, in the transaction of the caller, and says how much; 0 once nothing is left. */
export async function cleanUpSignIns(context: Context): Promise<number> {
  const ages = await readAges(context);
  const limits = limitsOf(await findLimits(context), await findSessionSettings(context));
  const ended = await endStaleSessions(context, ages, mostAtOnce);
  await recordEvents(
    context,
    ended.map((session) => ({
      kind: 'session.ended',
      targetType: 'session',
      targetId: session.id,
      data: { userId: session.userId, why: whyOver(session, limits, context.now) ?? 'idle' },
    })),
  );
  return ended.length + (await removeLeftOvers(context, ages, mostAtOnce)) + (await removeOldStates(context, mostAtOnce));
}
