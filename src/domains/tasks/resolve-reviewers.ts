/**
 * Whom a step of a policy asks, in order: the step's own rule, its fallbacks, then the people who manage the review, then administrators.
 * Pure: turning a rule into people is store-assign.ts. Source: the reviewers section of docs/concepts.md.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { asObject, asTexts } from '../../lib/json.ts';
import { readStepAt } from './policy-steps.ts';

/** One way to find reviewers; the first that finds somebody other than the person reviewed (unless self-review is on) wins. */
export interface ReviewerRule {
  readonly reason:
    | 'MANAGER'
    | 'APP_OWNERS'
    | 'USERS'
    | 'SELF'
    | 'FALLBACK_USERS'
    | 'FALLBACK_APP_OWNERS'
    | 'REVIEW_OWNERS'
    | 'ADMINISTRATORS';
  /** The people named by the rule, for USERS and FALLBACK_USERS. */
  readonly userIds: readonly string[];
  /** The person reviewed may be the answer. */
  readonly allowSelf: boolean;
}

const reasonByType: Readonly<Record<string, ReviewerRule['reason']>> = {
  manager: 'MANAGER',
  appOwners: 'APP_OWNERS',
  users: 'USERS',
  self: 'SELF',
};

/**
 * The rules of the step at `index` of a policy's document, in order, never empty: the last two ask the managers of the review and the
 * Super Administrators. `appOwnersNext` puts the owners of the app before them (the policy's annotation says so).
 */
export function listReviewerRules(document: JsonObject | null, index: number, appOwnersNext: boolean): readonly ReviewerRule[] {
  const rules: ReviewerRule[] = [];
  const step = readStepAt(document, index);
  if (step?.kind === 'approval') {
    const approver = asObject(step.approval[step.approverType]);
    const reason = reasonByType[step.approverType];
    if (reason !== undefined) {
      rules.push({ reason, userIds: asTexts(approver.userIds), allowSelf: step.allowSelf });
    }
    const fallbackIds = asTexts(approver.fallbackUserIds);
    if (fallbackIds.length > 0) {
      rules.push({ reason: 'FALLBACK_USERS', userIds: fallbackIds, allowSelf: step.allowSelf && step.approverType !== 'self' });
    }
  }
  if (appOwnersNext && rules[0]?.reason !== 'APP_OWNERS') {
    rules.push({ reason: 'FALLBACK_APP_OWNERS', userIds: [], allowSelf: false });
  }
  rules.push({ reason: 'REVIEW_OWNERS', userIds: [], allowSelf: false }, { reason: 'ADMINISTRATORS', userIds: [], allowSelf: false });
  return rules;
}
