/** The public interface of the module policies: finding them, what their documents say, and the one a tenant starts with. */
export { accountValue, answerQuestions, personValue } from './answer.ts';
export { ensureBuiltinPolicy, ensureRevokePolicy, findDefaultPolicy } from './builtin.ts';
export { hasOuterLocals, readCondition, conditionSide } from './conditions.ts';
export {
  type ApproverJson,
  type ApproverKind,
  approverKinds,
  certifySteps,
  certifyType,
  escalationKinds,
  escalations,
  fallsBackToAppOwners,
  findMember,
  type RouteStep,
  type StepKind,
  stepKinds,
  type SupportedApprover,
  waitKinds,
} from './document.ts';
export { type Reads, stepReads } from './step-reads.ts';
export { flattenPolicies, type Plans, type Route, type Turn } from './flatten.ts';
export { expressionProblems } from './expressions.ts';
export { listPlanProblems } from './feasible.ts';
export { policyLoader } from './load.ts';
export { removalDocument } from './removal-steps.ts';
export { getPolicy } from './read.ts';
export { services } from './service.ts';
export { listReachedDocuments } from './store-references.ts';
export { type AccountFacts, accountFacts, type EntitlementFields, type PersonFacts, personFacts } from './store-answers.ts';
export { lockPolicyTypes } from './reads.ts';
export { findNoDelegation, renameInPolicies } from './store.ts';
export { policySlot, type PolicyUse } from './slots.ts';
