/** Passing items on to somebody else: one after the other, with how far it is, and which were refused and why. */
import { useState } from 'react';
import { useUnsaved } from '~/app/forms/unsaved.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Combobox } from '~/parts/fields/combobox.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { TextArea } from '~/parts/fields/text-area.tsx';
import type { Item } from '~/app/reviews/item.ts';
import { call } from '~/data/query.ts';
import { text } from '~/text/text.ts';
import styles from './dialogs.module.css';
import { NotDone } from './not-done.tsx';
import { useActOnItems } from './use-act-on-items.ts';

interface Chosen {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
}

interface ReassignDialogProps {
  readonly items: readonly Item[];
  readonly onClose: () => void;
  /** These were passed on. */
  readonly onDone: (ids: readonly string[]) => void;
}

/** It is made anew for each opening, and then knows nothing of the one before. */
export function ReassignDialog({ items, onClose, onDone }: ReassignDialogProps) {
  const [to, setTo] = useState<Chosen | undefined>();
  const [comment, setComment] = useState('');
  useUnsaved(comment.trim() !== '');
  const { left, notDone, behind, done, run } = useActOnItems(items, onDone, onClose);
  const search = async (query: string, signal: AbortSignal): Promise<Chosen[]> => {
    const reply = await call('CertifyTaskService.SearchReassignees', { taskId: left[0]?.id ?? '', query, pageSize: 20 }, { signal });
    return (reply.list ?? []).map(({ reassignee }) => ({
      id: reassignee?.userId ?? '',
      label: reassignee?.displayName || reassignee?.email || '',
      hint: [reassignee?.jobTitle, reassignee?.department].filter(Boolean).join(', '),
    }));
  };
  const pass = () => run(({ id }) => call('TaskActionsService.Reassign', { taskId: id, newStepUserIds: [to?.id ?? ''], comment }));
  return (
    <Dialog
      open
      keep
      onOpenChange={(open) => (open || behind !== undefined ? undefined : onClose())}
      title={text('review.passOn', { count: left.length })}
      footer={
        <>
          <Button variant="quiet" disabledReason={behind === undefined ? undefined : text('review.underway')} onClick={onClose}>
            {text('review.cancel')}
          </Button>
          <Button
            variant="primary"
            busy={behind !== undefined}
            {...(to === undefined ? { disabledReason: text('review.choosePerson') } : {})}
            onClick={() => void pass()}
          >
            {behind === undefined
              ? text('review.passOn', { count: left.length })
              : text('review.passing', { done: behind, count: left.length })}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <Combobox label={text('review.passTo')} value={to} onChange={(next: Chosen | undefined) => setTo(next)} search={search} />
        <TextArea label={text('review.passWhy')} value={comment} onChange={setComment} />
        <NotDone done={done} notDone={notDone} />
      </div>
    </Dialog>
  );
}
