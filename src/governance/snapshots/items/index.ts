/** The items of a snapshot: what its accounts held and filters keep, their digests, their difference to others, working them out again. */
export { replayItems } from './replay-items.ts';
export { getAddedSql, listAccountsAdded } from './store-added.ts';
export { type DifferenceCounts, type Predecessor, countDifference, getWasInheritedSql } from './store-difference.ts';
export {
  type ExcludedPrincipals,
  type Verdicts,
  getAccountExclusionSql,
  getAccountVerdictSql,
  getGrantConditionSql,
  getIsExternalSql,
  getPersonExclusionSql,
  getProfileConditionSql,
} from './store-filters.ts';
export { type ReplayDifference, findItemsHash, insertDigests } from './store-hash.ts';
export { getCarriersSql, getInheritedResourcesSql, listRolesElsewhere } from './store-inherit.ts';
export {
  type Holders,
  type SnapshotItems,
  getFrozenHolders,
  getHeldGrants,
  getItemRowsSql,
  getJudgedGrantsSql,
  hasItems,
} from './store-items.ts';
export { accountCommitted, getCarryingResources, insertSnapshotResources, resourceType } from './store-links.ts';
export type { AccountKey, HeldGrants, ItemConditions, PrincipalKind, Within } from './types-items.ts';
export {
  /** @public */
  getPopulationSql,
  insertVerdicts,
  listVerdicts,
  type VerdictCount,
} from './store-population.ts';
export {
  /** @public */
  type Verdict,
  /** @public */
  verdicts,
} from './types-verdicts.ts';
