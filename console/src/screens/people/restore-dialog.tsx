/** Asking another Super Administrator to restore what a person had, where the tenant wants two for that. */
import { FormDialog } from '~/app/forms/form-dialog.tsx';
import { useForm } from '~/app/forms/use-form.ts';
import { call } from '~/data/query.ts';
import { TextArea } from '~/parts/fields/text-area.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { text } from '~/text/text.ts';

export function RestoreDialog({ userId, onClose }: { userId: string; onClose: () => void }) {
  const form = useForm({
    values: { reason: '' },
    send: ({ reason }) => call('SuspensionService.Restore', { userId, reason: reason.trim() }),
    stale: ['SecondPersonService.List'],
    onSent: () => {
      onClose();
      toast(text('requests.asked'));
    },
  });
  return (
    <FormDialog form={form} onClose={onClose} title={text('people.suspended.ask')} action={text('people.suspended.ask')}>
      <p>{text('requests.asked')}</p>
      <TextArea {...form.at('reason')} label={text('requests.reason')} required autoFocus />
    </FormDialog>
  );
}
