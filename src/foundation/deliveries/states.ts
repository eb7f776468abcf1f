/** Acts on a delivery: which state allows them, and the state it has then. What attempts do to it is the queue's (src/jobs). */
import { AppError } from '../../errors.ts';
import type { DeliveryState } from './types.ts';

/** Acts of an administrator. */
export type DeliveryAction = 'repeat' | 'discard';

/** The state a delivery has after an act; undefined where the act is not possible. */
export function stateAfter(state: DeliveryState, action: DeliveryAction): DeliveryState | undefined {
  return state === 'DEAD' ? { repeat: 'WAITING' as const, discard: 'DISCARDED' as const }[action] : undefined;
}

const states: Readonly<Record<DeliveryState, string>> = {
  WAITING: 'waits for its next attempt',
  DONE: 'is done',
  DEAD: 'is dead',
  DISCARDED: 'was discarded',
};

/** The error of an act that a delivery in this state does not allow: FAILED_PRECONDITION. */
export function refuseAction(state: DeliveryState, action: DeliveryAction): AppError {
  return new AppError('FAILED_PRECONDITION', `This delivery ${states[state]}. You can ${action} only a dead delivery.`);
}
