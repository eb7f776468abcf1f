/** Subject of a review: reading and checking its scope, narrowing it, previewing it, taking its snapshot, replaying it. */
export { findBefore } from './before.ts';
export { listSignatureWarnings, requireStartable } from './check-record.ts';
export { checkScope, describeScope, readChosen } from './choose-scope.ts';
export { isShorter, listWiderInReview, listWiderInTemplate, listWiderLists, refuseWider } from './narrow-scope.ts';
export { mayExempt, refuseExempting, withoutExemption } from './narrow-scope.ts';
export { previewReview, readSelections } from './preview.ts';
export { hashReview, readSnapshotItems, writePreparedScope } from './replay.ts';
export { type ScopeLists, asksChangesOnly, listEntryViolations } from './scope-lists.ts';
export { readEntries, replayService, scopeListService, shapeLists } from './service-scope.ts';
export {
  type ChosenEntitlement,
  type ChosenResourceType,
  type Setup,
  listEntitlementViolations,
  listResourceTypeViolations,
  readSetup,
  setEntitlements,
  setResourceTypes,
} from './setup.ts';
export { checkPreparable, freezeReview, toFreeze } from './take-snapshot.ts';
