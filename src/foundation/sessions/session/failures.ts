/** Sign-ins that were refused: an event each, as many as the log bears, then one a minute that counts the others. Nothing else depends on them. */
import type { Context } from '../../../context.ts';
import { clientPlace } from '../../../lib/place.ts';
import { recordOccurrence } from '../../audit/index.ts';
import { type Rate, type Rates, rates as limits } from '../../rates/index.ts';

/** A sign-in that was refused. */
export interface FailedSignIn {
  readonly how: 'link' | 'mail' | 'provider' | 'device';
  readonly why: string;
  /** Empty where nobody is known. */
  readonly userId: string;
}

/** Takes a sign-in that was refused, in a transaction too: it is recorded behind it. */
export type NoteFailure = (failed: FailedSignIn) => void;

/** Failed sign-ins as this process counts and records them. */
export interface SignInFailures {
  /** Counts and records one; returns the seconds to pause beyond the limit of its place, where nothing is recorded, and 0 below it. Never rejects. */
  fail(context: Context, failed: FailedSignIn): Promise<number>;
}

/** Makes it. */
export function createSignInFailures(rates: Rates): SignInFailures {
  /** How many each tenant has that no event tells yet. */
  const untold = new Map<string, number>();

  async function record(context: Context, { how, why, userId }: FailedSignIn, count: number): Promise<void> {
    const target =
      userId === '' ? ({ targetType: 'tenant', targetId: context.tenantId } as const) : ({ targetType: 'user', targetId: userId } as const);
    await recordOccurrence(context, { kind: 'session.refused', ...target, data: { how, why, ...(count > 1 ? { count } : {}) } });
  }

  return {
    async fail(context, failed) {
      const { tenantId, log, actor } = context;
      const allows = async (rate: Rate): Promise<boolean> => (await rates.count(tenantId, rate, '')).within > 0;
      try {
        const { retryAfterSeconds } = await rates.count(tenantId, limits.failureByPlace, clientPlace(actor.sourceIp));
        if (retryAfterSeconds > 0) {
          return retryAfterSeconds;
        }
        const isAlone = (await allows(limits.failureEvents)) && (await allows(limits.failureEventsOfDay));
        if (isAlone) {
          await record(context, failed, 1);
          return 0;
        }
        const count = (untold.get(tenantId) ?? 0) + 1;
        untold.set(tenantId, count);
        if (await allows(limits.failedSignInSummary)) {
          untold.set(tenantId, (untold.get(tenantId) ?? count) - count);
          await record(context, failed, count);
        }
      } catch (error) {
        log.warn({ err: error, tenantId }, 'a failed sign-in could not be recorded');
      }
      return 0;
    },
  };
}
