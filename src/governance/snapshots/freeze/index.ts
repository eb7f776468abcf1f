/** Freezing entitlements, people, accounts, conflicts and policies, to keep them or to throw them away. */
export { freezePolicies, readPlans } from './freeze-policies.ts';
export { listMonitors } from './freeze-scope.ts';
export {
  type Arrivals,
  type SnapshotPlace,
  snapshotConditions,
  explainEmpty,
  hasFailed,
  freezeScope,
  findWhyEmpty,
  snapshotItems,
  readArrivals,
  readScopeNow,
  refuseEmpty,
  withThrownAway,
} from './freeze.ts';
export { analyzeTables, listDoublePolicies, removeSnapshot, setOneMoment } from './store-freeze.ts';
export { insertPeers } from './store-peers.ts';
export { listFailures } from './freeze-verdicts.ts';
export type { NotedError } from './store-verdicts.ts';
export { personCommitted } from './store-holders.ts';
