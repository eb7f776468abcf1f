/** A new policy: its name and what it is for; it asks the person's manager, or the app's owners to remove, until it is changed. */
import { useNavigate } from '@tanstack/react-router';
import { FormDialog } from '~/app/forms/form-dialog.tsx';
import { useForm } from '~/app/forms/use-form.ts';
import { call } from '~/data/query.ts';
import { RadioGroup } from '~/parts/controls/radio-group.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { text } from '~/text/text.ts';
import { baselineKey, newStep, type PolicyKind } from './types.ts';
import { policyKindWords } from './words.ts';

export function NewPolicy({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const navigate = useNavigate();
  const form = useForm({
    values: { displayName: '', policyType: 'POLICY_TYPE_CERTIFY' as PolicyKind },
    send: ({ displayName, policyType }) =>
      call('PolicyService.Create', {
        displayName: displayName.trim(),
        policyType,
        policySteps: {
          [baselineKey({ policyType })]: { steps: [newStep(policyType === 'POLICY_TYPE_REVOKE' ? 'provision' : 'approval')] },
        },
      }),
    stale: ['PolicyService.List'],
    onSent: async ({ policy }) => {
      onOpenChange(false);
      await navigate({ to: '/policies/$id', params: { id: policy?.id ?? '' } });
    },
  });
  return (
    <FormDialog form={form} open={open} onClose={() => onOpenChange(false)} title={text('policies.new')} action={text('policies.create')}>
      <TextField {...form.at('displayName')} label={text('policies.name')} hint={text('policies.newHint')} autoFocus required />
      <RadioGroup<PolicyKind>
        {...form.at('policyType')}
        label={text('policies.kind')}
        options={[
          { value: 'POLICY_TYPE_CERTIFY', label: policyKindWords('POLICY_TYPE_CERTIFY'), hint: text('policies.forReviewsHint') },
          { value: 'POLICY_TYPE_REVOKE', label: policyKindWords('POLICY_TYPE_REVOKE'), hint: text('policies.forRemovalsHint') },
        ]}
      />
    </FormDialog>
  );
}
