/** The public interface of the part merging: what was stored under two spellings of one name, made one. */
export { mergeCatalog } from './merge-catalog.ts';
export { nameStanding } from './store-merge-rows.ts';
export { moveAccountOwners } from './store-merge-owners.ts';
export { listSourceNames, listTwins, type MergedKind, updateTwinKeys } from './store-twins.ts';
