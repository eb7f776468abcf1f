/** The public interface of the module revocations: what became of access that was denied, from evidence. */
export { countRemovals, type RemovalCounts } from './count.ts';
export { countRemovalStates, getLastRemovalsSql } from './store-outcomes.ts';
export { dueKind as revocationsDueKind } from './due.ts';
export { followRemoval } from './follow.ts';
export { handOverKind } from './hand-over.ts';
export { jobKinds } from './jobs.ts';
export { requestKind } from './request.ts';
export { services } from './service.ts';
export { openStates as openRemovalStates, provenStates as provenRemovalStates, type RevocationState } from './record/index.ts';
export { verifyKind } from './verify.ts';
export type { ResidualRow } from './record/index.ts';
export { countRevocations, describeRemoval, describeResidual, listRevocations } from './record/index.ts';
export { revocationSlot } from './record/index.ts';
export { moveEntitlementRemovals, moveRemovals, moveResourceRemovals } from './store-merge.ts';
export { lockRemovals, removalsItem } from './reads.ts';
export { emptyNotes, emptyNotesNaming, listOwnRemovals } from './store-empty.ts';
export { createPlanEffect, getIsWithConnectorSql, lookKind as sendingsKind, noteEnded, noteSent, planKind } from './sending/index.ts';
