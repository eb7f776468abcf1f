/** Says what became of alerts: an event for each, with all that is known of it. */
import type { Context } from '../../context.ts';
import type { EventKind } from '../../events/index.ts';
import { recordEventsOfRows } from '../../foundation/audit/index.ts';
import type { AlertState } from './states.ts';
import { getEventRowsSql } from './store-alerts.ts';

/** The kinds of events about alerts. */
export type AlertEventKind = Extract<EventKind, `conflict_alert.${string}`>;

/** Writes an event for each alert that a change brought into this state, in the transaction of the change; how many. */
export function recordAlerts(context: Context, kind: AlertEventKind, changeId: string, state: AlertState): Promise<number> {
  return recordEventsOfRows(context, kind, getEventRowsSql(context, changeId, state));
}
