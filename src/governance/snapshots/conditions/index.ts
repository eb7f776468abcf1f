/** Results of policy conditions on what a snapshot froze. */
export {
  type SnapshotOfConditions,
  checkConditions,
  recordConditionFailures,
  evaluateOnce,
  freezeConditions,
  needsRows,
} from './freeze-conditions.ts';
export { planConditions } from './plan-conditions.ts';
export { type FrozenAccount, frozenFacts, getVerdictsKept, type TranslatedCondition } from './store-conditions.ts';
export { getItemConditions } from './store-frozen-places.ts';
export { removeItems } from './store-item-conditions.ts';
