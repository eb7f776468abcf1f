/** One step that asks somebody: whom, whom else, what has to be said, who may act for them, and what happens when nobody answers. */
import { PeopleField } from '~/app/people/people-field.tsx';
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { Select } from '~/parts/controls/select.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/policies/policies.module.css';
import {
  type Approval,
  type Approver,
  type ApproverParts,
  readApprover,
  offered,
  approverParts,
  startingParts,
  withApprover,
  withFallback,
} from '~/screens/policies/types.ts';
import { approverWords } from '~/screens/policies/words.ts';
import { ApproverFields } from './approver-fields.tsx';
import { EscalationFields } from './escalation-fields.tsx';
import { FallbackFields } from './fallback-fields.tsx';

interface ApprovalFormProps {
  readonly approval: Approval;
  readonly policyId: string;
  /** A removal does nothing by itself: its steps do not escalate, and denying one always needs a reason. */
  readonly isRemoval: boolean;
  readonly onChange: (approval: Approval) => void;
}

export function ApprovalForm({ approval, policyId, isRemoval, onChange }: ApprovalFormProps) {
  const kind = readApprover(approval);
  const parts = approverParts(approval);
  const setParts = (some: ApproverParts) => onChange(withApprover(approval, kind, { ...parts, ...some }));
  const set = (some: Partial<Approval>) => onChange({ ...approval, ...some });
  const option = (key: BooleanOption, words: Parameters<typeof text>[0], hint?: string) => (
    <Checkbox
      label={text(words as 'policies.mayDelegate')}
      hint={hint}
      checked={approval[key] === true}
      onChange={(isOn) => set({ [key]: isOn })}
    />
  );
  return (
    <div className={styles.form}>
      <Select<Approver>
        label={text('policies.whoReviews')}
        value={kind}
        onChange={(next) => onChange(withApprover(approval, next, startingParts(next)))}
        options={[...new Set([...offered, kind])].map((one) => ({ value: one, label: approverWords(one) }))}
      />
      <ApproverFields kind={kind} parts={parts} onChange={setParts} />
      {withFallback.includes(kind) ? <FallbackFields parts={parts} onChange={setParts} /> : null}
      {kind === 'self' ? null : (
        <>
          <Checkbox
            label={text('policies.selfAllowed')}
            checked={parts.allowSelfApproval === true}
            onChange={(allowSelfApproval) => setParts({ allowSelfApproval })}
          />
          <Checkbox
            label={text('policies.distinct')}
            checked={parts.requireDistinctApprovers === true}
            onChange={(requireDistinctApprovers) => setParts({ requireDistinctApprovers })}
          />
        </>
      )}
      {option('requireApprovalReason', 'policies.approvalReason')}
      {isRemoval ? null : option('requireDenialReason', 'policies.denialReason')}
      {option('allowDelegation', 'policies.mayDelegate', text('policies.mayDelegateHint'))}
      {option('allowReassignment', 'policies.mayReassign')}
      {approval.allowReassignment === true ? (
        <div className={styles.inner}>
          {option('requireReassignmentReason', 'policies.reassignReason')}
          <PeopleField
            label={text('policies.reassignees')}
            value={approval.allowedReassignees ?? []}
            onChange={(allowedReassignees) => set({ allowedReassignees })}
          />
          {(approval.allowedReassignees ?? []).length === 0 ? <p className={styles.hint}>{text('policies.reassigneesHint')}</p> : null}
        </div>
      ) : null}
      {isRemoval ? null : <EscalationFields approval={approval} policyId={policyId} onChange={set} />}
    </div>
  );
}

type BooleanOption =
  | 'requireApprovalReason'
  | 'requireDenialReason'
  | 'requireReassignmentReason'
  | 'allowReassignment'
  | 'allowDelegation';
