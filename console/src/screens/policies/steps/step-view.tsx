/** One step in sentences: whom it asks, who else may decide, what has to be said, and what happens when nobody is found or answers. */
import { useEntitlementNames, useNames } from '~/data/names.ts';
import { usePolicyNames } from '~/data/reviews/policy-names.ts';
import styles from '~/screens/policies/policies.module.css';
import { approverParts, type Step } from '~/screens/policies/types.ts';
import { oneStep } from '~/screens/policies/words.ts';
import { stepSentences } from './sentences.ts';

export function StepView({ step, isRemoval = false }: { step: Step; isRemoval?: boolean }) {
  const approval = step.approval ?? {};
  const manual = step.provision?.provisionPolicy?.manual;
  const parts = manual === undefined ? approverParts(approval) : Object.assign({}, ...Object.values(manual.assignee ?? {}));
  const people = useNames([
    ...(parts.userIds ?? []),
    ...(parts.fallbackUserIds ?? []),
    ...(approval.allowedReassignees ?? []),
    ...(approval.escalation?.reassignToApprovers?.approverIds ?? []),
  ]);
  const group = { appId: parts.appId ?? '', appEntitlementId: parts.appGroupId ?? '' };
  const entitlements = useEntitlementNames(
    [...(parts.appGroupId === undefined ? [] : [group]), ...(parts.fallbackGroupIds ?? [])].map(
      ({ appId = '', appEntitlementId = '' }) => ({
        appId,
        id: appEntitlementId,
      }),
    ),
  );
  const policies = usePolicyNames([approval.escalation?.replacePolicy?.policyId]);
  const sentences = stepSentences(step, parts, { people, entitlements, policies, isRemoval });
  return (
    <div className={styles.view}>
      <b>{oneStep(step)}</b>
      {(parts.expressions ?? []).map((expression: string) => (
        <code key={expression}>{expression}</code>
      ))}
      {step.wait?.condition === undefined ? null : <code>{step.wait.condition.condition}</code>}
      {sentences.length === 0 ? null : (
        <ul className={styles.sentences}>
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
