/** The public interface of the module holds: legal holds, and whether one stands. */
export { liftAct, listHeld, lockHolds, refuseHeld, refuseHeldTenant } from './holds.ts';
export { getHoldOfReview, type StandingHold } from './reads.ts';
export { services } from './service.ts';
export { holdSlot } from './slots.ts';
