/** A new policy: its name; it asks the person's manager until it is changed. */
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call, forget } from '../../data/query.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { text } from '../../text/text.ts';

export function NewPolicy({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const make = useMutation({
    mutationFn: () =>
      call('PolicyService.Create', {
        displayName: name.trim(),
        policyType: 'POLICY_TYPE_CERTIFY',
        policySteps: { certify: { steps: [{ approval: { manager: {} } }] } },
      }),
    onSuccess: async ({ policy }) => {
      onOpenChange(false);
      await forget('PolicyService.List');
      await navigate({ href: `/policies/${policy?.id}` });
    },
  });
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={text('policies.new')}
      action={text('policies.create')}
      busy={make.isPending}
      onSend={() => make.mutate()}
    >
      <TextField
        label={text('policies.name')}
        value={name}
        onChange={setName}
        hint={text('policies.newHint')}
        autoFocus
        required
        error={make.error?.message}
      />
    </FormDialog>
  );
}
