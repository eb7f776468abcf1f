/** A new policy: its name; it asks the person's manager until it is changed. */
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useId, useState } from 'react';
import { call, forget } from '../../data/query.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { text } from '../../text/text.ts';

export function NewPolicy({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const navigate = useNavigate();
  const form = useId();
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
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!make.isPending) {
      make.mutate();
    }
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={text('policies.new')}
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>{text('settings.cancel')}</Button>
          <Button type="submit" form={form} variant="primary" busy={make.isPending}>
            {text('policies.create')}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={send} noValidate>
        <TextField
          label={text('policies.name')}
          value={name}
          onChange={setName}
          hint={text('policies.newHint')}
          autoFocus
          required
          error={make.error?.message}
        />
      </form>
    </Dialog>
  );
}
