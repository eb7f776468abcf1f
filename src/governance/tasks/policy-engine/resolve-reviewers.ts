/**
 * Reviewers of a policy step, level by level: the step's own rule, the fallbacks it names, then the people who manage the review, then
 * administrators. Pure: turning a level into people is store-assign.ts and store-eligible.ts. Source: the reviewers section of docs/concepts.md.
 */
import type { PolicyJson } from '../../../gen/c1/api/policy/v1/policy_pb.js';
import type { ApproverKind, SupportedApprover } from '../../policies/index.ts';
import { type ApprovalStep, readStepAt, type ReviewerReason } from '../task/index.ts';

/** An entitlement whose holders are asked. */
export interface ReviewerGroup {
  readonly appId: string;
  readonly entitlementId: string;
}

/** One way to find reviewers; the first that finds somebody who is eligible wins. */
export interface ReviewerRule {
  readonly reason: ReviewerReason;
  /** The people named by the rule, for USERS and FALLBACK_USERS. */
  readonly userIds: readonly string[];
  /** The groups named by the rule, for GROUP and FALLBACK_GROUPS. */
  readonly groups?: readonly ReviewerGroup[];
  /** The expressions of the rule in order, for EXPRESSION. */
  readonly expressions?: readonly string[];
  /** The person reviewed may be the answer. */
  readonly allowSelf: boolean;
}

const reasonByType: { readonly [Kind in ApproverKind | '']: Kind extends SupportedApprover ? ReviewerReason : undefined } = {
  manager: 'MANAGER',
  appOwners: 'APP_OWNERS',
  entitlementOwners: 'ENTITLEMENT_OWNERS',
  resourceOwners: 'RESOURCE_OWNERS',
  users: 'USERS',
  group: 'GROUP',
  expression: 'EXPRESSION',
  self: 'SELF',
  agent: undefined,
  webhook: undefined,
  '': undefined,
};

function ownRule({ approver, approverType, allowSelf }: ApprovalStep): ReviewerRule[] {
  const reason = reasonByType[approverType];
  if (reason === undefined) {
    return [];
  }
  const { appId = '', appGroupId: entitlementId = '', expressions = [], userIds = [] } = approver;
  const named = reason === 'GROUP' ? { groups: [{ appId, entitlementId }] } : reason === 'EXPRESSION' ? { expressions } : undefined;
  return [{ reason, userIds, allowSelf, ...named }];
}

function namedFallbacks({ approver, ...step }: ApprovalStep): ReviewerRule[] {
  if (approver.fallback !== true) {
    return [];
  }
  // Asking the person themselves is what such a step is for; its fallbacks are for somebody else.
  const allowSelf = step.allowSelf && step.approverType !== 'self';
  const { fallbackGroupIds = [], fallbackUserIds: userIds = [] } = approver;
  const groups = fallbackGroupIds.map(({ appId = '', appEntitlementId = '' }) => ({ appId, entitlementId: appEntitlementId }));
  return [
    ...(approver.isGroupFallbackEnabled === true && groups.length > 0
      ? [{ reason: 'FALLBACK_GROUPS' as const, userIds: [], groups, allowSelf }]
      : []),
    ...(userIds.length > 0 ? [{ reason: 'FALLBACK_USERS' as const, userIds, allowSelf }] : []),
  ];
}

/**
 * The levels of the step at `index` of a policy's document, in order, never empty: the last two ask the managers of the review and the Super
 * Administrators. `appOwnersNext` puts the owners of the app before them (the policy's annotation says so).
 */
export function listReviewerRules(document: PolicyJson | null, index: number, appOwnersNext: boolean): readonly ReviewerRule[] {
  const step = readStepAt(document, index);
  const rules: ReviewerRule[] = [];
  if (step?.kind === 'approval') {
    rules.push(...ownRule(step), ...namedFallbacks(step));
  }
  if (appOwnersNext && rules[0]?.reason !== 'APP_OWNERS') {
    rules.push({ reason: 'FALLBACK_APP_OWNERS', userIds: [], allowSelf: false });
  }
  rules.push({ reason: 'REVIEW_OWNERS', userIds: [], allowSelf: false }, { reason: 'ADMINISTRATORS', userIds: [], allowSelf: false });
  return rules;
}

/** True if a level is the step's own rule, rather than what comes when that finds nobody. */
export function isOwnRule({ reason }: ReviewerRule): boolean {
  return Object.values(reasonByType).includes(reason);
}
