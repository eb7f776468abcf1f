/** Making a new person of records of a person who is two: what would move and what would stay is shown before it is done. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { announce } from '~/app/announce.ts';
import { errorMessage, useAct } from '~/data/act.ts';
import { personName, type Person } from '~/data/inventory/inventory.ts';
import { type PersonRecord, recordName } from '~/data/inventory/person-records.ts';
import { read } from '~/data/query.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { Note } from '~/parts/states/note.tsx';
import { text } from '~/text/text.ts';
import { MergePreview } from './merge-preview.tsx';
import styles from './people.module.css';

/** What a record says in one line, to be told from the others. */
function describe(record: PersonRecord): string {
  const { sourceDisplayName = '', email = '', username = '', employeeId = '', state } = record;
  const said = [...new Set([recordName(record), email, username, employeeId])].filter(Boolean).join(', ');
  return text(state === 'PERSON_RECORD_STATE_GONE' ? 'split.recordGone' : 'split.record', { source: sourceDisplayName, said });
}

export function SplitDialog({ person, records, onClose }: { person: Person; records: readonly PersonRecord[]; onClose: () => void }) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const navigate = useNavigate();
  const name = personName(person);
  const wanted = { userId: person.id ?? '', recordIds: [...chosen] };
  const problem = chosen.length === 0 ? text('split.choose') : chosen.length === records.length ? text('split.leave', { name }) : undefined;
  const preview = useQuery({
    ...read('PersonMergeService.Split', { ...wanted, dryRun: true }),
    enabled: problem === undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const split = useAct('PersonMergeService.Split', 'UserService.Get', 'UserService.Search', 'PersonRecordService.List');
  const error = split.error ?? preview.error;
  const toggle = (id: string) => setChosen((ids) => (ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id]));
  const send = () =>
    split.mutate(wanted, {
      onSuccess: ({ userId = '' }) => {
        const said = text('split.done', { name });
        toast(said);
        announce(said);
        onClose();
        navigate({ to: '/people/$person/$tab', params: { person: userId, tab: 'facts' } });
      },
    });
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={text('split.title', { name })}
      footer={
        <>
          <Button onClick={onClose}>{text('settings.cancel')}</Button>
          <Button
            variant="primary"
            busy={split.isPending}
            disabledReason={problem ?? (preview.data === undefined ? text('split.looking') : undefined)}
            onClick={send}
          >
            {text('split.action')}
          </Button>
        </>
      }
    >
      <div className={styles.merge}>
        <p>{text('split.what')}</p>
        <fieldset className={styles.merge} aria-label={text('split.records')}>
          {records.map((record) => (
            <Checkbox
              key={record.id}
              label={describe(record)}
              checked={chosen.includes(record.id ?? '')}
              onChange={() => toggle(record.id ?? '')}
            />
          ))}
        </fieldset>
        {chosen.length === records.length ? <Note kind="warn">{problem}</Note> : null}
        {error === null ? null : <Note kind="fault">{errorMessage(error)}</Note>}
        {preview.data === undefined ? null : (
          <MergePreview
            outcome={preview.data}
            heads={{ moved: text('split.moved'), ended: text('split.ended', { name }), changes: text('split.changes', { name }) }}
          />
        )}
        <p>{text('split.stays', { name })}</p>
      </div>
    </Dialog>
  );
}
