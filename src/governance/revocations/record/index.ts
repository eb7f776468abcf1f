/** The public interface of the part record: removals as they are kept, and as each reader sees them. */
export { myOutcomeService } from './service-mine.ts';
export { listChanges } from './store-changes.ts';
export {
  getIsAbsenceProofSql,
  getLinksSql,
  getLooksHeldSql,
  getPersonByNowSql,
  getStandingSql,
  getWasPresentSql,
} from './store-standing.ts';
export {
  type RevocationEvent,
  type RevocationState,
  daysAnnotation,
  deadlineDays,
  findNextState,
  listStatesBefore,
  openStates,
  provenStates,
  states,
  reappearedWithinDays,
} from './store-states.ts';
export {
  type ResidualRow,
  type RevocationRow,
  byActor,
  byNobody,
  countRevocations,
  findRevocation,
  getOwnsAppSql,
  listRevocations,
  lockRevocation,
  updateState,
} from './store.ts';
export type { LeftReason, SendingState } from './store-sending.ts';
export { findLookAlike, nameSource } from './unknown.ts';
export { describeRemoval, describeResidual, shapeChange, shapeRevocation } from './view.ts';
export { revocationSlot } from './slots.ts';
