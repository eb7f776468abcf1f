/** The public interface of checks of a log. */
export { beginCheck, checkLog, continueCheck, endCheck } from './check-log.ts';
export { checkTaskEvents, checkReviewEvents, type SomeChecked } from './check-some.ts';
export { readOutsideCheckpoint } from './outside.ts';
export { evidenceSlot } from './slots.ts';
export type { CheckState, EvidenceRow, EvidenceScope, EvidenceSource } from './state.ts';
