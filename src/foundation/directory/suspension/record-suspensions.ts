/** Events of people whose rights are suspended. */
import type { Context } from '../../../context.ts';
import { recordEvent, recordEventsOfRows } from '../../audit/index.ts';
import { getUntoldSql, updateTold } from './store-suspensions.ts';

/**
 * Writes an event for each person of whom something was suspended in this transaction; one look at an index where that is nobody. Whoever writes the
 * status of people calls it behind that.
 */
export async function recordSuspensions(context: Context): Promise<void> {
  if ((await recordEventsOfRows(context, 'user.suspended', getUntoldSql(context))) > 0) {
    await updateTold(context);
  }
}

/** Writes down that a source would disable the last enabled Super Administrator, and that nothing of theirs is suspended. */
export async function recordKeptAdministrator(context: Context, userId: string, sourceId: string): Promise<void> {
  await recordEvent(context, { kind: 'user.kept_enabled', targetId: userId, data: { sourceId, why: 'LAST_SUPER_ADMINISTRATOR' } });
}
