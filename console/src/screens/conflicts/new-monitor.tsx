/** A new rule: its name and what it is about. It starts turned off. */
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call, forget } from '../../data/query.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { text } from '../../text/text.ts';

export function NewMonitor({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const navigate = useNavigate();
  const [displayName, setName] = useState('');
  const [description, setDescription] = useState('');
  const make = useMutation({
    mutationFn: () => call('AccessConflictService.CreateMonitor', { displayName: displayName.trim(), description: description.trim() }),
    onSuccess: async ({ id }) => {
      onOpenChange(false);
      await forget('ConflictMonitorService.List');
      await navigate({ href: `/conflicts/${id}` });
    },
  });
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={text('conflicts.new')}
      action={text('conflicts.create')}
      busy={make.isPending}
      onSend={() => make.mutate()}
    >
      <TextField
        label={text('conflicts.name')}
        value={displayName}
        onChange={setName}
        hint={text('conflicts.nameHint')}
        autoFocus
        required
        error={make.error?.message}
      />
      <TextField label={text('conflicts.description')} value={description} onChange={setDescription} />
    </FormDialog>
  );
}
