/** One step in words: whom it asks, who is asked instead, what has to be said, and what happens when nobody answers. */
import { useNames } from '../../data/names.ts';
import { type PlainTextKey, text } from '../../text/text.ts';
import styles from './policies.module.css';
import { type Approval, partsOf, type Step } from './types.ts';
import { oneStep } from './words.ts';

export function StepView({ step }: { step: Step }) {
  const approval: Approval = step.approval ?? {};
  const parts = partsOf(approval);
  const names = useNames([...(parts.userIds ?? []), ...(parts.fallbackUserIds ?? [])]);
  const people = (ids: readonly string[] | undefined) => (ids ?? []).map((id) => names.get(id) || '…').join(', ');
  const asked: [boolean | undefined, PlainTextKey][] = [
    [approval.requireApprovalReason, 'policies.approvalReason'],
    [approval.requireDenialReason, 'policies.denialReason'],
    [approval.requireReassignmentReason, 'policies.reassignReason'],
    [parts.allowSelfApproval, 'policies.selfAllowed'],
    [parts.requireDistinctApprovers, 'policies.distinct'],
    [approval.allowReassignment, 'policies.mayReassign'],
  ];
  const message = step.accept?.acceptMessage ?? step.reject?.rejectMessage;
  const days = Math.round(Number(approval.escalation?.expiration ?? 0) / 86_400);
  return (
    <div className={styles.view}>
      <b>{oneStep(step)}</b>
      {parts.userIds === undefined ? null : <p>{people(parts.userIds)}</p>}
      {(parts.expressions ?? []).map((expression) => (
        <code key={expression}>{expression}</code>
      ))}
      {message === undefined || message === '' ? null : <p>{message}</p>}
      {parts.fallback && (parts.fallbackUserIds ?? []).length > 0 ? (
        <p>{text('policies.elsePeople', { names: people(parts.fallbackUserIds) })}</p>
      ) : null}
      {approval.escalationEnabled && days > 0 ? <p>{text('policies.escalates', { days })}</p> : null}
      {asked.some(([isOn]) => isOn) ? (
        <p>
          {asked
            .filter(([isOn]) => isOn)
            .map(([, key]) => text(key))
            .join(' · ')}
        </p>
      ) : null}
    </div>
  );
}
