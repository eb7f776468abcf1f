/** The public interface of the part replay: counting the changes of an import again from the ledger. */
export { diffSyncs, replaySync, requireSync } from './replay-syncs.ts';
