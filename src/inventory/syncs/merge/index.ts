/** The public interface of the part merge: comparing a file with the ledger, and writing the difference. */
export { checkProfiles } from './check-profiles.ts';
export { findExtent } from './find-extent.ts';
export { mergeGrants } from './merge-grants.ts';
export { recordUnchanged } from './record-unchanged.ts';
export { countAllChanges, hasManyChanges } from './store-count.ts';
export {
  findPeopleWithoutAddress,
  findRepeatedPeople,
  lockImports,
  setDateOrder,
  setImportSettings,
  stagePeopleFile,
} from './store-staging.ts';
export { lockPlace, takePlace } from './take-place.ts';
