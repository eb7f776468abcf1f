/** What a tenant says of itself: its time zone. Tenants stand before the events in the order of modules, so this rule is not theirs. */
import { invalidField } from '../../errors.ts';
import { type Context, inTransaction } from '../../context.ts';
import { isTimeZone } from '../../lib/wall-time.ts';
import { recordEvent } from '../audit/index.ts';
import { findTimeZone, updateTimeZone } from '../tenants/index.ts';

/** Sets the tenant's time zone. INVALID_ARGUMENT for what is no zone. */
export function changeTimeZone(context: Context, timeZone: string): Promise<void> {
  if (!isTimeZone(timeZone)) {
    throw invalidField('settings.timeZone', 'must be the name of a time zone, such as Europe/Berlin, America/New_York or UTC');
  }
  return inTransaction(context, async (inside) => {
    const { db, tenantId } = inside;
    const from = await findTimeZone(db, tenantId);
    if (from !== timeZone) {
      await updateTimeZone(db, tenantId, timeZone);
      await recordEvent(inside, {
        kind: 'tenant.time_zone_changed',
        targetType: 'tenant',
        targetId: tenantId,
        data: { from, to: timeZone },
      });
    }
  });
}
