/** The states of alerts: every state and everything that can happen in it, one line each. */
import { describe, expect, it } from 'vitest';
import { type AlertEvent, type AlertState, moveAlert } from './states.ts';

const noLongerHolds: readonly AlertEvent[] = ['NO_LONGER_HOLDS', 'MONITOR_CHANGED', 'MONITOR_DISABLED', 'MONITOR_DELETED'];

/** State, what happens, and what it leads to: the next state, with + for a new generation; = for no change; ! for a refusal. */
const rows: readonly (readonly [AlertState | undefined, readonly AlertEvent[], string])[] = [
  [undefined, ['HOLDS'], 'ACTIVE+'],
  ['RESOLVED', ['HOLDS'], 'ACTIVE+'],
  ['ACTIVE', noLongerHolds, 'RESOLVED'],
  ['EXEMPTED', noLongerHolds, 'RESOLVED'],
  ['ACTIVE', ['EXEMPTED', 'CERTIFIED'], 'EXEMPTED'],
  ['EXEMPTED', ['UNTIL_PASSED', 'WITHDRAWN'], 'ACTIVE'],
  ['ACTIVE', ['HOLDS', 'UNTIL_PASSED'], '='],
  ['EXEMPTED', ['HOLDS', 'CERTIFIED'], '='],
  [undefined, [...noLongerHolds, 'CERTIFIED', 'UNTIL_PASSED'], '='],
  ['RESOLVED', [...noLongerHolds, 'CERTIFIED', 'UNTIL_PASSED'], '='],
  [undefined, ['EXEMPTED', 'WITHDRAWN'], '!'],
  ['RESOLVED', ['EXEMPTED', 'WITHDRAWN'], '!'],
  ['ACTIVE', ['WITHDRAWN'], '!'],
  ['EXEMPTED', ['EXEMPTED'], '!'],
];

const outcomeOf = (state: AlertState | undefined, event: AlertEvent): string => {
  const move = moveAlert(state, event);
  return move === 'stays' ? '=' : move === 'refused' ? '!' : `${move.to}${move.isNew ? '+' : ''}`;
};

describe('the states of alerts', () => {
  it.each(rows.flatMap(([state, events, wanted]) => events.map((event) => [state ?? 'none', event, wanted, state] as const)))(
    '%s, %s: %s',
    (_name, event, wanted, state) => {
      expect(outcomeOf(state, event)).toBe(wanted);
    },
  );

  it('are all there', () => {
    expect(rows.reduce((sum, [, events]) => sum + events.length, 0)).toBe(4 * 9);
  });
});
