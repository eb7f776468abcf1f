/** Passing items on to somebody else: one after the other, with how far it is, and what was refused. */
import { useState } from 'react';
import { Button } from '~/parts/controls/button.tsx';
import { Combobox } from '~/parts/fields/combobox.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { Note } from '~/parts/states/note.tsx';
import { TextArea } from '~/parts/fields/text-area.tsx';
import { errorMessage } from '~/data/act.ts';
import { call, forget } from '~/data/query.ts';
import { text } from '~/text/text.ts';
import styles from './dialogs.module.css';

interface Chosen {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
}

interface ReassignDialogProps {
  readonly taskIds: readonly string[];
  readonly isOpen: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onDone: () => void;
}

export function ReassignDialog({ taskIds, isOpen, onOpenChange, onDone }: ReassignDialogProps) {
  const [to, setTo] = useState<Chosen | undefined>();
  const [comment, setComment] = useState('');
  const [done, setDone] = useState<number>();
  const [refused, setRefused] = useState<readonly string[]>([]);
  const search = async (query: string, signal: AbortSignal): Promise<Chosen[]> => {
    const reply = await call('CertifyTaskService.SearchReassignees', { taskId: taskIds[0] ?? '', query, pageSize: 20 }, { signal });
    return (reply.list ?? []).map(({ reassignee }) => ({
      id: reassignee?.userId ?? '',
      label: reassignee?.displayName || reassignee?.email || '',
      hint: [reassignee?.jobTitle, reassignee?.department].filter(Boolean).join(', '),
    }));
  };
  const run = async () => {
    const failures = new Set<string>();
    for (const [index, taskId] of taskIds.entries()) {
      setDone(index);
      try {
        await call('TaskActionsService.Reassign', { taskId, newStepUserIds: [to?.id ?? ''], comment });
      } catch (error) {
        failures.add(errorMessage(error));
      }
    }
    setDone(undefined);
    setRefused([...failures]);
    await forget('TaskService.Search', 'ReviewProgressService.ListReviewers', 'ReviewActionsService.GetProgress');
    if (failures.size === 0) {
      setTo(undefined);
      setComment('');
      onOpenChange(false);
      onDone();
    }
  };
  return (
    <Dialog
      open={isOpen}
      onOpenChange={onOpenChange}
      title={text('review.passOn', { count: taskIds.length })}
      footer={
        <>
          <Button variant="quiet" onClick={() => onOpenChange(false)}>
            {text('review.cancel')}
          </Button>
          <Button
            variant="primary"
            busy={done !== undefined}
            {...(to === undefined ? { disabledReason: text('review.choosePerson') } : {})}
            onClick={() => void run()}
          >
            {done === undefined
              ? text('review.passOn', { count: taskIds.length })
              : text('review.passing', { done, count: taskIds.length })}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <Combobox label={text('review.passTo')} value={to} onChange={(next: Chosen | undefined) => setTo(next)} search={search} />
        <TextArea label={text('review.passWhy')} value={comment} onChange={setComment} />
        {refused.length > 0 ? <Note kind="fault">{refused.join(' ')}</Note> : null}
      </div>
    </Dialog>
  );
}
