/** Escalation when nobody answers: after how long, and whether the step is passed over, goes to others, to another policy, or ends the item. */
import { PeopleField } from '~/app/people/people-field.tsx';
import { RadioGroup } from '~/parts/controls/radio-group.tsx';
import { Switch } from '~/parts/controls/switch.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { text } from '~/text/text.ts';
import {
  type Approval,
  type Escalation,
  type EscalationKind,
  escalationKind,
  escalationKinds,
  withEscalation,
} from '~/screens/policies/types.ts';
import { escalationHint, escalationWords } from '~/screens/policies/words.ts';
import { PolicyField } from './policy-field.tsx';
import { SpanField } from './span-field.tsx';
import { spanSeconds } from './spans.ts';

const week = 604_800;

interface EscalationFieldsProps {
  readonly approval: Approval;
  readonly policyId: string;
  readonly onChange: (some: Partial<Approval>) => void;
}

export function EscalationFields({ approval, policyId, onChange }: EscalationFieldsProps) {
  const escalation: Escalation = approval.escalation ?? {};
  const kind = escalationKind(escalation);
  const set = (some: Partial<Escalation>) => onChange({ escalation: { ...escalation, ...some } });
  return (
    <>
      <Switch
        label={text('policies.escalation')}
        hint={text('policies.escalationHint')}
        checked={approval.escalationEnabled === true}
        onChange={(escalationEnabled) =>
          onChange({
            escalationEnabled,
            ...(approval.escalation === undefined ? { escalation: { expiration: `${week}`, skipStep: {} } } : {}),
          })
        }
      />
      {approval.escalationEnabled === true ? (
        <>
          <SpanField
            label={text('policies.escalationAfter')}
            value={spanSeconds(escalation.expiration)}
            onChange={(seconds) => set({ expiration: String(seconds) })}
          />
          <RadioGroup<EscalationKind>
            label={text('policies.escalationThen')}
            value={kind}
            onChange={(next) => onChange({ escalation: withEscalation(escalation, next) })}
            options={escalationKinds.map((one) => ({ value: one, label: escalationWords(one), hint: escalationHint(one) }))}
          />
          {kind === 'reassignToApprovers' ? (
            <PeopleField
              label={text('policies.escalationPeople')}
              value={escalation.reassignToApprovers?.approverIds ?? []}
              onChange={(approverIds) => set({ reassignToApprovers: { approverIds } })}
            />
          ) : null}
          {kind === 'replacePolicy' ? (
            <PolicyField
              label={text('policies.escalationPolicy')}
              value={escalation.replacePolicy?.policyId ?? ''}
              except={policyId}
              policyType="POLICY_TYPE_CERTIFY"
              onChange={(id) => set({ replacePolicy: { policyId: id } })}
            />
          ) : null}
          <TextField
            label={text('policies.escalationComment')}
            hint={text('policies.escalationCommentHint')}
            value={escalation.escalationComment ?? ''}
            onChange={(escalationComment) => set({ escalationComment })}
          />
        </>
      ) : null}
    </>
  );
}
