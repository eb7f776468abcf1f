/** Failed sign-ins of people who are not known: an event each, as many as the log bears. Refusing somebody who is known is in start-session.ts. */
import type { Context } from '../../../context.ts';
import { recordOccurrence } from '../../audit/index.ts';
import { type Rates, rates as limits } from '../../rates/index.ts';

/** Records a link or an answer of a provider that did not count, unless too many were recorded already. Nothing fails by it. */
export async function recordFailure(context: Context, rates: Rates, how: 'link' | 'provider', why: string): Promise<void> {
  const { tenantId, log } = context;
  try {
    const soon = await rates.count(tenantId, limits.failureEvents, '');
    const isRecorded = soon.within > 0 && (await rates.count(tenantId, limits.failureEventsOfDay, '')).within > 0;
    if (isRecorded) {
      await recordOccurrence(context, { kind: 'session.refused', targetType: 'tenant', targetId: tenantId, data: { how, why } });
    }
  } catch (error) {
    log.warn({ err: error, tenantId }, 'a failed sign-in could not be recorded');
  }
}
