/** One step that asks somebody: whom, whom else, what has to be said, and after how long it goes on by itself. */
import { PeopleField } from '../../app/people-field.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Select } from '../../parts/select.tsx';
import { Switch } from '../../parts/switch.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { text } from '../../text/text.ts';
import { Condition } from './condition.tsx';
import styles from './policies.module.css';
import { type Approval, type Approver, type ApproverParts, approverOf, offered, partsOf, withApprover, withFallback } from './types.ts';
import { approverWords } from './words.ts';

const day = 86_400;

export function StepForm({ approval, onChange }: { approval: Approval; onChange: (approval: Approval) => void }) {
  const kind = approverOf(approval);
  const parts = partsOf(approval);
  const setParts = (some: ApproverParts) => onChange(withApprover(approval, kind, { ...parts, ...some }));
  const set = (some: Partial<Approval>) => onChange({ ...approval, ...some });
  const days = Math.round(Number(approval.escalation?.expiration ?? 0) / day);
  return (
    <div className={styles.form}>
      <Select<Approver>
        label={text('policies.whoReviews')}
        value={kind}
        onChange={(next) =>
          onChange(withApprover(approval, next, next === 'users' ? { userIds: [] } : next === 'expression' ? { expressions: [''] } : {}))
        }
        options={[...new Set([...offered, kind])].map((one) => ({ value: one, label: approverWords(one) }))}
      />
      {kind === 'users' ? (
        <PeopleField label={text('policies.people')} value={parts.userIds ?? []} onChange={(userIds) => setParts({ userIds })} />
      ) : null}
      {kind === 'expression' ? (
        <Condition
          label={text('policies.expression')}
          environment="EXPRESSION_ENVIRONMENT_POLICY_APPROVER"
          value={parts.expressions?.[0] ?? ''}
          onChange={(first) => setParts({ expressions: [first, ...(parts.expressions ?? []).slice(1)] })}
        />
      ) : null}
      {withFallback.includes(kind) ? (
        <>
          <Switch
            label={text('policies.fallback')}
            hint={text('policies.fallbackHint')}
            checked={parts.fallback === true}
            onChange={(fallback) => setParts({ fallback })}
          />
          {parts.fallback ? (
            <PeopleField
              label={text('policies.fallbackPeople')}
              value={parts.fallbackUserIds ?? []}
              onChange={(fallbackUserIds) => setParts({ fallbackUserIds })}
            />
          ) : null}
        </>
      ) : null}
      <Checkbox
        label={text('policies.approvalReason')}
        checked={approval.requireApprovalReason === true}
        onChange={(requireApprovalReason) => set({ requireApprovalReason })}
      />
      <Checkbox
        label={text('policies.denialReason')}
        checked={approval.requireDenialReason === true}
        onChange={(requireDenialReason) => set({ requireDenialReason })}
      />
      <Checkbox
        label={text('policies.mayReassign')}
        checked={approval.allowReassignment === true}
        onChange={(allowReassignment) => set({ allowReassignment })}
      />
      {kind === 'self' ? null : (
        <Checkbox
          label={text('policies.selfAllowed')}
          checked={parts.allowSelfApproval === true}
          onChange={(allowSelfApproval) => setParts({ allowSelfApproval })}
        />
      )}
      <Switch
        label={text('policies.escalation')}
        hint={text('policies.escalationHint')}
        checked={approval.escalationEnabled === true}
        onChange={(escalationEnabled) =>
          set({
            escalationEnabled,
            ...(approval.escalation === undefined ? { escalation: { expiration: `${7 * day}`, skipStep: {} } } : {}),
          })
        }
      />
      {approval.escalationEnabled ? (
        <TextField
          type="number"
          min={1}
          label={text('policies.escalationDays')}
          value={days === 0 ? '' : String(days)}
          onChange={(written) =>
            set({ escalation: { ...approval.escalation, expiration: String(Math.max(0, Number(written) || 0) * day) } })
          }
        />
      ) : null}
    </div>
  );
}
