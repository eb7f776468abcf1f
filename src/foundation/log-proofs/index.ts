/** The public interface of the module log-proofs: the service of the event log, its checkpoints, who holds them, and its checks. */
export {
  anchorKind,
  createAnchorEffect,
  createAnchorsDue,
  findStamped,
  listAnchorsSince,
  sendAnchorKind,
  sendToStamp,
} from './anchors/index.ts';
export {
  checkLog,
  checkTaskEvents,
  checkReviewEvents,
  type EvidenceRow,
  type EvidenceScope,
  type EvidenceSource,
  evidenceSlot,
  readOutsideCheckpoint,
  type SomeChecked,
} from './check/index.ts';
export { checkKind, createJobKinds, isCheckDue } from './jobs.ts';
export { writeEventLine } from './event-line.ts';
export { listLastNotes, readLogLines } from './export-log.ts';
export { readLogSecretFile, settleLogKeys } from './secret-file.ts';
export { createServices } from './service.ts';
export { createSigner } from './signer.ts';
export { openTile } from './tiles.ts';
export {
  coverTree,
  findEpoch,
  findNewest,
  findOrigin,
  proveConsistency,
  proveInclusion,
  restartLog,
  sealFirst,
  showEntry,
  signHead,
  signNow,
} from './tree/index.ts';
export { countLogFindings, type LogFindings } from './store.ts';
