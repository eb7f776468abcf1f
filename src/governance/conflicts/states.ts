/**
 * The states of an alert and what moves it from one to another: the whole table, as a function without a database. The statements in the stores do the
 * same for many alerts at once; a test compares both.
 */

/** State of an alert (`conflict_alerts.state`). */
export type AlertState = 'ACTIVE' | 'EXEMPTED' | 'RESOLVED';

/** Reason it was resolved (`conflict_alerts.resolution`); empty while it is not. */
export type Resolution = '' | 'NO_LONGER_HELD' | 'MONITOR_CHANGED' | 'MONITOR_DISABLED' | 'MONITOR_DELETED';

/** Possible events of an alert. */
export type AlertEvent =
  | 'HOLDS'
  | 'NO_LONGER_HOLDS'
  | 'MONITOR_CHANGED'
  | 'MONITOR_DISABLED'
  | 'MONITOR_DELETED'
  | 'EXEMPTED'
  | 'CERTIFIED'
  | 'UNTIL_PASSED'
  | 'WITHDRAWN';

/** Outcome for an alert: its next state and whether a generation begins; or it stays as it is; or what happened is refused. */
export type Move = { readonly to: AlertState; readonly isNew: boolean } | 'stays' | 'refused';

const resolves: Move = { to: 'RESOLVED', isNew: false };
const exempts: Move = { to: 'EXEMPTED', isNew: false };
const reactivates: Move = { to: 'ACTIVE', isNew: false };
const begins: Move = { to: 'ACTIVE', isNew: true };

/** Every state, none included, and everything that can happen in it. Only what people ask for is refused; what detection finds again stays. */
const table: Readonly<Record<AlertState | 'NONE', Readonly<Record<AlertEvent, Move>>>> = {
  NONE: {
    HOLDS: begins,
    NO_LONGER_HOLDS: 'stays',
    MONITOR_CHANGED: 'stays',
    MONITOR_DISABLED: 'stays',
    MONITOR_DELETED: 'stays',
    EXEMPTED: 'refused',
    CERTIFIED: 'stays',
    UNTIL_PASSED: 'stays',
    WITHDRAWN: 'refused',
  },
  ACTIVE: {
    HOLDS: 'stays',
    NO_LONGER_HOLDS: resolves,
    MONITOR_CHANGED: resolves,
    MONITOR_DISABLED: resolves,
    MONITOR_DELETED: resolves,
    EXEMPTED: exempts,
    CERTIFIED: exempts,
    UNTIL_PASSED: 'stays',
    WITHDRAWN: 'refused',
  },
  EXEMPTED: {
    HOLDS: 'stays',
    NO_LONGER_HOLDS: resolves,
    MONITOR_CHANGED: resolves,
    MONITOR_DISABLED: resolves,
    MONITOR_DELETED: resolves,
    EXEMPTED: 'refused',
    CERTIFIED: 'stays',
    UNTIL_PASSED: reactivates,
    WITHDRAWN: reactivates,
  },
  RESOLVED: {
    HOLDS: begins,
    NO_LONGER_HOLDS: 'stays',
    MONITOR_CHANGED: 'stays',
    MONITOR_DISABLED: 'stays',
    MONITOR_DELETED: 'stays',
    EXEMPTED: 'refused',
    CERTIFIED: 'stays',
    UNTIL_PASSED: 'stays',
    WITHDRAWN: 'refused',
  },
};

/** Moves an alert in this state, or none, when this happens. */
export function moveAlert(state: AlertState | undefined, event: AlertEvent): Move {
  return table[state ?? 'NONE'][event];
}
