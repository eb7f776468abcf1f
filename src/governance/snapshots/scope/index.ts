/** Choices of a scope: its types, the lists beside its document, and their hash. */
export { hashScope, writeScopeText } from './hash-scope.ts';
export { refuseSnapshot } from './refuse-snapshot.ts';
export { describeChosen, type ScopeWords } from './say-scope.ts';
export { listChosenApps, listSnapshotApps } from './store-apps.ts';
export { moveScopeAccounts, moveScopeEntitlements, moveScopeResources, moveScopeTypes, updateStandingIds } from './store-merge.ts';
export { endHashJoins, endOnePass, setHashJoins, setOnePass } from './store-hash-joins.ts';
export {
  type ExclusionKind,
  type ScopeEntry,
  insertScopeEntriesCopy,
  getNamedGrantsSql,
  listNames,
  listScopeEntries,
  updateScopeEntries,
} from './store-scope-lists.ts';
export {
  type Replaced,
  type ReviewPolicy,
  type SetupEntitlementRow,
  countSetup,
  insertSetupCopy,
  listSetupAppIds,
  listSetupEntitlements,
  listSetupResourceTypes,
  listSetupRows,
  updateSetupEntitlements,
  updateSetupResourceTypes,
} from './store-setup.ts';
export { type IdKind, type ObjectRef, listUnknownIds, listUnknownObjects } from './store-unknown.ts';
export type {
  AccountFilter,
  AttributeFilter,
  ChosenScope,
  EntitlementRef,
  Filters,
  GrantFilter,
  NamedEntitlement,
  PeopleFilter,
  Principals,
  ProfileFilter,
  ReviewScope,
  ReviewToFreeze,
  ScopeType,
  What,
} from './types-scope.ts';
