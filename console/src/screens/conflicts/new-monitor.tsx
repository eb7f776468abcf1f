/** A new rule: its name and what it is about. It starts turned off. */
import { useNavigate } from '@tanstack/react-router';
import { FormDialog } from '~/app/forms/form-dialog.tsx';
import { useForm } from '~/app/forms/use-form.ts';
import { call } from '~/data/query.ts';
import { TextField } from '~/parts/fields/text-field.tsx';
import { text } from '~/text/text.ts';

export function NewMonitor({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const navigate = useNavigate();
  const form = useForm({
    values: { displayName: '', description: '' },
    send: ({ displayName, description }) =>
      call('AccessConflictService.CreateMonitor', { displayName: displayName.trim(), description: description.trim() }),
    stale: ['ConflictMonitorService.List'],
    onSent: async ({ id }) => {
      onOpenChange(false);
      await navigate({ to: '/conflicts/$id', params: { id: id ?? '' } });
    },
  });
  return (
    <FormDialog form={form} open={open} onClose={() => onOpenChange(false)} title={text('conflicts.new')} action={text('conflicts.create')}>
      <TextField {...form.at('displayName')} label={text('conflicts.name')} hint={text('conflicts.nameHint')} autoFocus required />
      <TextField {...form.at('description')} label={text('conflicts.description')} />
    </FormDialog>
  );
}
