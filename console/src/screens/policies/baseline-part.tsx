/** Baseline where no rule holds: steps of the policy's own, or another policy. */
import { Link } from '@tanstack/react-router';
import { usePolicyNames } from '~/data/reviews/policy-names.ts';
import { Segments } from '~/parts/controls/segments.tsx';
import { text } from '~/text/text.ts';
import styles from './policies.module.css';
import { PolicyField } from './steps/policy-field.tsx';
import { StepsPart } from './steps/steps-part.tsx';
import { baselineKey, newStep, type Policy, type Step, possibleStepKinds } from './types.ts';

interface BaselinePartProps {
  readonly policy: Policy;
  readonly mayWrite: boolean;
  readonly onChange: (part: Partial<Policy>) => void;
  readonly onSteps: (steps: readonly Step[]) => void;
}

type Baseline = 'steps' | 'policy';

export function BaselinePart({ policy, mayWrite, onChange, onSteps }: BaselinePartProps) {
  const key = baselineKey(policy);
  const own = policy.policySteps?.[key]?.steps;
  const otherId = policy.baselinePolicyId ?? '';
  const names = usePolicyNames([otherId]);
  const isRemoval = policy.policyType === 'POLICY_TYPE_REVOKE';
  const choose = (next: Baseline) => {
    const { [key]: _before, ...rest } = policy.policySteps ?? {};
    onChange(
      next === 'policy'
        ? { policySteps: rest }
        : {
            baselinePolicyId: '',
            policySteps: {
              ...rest,
              [key]: { steps: [newStep(possibleStepKinds(policy).includes('provision') ? 'provision' : 'approval')] },
            },
          },
    );
  };
  // A tenant cannot be left without steps of the policies that it starts with.
  const mayChoose = mayWrite && policy.systemBuiltin !== true && ((policy.rules ?? []).length > 0 || own === undefined);
  return (
    <>
      {mayChoose ? (
        <section className={styles.section}>
          <h2>{text('policies.otherwise')}</h2>
          <div>
            <Segments<Baseline>
              label={text('policies.otherwise')}
              value={own === undefined ? 'policy' : 'steps'}
              onChange={choose}
              options={[
                { value: 'steps', label: text('policies.otherwiseSteps') },
                { value: 'policy', label: text('policies.otherwisePolicy') },
              ]}
            />
          </div>
          {own === undefined ? (
            <PolicyField
              label={text('policies.otherwisePolicy')}
              value={otherId}
              except={policy.id ?? ''}
              policyType={isRemoval ? 'POLICY_TYPE_REVOKE' : 'POLICY_TYPE_CERTIFY'}
              onChange={(baselinePolicyId) => onChange({ baselinePolicyId })}
            />
          ) : null}
        </section>
      ) : null}
      {own === undefined && !mayChoose && otherId !== '' ? (
        <section className={styles.section}>
          <h2>{text('policies.otherwise')}</h2>
          <p>
            <Link to="/policies/$id" params={{ id: otherId }}>
              {names.get(otherId) || otherId}
            </Link>
          </p>
        </section>
      ) : null}
      {own === undefined ? null : <StepsPart policy={policy} steps={own} mayWrite={mayWrite} onChange={onSteps} />}
    </>
  );
}
