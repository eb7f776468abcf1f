/** Does something to items, one after the other, after asking: with how far it is, and what was refused and why. */
import { useState } from 'react';
import { Button } from '~/parts/controls/button.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { Note } from '~/parts/states/note.tsx';
import { TextArea } from '~/parts/fields/text-area.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { errorMessage } from '~/data/act.ts';
import { forget } from '~/data/query.ts';
import { ofReviews } from '~/data/reviews/review.ts';
import { text } from '~/text/text.ts';
import styles from '~/screens/review/acts/dialogs.module.css';
import { actionWords, actOn, type TaskAction } from './task-action.ts';

interface ActDialogProps {
  readonly action: TaskAction;
  readonly taskIds: readonly string[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function ActDialog({ action, taskIds, onClose, onDone }: ActDialogProps) {
  const [comment, setComment] = useState('');
  const [done, setDone] = useState<number>();
  const [refused, setRefused] = useState<readonly string[]>([]);
  const { title, words, needsReason } = actionWords[action];
  const count = taskIds.length;
  const run = async () => {
    const failures = new Map<string, number>();
    for (const [index, taskId] of taskIds.entries()) {
      setDone(index);
      try {
        await actOn(action, taskId, comment);
      } catch (error) {
        const message = errorMessage(error);
        failures.set(message, (failures.get(message) ?? 0) + 1);
      }
    }
    setDone(undefined);
    await forget('TaskService.Search', ...ofReviews);
    if (failures.size > 0) {
      setRefused([...failures].map(([message, times]) => text('review.actRefused', { count: times, message })));
      return;
    }
    toast(text('review.actDone', { count }));
    onDone();
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={text(title, { count })}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {text('review.cancel')}
          </Button>
          <Button
            variant={action === 'cancel' ? 'danger' : 'primary'}
            busy={done !== undefined}
            disabledReason={needsReason && comment.trim() === '' ? text('review.actNeedsReason') : undefined}
            onClick={() => void run()}
          >
            {done === undefined ? text(title, { count }) : text('review.passing', { done, count })}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <p>{text(words)}</p>
        {action === 'remind' ? null : (
          <TextArea label={text('review.reason')} value={comment} onChange={setComment} required={needsReason} />
        )}
        {refused.map((one) => (
          <Note key={one} kind="fault">
            {one}
          </Note>
        ))}
      </div>
    </Dialog>
  );
}
