/** Says everything a step holds, a sentence for each option, so that nothing of a policy is hidden. */
import { type PlainTextKey, text } from '~/text/text.ts';
import { type Approval, type ApproverParts, escalationKind, type Step, type Wait, waitKindOf } from '~/screens/policies/types.ts';
import { spanSeconds, spanWords } from './spans.ts';

type Names = ReadonlyMap<string, string>;

/** Names of what a step refers to by id. */
export interface StepNames {
  readonly people: Names;
  readonly entitlements: Names;
  readonly policies: Names;
  /** A removal does not escalate, and its refusal always needs a reason. */
  readonly isRemoval: boolean;
}

const listed = (ids: readonly string[] | undefined, names: Names): string => (ids ?? []).map((id) => names.get(id) || '…').join(', ');

function escalationSentence(approval: Approval, { people, policies }: StepNames): string[] {
  const { escalation } = approval;
  if (approval.escalationEnabled !== true || escalation === undefined) {
    return [];
  }
  const span = spanWords(spanSeconds(escalation.expiration));
  const kind = escalationKind(escalation);
  const said =
    kind === 'reassignToApprovers'
      ? text('policies.escalatesTo', { span, names: listed(escalation.reassignToApprovers?.approverIds, people) })
      : kind === 'replacePolicy'
        ? text('policies.escalatesPolicy', { span, name: policies.get(escalation.replacePolicy?.policyId ?? '') || '…' })
        : text(kind === 'cancelTicket' ? 'policies.escalatesEnd' : 'policies.escalatesSkip', { span });
  const comment = escalation.escalationComment ?? '';
  return comment === '' ? [said] : [said, text('policies.escalatesSays', { comment })];
}

function reassignSentence(approval: Approval, { people }: StepNames): string {
  if (approval.allowReassignment !== true) {
    return text('policies.saysNoReassign');
  }
  const only = approval.allowedReassignees ?? [];
  const said = only.length === 0 ? text('policies.saysReassign') : text('policies.saysReassignOnly', { names: listed(only, people) });
  return approval.requireReassignmentReason === true ? `${said} ${text('policies.saysReassignReason')}` : said;
}

function fallbackSentence(parts: ApproverParts, { people, entitlements }: StepNames): string[] {
  const groups =
    parts.isGroupFallbackEnabled === true ? (parts.fallbackGroupIds ?? []).map(({ appEntitlementId = '' }) => appEntitlementId) : [];
  const said = [
    ...(groups.length === 0 ? [] : [text('policies.holdersOf', { names: listed(groups, entitlements) })]),
    ...((parts.fallbackUserIds ?? []).length === 0 ? [] : [listed(parts.fallbackUserIds, people)]),
  ];
  return said.length === 0 ? [] : [text('policies.elsePeople', { names: said.join('; ') })];
}

function approvalSentences(approval: Approval, parts: ApproverParts, names: StepNames): string[] {
  const when = (isOn: boolean | undefined, key: PlainTextKey): string[] => (isOn === true ? [text(key)] : []);
  return [
    ...(parts.fallback === true ? fallbackSentence(parts, names) : []),
    ...when(parts.allowSelfApproval, 'policies.saysSelf'),
    ...when(parts.requireDistinctApprovers, 'policies.saysDistinct'),
    ...when(approval.requireApprovalReason, 'policies.saysApprovalReason'),
    ...when(approval.requireDenialReason || names.isRemoval, 'policies.saysDenialReason'),
    text(approval.allowDelegation === true ? 'policies.saysDelegate' : 'policies.saysNoDelegate'),
    reassignSentence(approval, names),
    ...when((approval.requiresStepUpProviderId ?? '') !== '', 'policies.saysStepUp'),
    ...(names.isRemoval ? [] : escalationSentence(approval, names)),
  ];
}

const two = (number: number | undefined): string => String(number ?? 0).padStart(2, '0');

function waitSentences(wait: Wait): string[] {
  const kind = waitKindOf(wait);
  const { hours, minutes, timezone = '' } = wait.untilTime ?? {};
  const time = `${two(hours)}:${two(minutes)}`;
  const atMost = spanSeconds(wait.timeoutDuration);
  const said =
    kind === 'duration'
      ? text('policies.waitsSpan', { span: spanWords(spanSeconds(wait.duration?.duration)) })
      : kind === 'untilTime'
        ? text('policies.waitsTime', { time, zone: timezone === '' ? text('policies.waitZoneOwn') : timezone })
        : text('policies.waitsCondition', { span: spanWords(atMost === 0 ? 30 * 86_400 : atMost) });
  const comments = [wait.commentOnFirstWait, kind === 'condition' ? wait.commentOnTimeout : ''].filter((one) => (one ?? '') !== '');
  return [said, ...comments.map((comment) => text('policies.escalatesSays', { comment: comment ?? '' }))];
}

/** Puts a step in sentences; `parts` are those of whoever it asks. */
export function stepSentences(step: Step, parts: ApproverParts & { allowReassignment?: boolean }, names: StepNames): string[] {
  const asked = [
    ...((parts.userIds ?? []).length === 0 ? [] : [listed(parts.userIds, names.people)]),
    ...((parts.appGroupId ?? '') === ''
      ? []
      : [text('policies.holdersOf', { names: listed([parts.appGroupId ?? ''], names.entitlements) })]),
  ];
  const message = step.accept?.acceptMessage ?? step.reject?.rejectMessage ?? '';
  const manual = step.provision?.provisionPolicy?.manual;
  return [
    ...asked,
    ...(message === '' ? [] : [message]),
    ...(step.approval === undefined ? [] : approvalSentences(step.approval, parts, names)),
    ...(step.wait === undefined ? [] : waitSentences(step.wait)),
    ...(manual === undefined
      ? []
      : [
          ...fallbackSentence(parts, names),
          text(parts.allowReassignment === true ? 'policies.saysReassign' : 'policies.saysNoReassign'),
          ...((manual.instructions ?? '') === '' ? [] : [manual.instructions ?? '']),
        ]),
  ];
}
