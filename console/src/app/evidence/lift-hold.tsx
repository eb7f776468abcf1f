/** Asking for a legal hold to be lifted, which another Super Administrator confirms. */
import { FormDialog } from '~/app/forms/form-dialog.tsx';
import { useForm } from '~/app/forms/use-form.ts';
import { call } from '~/data/query.ts';
import { TextArea } from '~/parts/fields/text-area.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { text } from '~/text/text.ts';

export function LiftHold({ id, onClose }: { id: string; onClose: () => void }) {
  const form = useForm({
    values: { reason: '' },
    send: ({ reason }) => call('LegalHoldService.Lift', { id, reason: reason.trim() }),
    stale: ['LegalHoldService.List', 'SecondPersonService.List'],
    onSent: () => {
      onClose();
      toast(text('requests.asked'));
    },
  });
  return (
    <FormDialog form={form} onClose={onClose} title={text('holds.liftTitle')} action={text('holds.liftAction')}>
      <p>{text('holds.liftWords')}</p>
      <TextArea {...form.at('reason')} label={text('holds.reason')} required autoFocus />
    </FormDialog>
  );
}
