/** What steps do, in words. */
import { type PlainTextKey, text } from '../../text/text.ts';
import { type Approver, approverOf, kindOf, partsOf, type Step } from './types.ts';

const asks: Readonly<Record<Approver, PlainTextKey>> = {
  manager: 'policies.asksManager',
  appOwners: 'policies.asksAppOwners',
  entitlementOwners: 'policies.asksEntitlementOwners',
  resourceOwners: 'policies.asksResourceOwners',
  self: 'policies.asksSelf',
  users: 'policies.asksUsers',
  group: 'policies.asksGroup',
  expression: 'policies.asksExpression',
  agent: 'policies.asksOther',
  webhook: 'policies.asksOther',
};

/** Whom an approver asks, such as "The person's manager". */
export function approverWords(kind: Approver): string {
  return text(asks[kind]);
}

/** One step. */
export function oneStep(step: Step): string {
  const kind = kindOf(step);
  if (kind === 'approval' && step.approval !== undefined) {
    const count = partsOf(step.approval).userIds?.length ?? 0;
    const approver = approverOf(step.approval);
    return approver === 'users' ? text('policies.asksUsersCount', { count }) : approverWords(approver);
  }
  return text(
    kind === 'accept'
      ? 'policies.stepAccept'
      : kind === 'reject'
        ? 'policies.stepReject'
        : kind === 'wait'
          ? 'policies.stepWait'
          : 'policies.stepOther',
  );
}

/** All steps, one after the other. */
export function stepWords(steps: readonly Step[]): string {
  return steps.length === 0 ? text('policies.noSteps') : steps.map(oneStep).join(' → ');
}

/** Levels that a test names, in words. What is not known is shown as it is. */
export function levelWords(level: string): string {
  const known: Readonly<Record<string, PlainTextKey>> = {
    MANAGER: 'policies.asksManager',
    APP_OWNERS: 'policies.asksAppOwners',
    ENTITLEMENT_OWNERS: 'policies.asksEntitlementOwners',
    RESOURCE_OWNERS: 'policies.asksResourceOwners',
    SELF: 'policies.asksSelf',
    USERS: 'policies.asksUsers',
    GROUP: 'policies.asksGroup',
    EXPRESSION: 'policies.asksExpression',
    FALLBACK_GROUPS: 'policies.levelFallbackGroups',
    FALLBACK_USERS: 'policies.levelFallbackUsers',
    FALLBACK_APP_OWNERS: 'policies.asksAppOwners',
    REVIEW_OWNERS: 'policies.levelReviewOwners',
    SUPER_ADMINISTRATORS: 'policies.levelSuperAdministrators',
  };
  const key = Object.hasOwn(known, level) ? known[level] : undefined;
  return key === undefined ? level.toLowerCase().replaceAll('_', ' ') : text(key);
}
