/** Setting how old the data of a source may be. */
import { invalidField } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { recordEvent, refuseStale } from '../../foundation/audit/index.ts';
import { requireLockedSource, requireSource } from './require.ts';
import { updateStaleAfter } from './store-freshness.ts';
import type { SourceRow } from './store.ts';

const hourSeconds = 3600;
const maxSeconds = 400 * 24 * hourSeconds;

/** Returns the seconds that a client sent; null for none. INVALID_ARGUMENT for what is out of range. */
function readSeconds(sent: string | undefined): number | null {
  if (sent === undefined) {
    return null;
  }
  const seconds = Number(sent.replace(/s$/, ''));
  if (!Number.isInteger(seconds) || seconds < hourSeconds || seconds > maxSeconds) {
    throw invalidField('staleAfter', 'must be whole seconds from an hour ("3600s") to 400 days ("34560000s"), or absent for the usual');
  }
  return seconds;
}

/** Sets the age from which on the data of a source are too old; absent for the usual of its kind. NOT_FOUND for no such source, INVALID_ARGUMENT for an age out of range. */
export function setStaleAfter(context: Context, id: string, sent: string | undefined): Promise<SourceRow> {
  const staleAfter = readSeconds(sent);
  return inTransaction(context, async (inside) => {
    const { appId, displayName, staleAfter: before } = await requireLockedSource(inside, id);
    if (before !== staleAfter) {
      const stands = { staleAfter: before === null ? undefined : `${before}s` };
      await refuseStale(inside, { targetId: id, kinds: ['connector.settings_changed'], before: stands });
      await updateStaleAfter(inside, id, staleAfter);
      await recordEvent(inside, {
        kind: 'connector.settings_changed',
        targetId: id,
        data: { appId, displayName, from: { staleAfterSeconds: before }, to: { staleAfterSeconds: staleAfter } },
      });
    }
    return requireSource(inside, id);
  });
}
