/** Merging a person into another, who is the same: what would become of everything is shown before it is done. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { announce } from '~/app/announce.ts';
import { errorMessage, useAct } from '~/data/act.ts';
import { findAnybody } from '~/data/inventory/find.ts';
import { personName, type Person } from '~/data/inventory/inventory.ts';
import { read } from '~/data/query.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Combobox, type Option } from '~/parts/fields/combobox.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { Note } from '~/parts/states/note.tsx';
import { text } from '~/text/text.ts';
import { MergePreview } from './merge-preview.tsx';
import styles from './people.module.css';

export function MergeDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const [into, setInto] = useState<Option>();
  const navigate = useNavigate();
  const wanted = { userId: person.id ?? '', intoUserId: into?.id ?? '' };
  const preview = useQuery({
    ...read('PersonMergeService.Merge', { ...wanted, dryRun: true }),
    enabled: into !== undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const merge = useAct('PersonMergeService.Merge', 'UserService.Get', 'UserService.Search', 'PersonRecordService.List');
  const names = { person: personName(person), other: into?.label ?? '' };
  const problem = merge.error ?? preview.error;
  const send = () =>
    merge.mutate(wanted, {
      onSuccess: () => {
        const said = text('merge.done', names);
        toast(said);
        announce(said);
        onClose();
        navigate({ to: '/people/$person/$tab', params: { person: wanted.intoUserId, tab: 'facts' } });
      },
    });
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={text('merge.title', names)}
      footer={
        <>
          <Button onClick={onClose}>{text('settings.cancel')}</Button>
          <Button
            variant="primary"
            busy={merge.isPending}
            disabledReason={preview.data === undefined ? text('merge.choose') : undefined}
            onClick={send}
          >
            {text('merge.action')}
          </Button>
        </>
      }
    >
      <div className={styles.merge}>
        <p>{text('merge.what', names)}</p>
        <Combobox label={text('merge.into')} value={into} search={findAnybody} onChange={setInto} required autoFocus />
        {problem === null ? null : <Note kind="fault">{errorMessage(problem)}</Note>}
        {preview.data === undefined ? null : (
          <MergePreview
            outcome={preview.data}
            heads={{ moved: text('merge.moved', names), ended: text('merge.ended'), changes: text('merge.changes', names) }}
          />
        )}
        <p>{text('merge.stays')}</p>
      </div>
    </Dialog>
  );
}
