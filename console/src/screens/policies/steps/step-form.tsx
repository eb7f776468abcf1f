/** One step as a form, by its kind. */
import { TextArea } from '~/parts/fields/text-area.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/policies/policies.module.css';
import type { Step } from '~/screens/policies/types.ts';
import { ApprovalForm } from './approval-form.tsx';
import { RemovalForm } from './removal-form.tsx';
import { WaitForm } from './wait-form.tsx';

interface StepFormProps {
  readonly step: Step;
  readonly policyId: string;
  readonly isRemoval: boolean;
  readonly onChange: (step: Step) => void;
}

/** True if the form can show this step: one that nobody can carry out is shown as it is. */
export function hasForm(step: Step): boolean {
  return (
    step.approval !== undefined ||
    step.wait !== undefined ||
    step.accept !== undefined ||
    step.reject !== undefined ||
    step.provision?.provisionPolicy?.manual !== undefined
  );
}

export function StepForm({ step, policyId, isRemoval, onChange }: StepFormProps) {
  const { approval, wait, accept, reject, provision } = step;
  if (approval !== undefined) {
    return <ApprovalForm approval={approval} policyId={policyId} isRemoval={isRemoval} onChange={(next) => onChange({ approval: next })} />;
  }
  if (wait !== undefined) {
    return <WaitForm wait={wait} onChange={(next) => onChange({ wait: next })} />;
  }
  if (accept !== undefined || reject !== undefined) {
    const isAccept = accept !== undefined;
    return (
      <div className={styles.form}>
        <TextArea
          label={text('policies.message')}
          hint={text(isAccept ? 'policies.acceptHint' : 'policies.rejectHint')}
          value={(isAccept ? accept.acceptMessage : reject?.rejectMessage) ?? ''}
          onChange={(message) => onChange(isAccept ? { accept: { acceptMessage: message } } : { reject: { rejectMessage: message } })}
        />
      </div>
    );
  }
  const manual = provision?.provisionPolicy?.manual;
  return manual === undefined ? null : (
    <RemovalForm
      manual={manual}
      onChange={(next) => onChange({ provision: { ...provision, provisionPolicy: { ...provision?.provisionPolicy, manual: next } } })}
    />
  );
}
