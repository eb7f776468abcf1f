/** Setting when a source fetches. */
import { AppError } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { asObject } from '../../lib/json.ts';
import { refusal } from '../../wire/read.ts';
import { asReadBy, recordEvent, refuseStale } from '../../foundation/audit/index.ts';
import { findFetchSource, requireLockedSourceOf, updateSchedule } from '../sources/index.ts';
import { findFetcher } from './fetchers/index.ts';
import { planNext } from './plan.ts';
import { checkSchedule } from './schedule.ts';

/** Schedule that is asked for; empty for the usual one. */
export interface AskedSchedule {
  readonly cronSpec: string;
  readonly timezone: string;
}

/**
 * Sets the schedule of a source. NOT_FOUND for no such source, FAILED_PRECONDITION for one that fetches nothing, INVALID_ARGUMENT for a schedule that is
 * none.
 */
export function setSchedule(context: Context, appId: string, id: string, { cronSpec, timezone }: AskedSchedule): Promise<void> {
  return inTransaction(context, async (inside) => {
    const { displayName, kind, schedule, zone } = await requireLockedSourceOf(inside, appId, id);
    if (findFetcher(kind) === undefined) {
      throw new AppError(
        'FAILED_PRECONDITION',
        `The source ${JSON.stringify(displayName)} fetches nothing by itself, so it has no schedule.`,
      );
    }
    const spec = cronSpec.trim();
    const violations = spec === '' && timezone === '' ? [] : checkSchedule({ spec, zone: timezone });
    if (violations.length > 0) {
      throw refusal(violations);
    }
    const read = asReadBy(inside, (asRead) => asObject(asRead.cron));
    const before = { cronSpec: schedule, timezone: zone };
    await refuseStale(inside, { targetId: id, kinds: ['connector.schedule_changed'], read, before });
    await updateSchedule(inside, id, spec, timezone);
    await recordEvent(inside, { kind: 'connector.schedule_changed', targetId: id, data: { appId, displayName, cronSpec: spec, timezone } });
    const source = await findFetchSource(inside, id);
    if (source !== undefined) {
      await planNext(inside, source);
    }
  });
}
