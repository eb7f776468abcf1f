/** Asking for the data of a person to be erased: what goes, what stays, and who has to confirm. */
import { FormDialog } from '~/app/forms/form-dialog.tsx';
import { useForm } from '~/app/forms/use-form.ts';
import { personName, type Person } from '~/data/inventory/inventory.ts';
import { call } from '~/data/query.ts';
import { TextArea } from '~/parts/fields/text-area.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { Note } from '~/parts/states/note.tsx';
import { text } from '~/text/text.ts';

export function EraseDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const form = useForm({
    values: { reason: '' },
    send: ({ reason }) => call('UserErasureService.Erase', { userId: person.id ?? '', reason: reason.trim() }),
    stale: ['SecondPersonService.List'],
    onSent: () => {
      onClose();
      toast(text('requests.asked'));
    },
  });
  return (
    <FormDialog form={form} onClose={onClose} title={text('erasure.title', { name: personName(person) })} action={text('erasure.action')}>
      <Note kind="warn">{text('erasure.what')}</Note>
      <p>{text('erasure.stays')}</p>
      <p>{text('erasure.refused')}</p>
      <p>{text('erasure.sources')}</p>
      <p>{text('requests.asked')}</p>
      <TextArea {...form.at('reason')} label={text('erasure.reason')} hint={text('erasure.reasonHint')} required autoFocus />
    </FormDialog>
  );
}
