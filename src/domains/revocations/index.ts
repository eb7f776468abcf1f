/** The public interface of the module revocations: what became of access that was denied, from evidence. */
export { countRemovals, type RemovalCounts } from './count.ts';
export { dueKind as revocationsDueKind } from './due.ts';
export { handOverKind } from './hand-over.ts';
export { jobKinds } from './jobs.ts';
export { requestKind } from './request.ts';
export { services } from './service.ts';
export { openStates as openRemovalStates, type RevocationState } from './store-states.ts';
export { verifyKind } from './verify.ts';
export type { ResidualRow } from './store.ts';
export { describeRemoval, describeResidual } from './view.ts';
