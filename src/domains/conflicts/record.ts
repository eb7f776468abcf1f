/** Says what became of alerts: an event for each, with all that is known of it. */
import type { Context } from '../../context.ts';
import { recordEventsOfRows } from '../audit/index.ts';
import type { AlertState } from './states.ts';
import { getEventRows } from './store-alerts.ts';

/** The kinds of events about alerts. */
export type AlertEventKind =
  | 'conflict_alert.activated'
  | 'conflict_alert.resolved'
  | 'conflict_alert.exempted'
  | 'conflict_alert.exemption_ended'
  | 'conflict_alert.exemption_withdrawn';

/** Writes an event for each alert that a change brought into this state, in the transaction of the change; how many. */
export function recordAlerts(context: Context, kind: AlertEventKind, changeId: string, state: AlertState): Promise<number> {
  return recordEventsOfRows(context, kind, 'conflict_alert', getEventRows(context, changeId, state));
}
