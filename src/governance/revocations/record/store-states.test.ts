/** The states of a removal: each row of the table, and every move that is forbidden. */
import { expect, it } from 'vitest';
import { findNextState, openStates, type RevocationEvent, states, listStatesBefore } from './store-states.ts';

const events = [
  'REQUEST',
  'REFUSE',
  'PROVISION',
  'CLAIM',
  'SEEN',
  'ABSENT',
  'CONFIRM',
  'REAPPEAR',
  'FAIL',
  'RETRY',
  'WITHDRAW',
] as const satisfies readonly RevocationEvent[];

/** Written down from the description, not from the code. */
const allowed = [
  'HELD REQUEST REQUESTED',
  'HELD WITHDRAW CANCELLED',
  'REQUESTED REFUSE REFUSED',
  'REQUESTED PROVISION IN_PROGRESS',
  'REQUESTED ABSENT VERIFIED',
  'REQUESTED WITHDRAW CANCELLED',
  'IN_PROGRESS CLAIM CLAIMED',
  'IN_PROGRESS ABSENT VERIFIED',
  'IN_PROGRESS FAIL ERROR',
  'IN_PROGRESS WITHDRAW CANCELLED',
  'CLAIMED SEEN STILL_PRESENT',
  'CLAIMED ABSENT VERIFIED',
  'CLAIMED CONFIRM ATTESTED',
  'STILL_PRESENT CLAIM CLAIMED',
  'STILL_PRESENT ABSENT VERIFIED',
  'VERIFIED REAPPEAR REAPPEARED',
  'ATTESTED REAPPEAR REAPPEARED',
  'REAPPEARED REQUEST REQUESTED',
  'REAPPEARED RETRY IN_PROGRESS',
  'REAPPEARED ABSENT VERIFIED',
  'ERROR RETRY IN_PROGRESS',
  'ERROR ABSENT VERIFIED',
];

it.each(states)('%s allows what its row says, and nothing else', (state) => {
  for (const event of events) {
    const row = allowed.find((one) => one.startsWith(`${state} ${event} `));
    expect([event, findNextState(state, event)]).toEqual([event, row?.split(' ')[2]]);
  }
});

it('is proven absent from every open state, and withdrawn before anybody said that it is done', () => {
  expect([...listStatesBefore('ABSENT')].sort()).toEqual([...openStates].sort());
  expect([...listStatesBefore('WITHDRAW')].sort()).toEqual(['HELD', 'IN_PROGRESS', 'REQUESTED']);
});
