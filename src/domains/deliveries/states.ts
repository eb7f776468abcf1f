/**
 * The life of a delivery: what may happen to it in which state, and the state it has then. Who does it is in the other files.
 */
import { AppError } from '../../errors.ts';
import type { DeliveryState } from './types.ts';

/** What may happen to a delivery. */
export type DeliveryAction = 'succeed' | 'fail' | 'give-up' | 'repeat' | 'discard';

/** The state after each action that is possible; an action that is missing is refused. */
const statesAfter: Readonly<Record<DeliveryState, Readonly<Partial<Record<DeliveryAction, DeliveryState>>>>> = {
  WAITING: { succeed: 'DONE', fail: 'WAITING', 'give-up': 'DEAD' },
  DONE: {},
  DEAD: { repeat: 'WAITING', discard: 'DISCARDED' },
  DISCARDED: {},
};

/** The state a delivery has after an action; undefined where the action is not possible. */
export function stateAfter(state: DeliveryState, action: DeliveryAction): DeliveryState | undefined {
  return statesAfter[state][action];
}

const states: Readonly<Record<DeliveryState, string>> = {
  WAITING: 'waits for its next attempt',
  DONE: 'is done',
  DEAD: 'is dead',
  DISCARDED: 'was discarded',
};

/** The error of an action that a delivery in this state does not allow: FAILED_PRECONDITION. */
export function refuseAction(state: DeliveryState, action: 'repeat' | 'discard'): AppError {
  return new AppError('FAILED_PRECONDITION', `This delivery ${states[state]}. You can ${action} only a dead delivery.`);
}
