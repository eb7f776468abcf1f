/** The public interface of the tree: its checkpoints, proofs by it, and changes of its key and epoch. */
export { findEpoch, findHead, findNewest, findOrigin, renameSize, sealFirst, signHead, signNow, type TreeHead } from './checkpoint.ts';
export { type Entry, listShownEntries, type ProvedEntry, proveEvents, showEntry } from './prove.ts';
export { coverTree } from './cover.ts';
export { findFrontier, proveConsistency, proveInclusion } from './read-tree.ts';
export { restartLog, settleKey } from './rotate.ts';
export { type CheckpointRow, findCheckpoint, listCheckpoints } from './store-checkpoints.ts';
