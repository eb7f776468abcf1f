/** Does something to items, one after the other, after asking: with how far it is, and what was refused and why. */
import { useState } from 'react';
import { useUnsaved } from '~/app/forms/unsaved.ts';
import type { Item } from '~/app/reviews/item.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { TextArea } from '~/parts/fields/text-area.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/review/acts/dialogs.module.css';
import { NotDone } from '~/screens/review/acts/not-done.tsx';
import { useActOnItems } from '~/screens/review/acts/use-act-on-items.ts';
import { actionWords, actOn, type TaskAction } from './task-action.ts';

interface ActDialogProps {
  readonly action: TaskAction;
  readonly items: readonly Item[];
  readonly onClose: () => void;
  /** It was done to these. */
  readonly onDone: (ids: readonly string[]) => void;
}

/** It is made anew for each opening, and then knows nothing of the one before. */
export function ActDialog({ action, items, onClose, onDone }: ActDialogProps) {
  const [comment, setComment] = useState('');
  useUnsaved(comment.trim() !== '');
  const { left, notDone, behind, done, run } = useActOnItems(items, onDone, onClose);
  const { title, words, needsReason } = actionWords[action];
  const count = left.length;
  return (
    <Dialog
      open
      keep
      onOpenChange={(open) => (open || behind !== undefined ? undefined : onClose())}
      title={text(title, { count })}
      footer={
        <>
          <Button variant="quiet" disabledReason={behind === undefined ? undefined : text('review.underway')} onClick={onClose}>
            {text('review.cancel')}
          </Button>
          <Button
            variant={action === 'cancel' ? 'danger' : 'primary'}
            busy={behind !== undefined}
            disabledReason={needsReason && comment.trim() === '' ? text('review.actNeedsReason') : undefined}
            onClick={() => void run(({ id }) => actOn(action, id, comment))}
          >
            {behind === undefined ? text(title, { count }) : text('review.acting', { done: behind, count })}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <p>{text(words)}</p>
        {action === 'remind' ? null : (
          <TextArea label={text('review.reason')} value={comment} onChange={setComment} required={needsReason} />
        )}
        <NotDone done={done} notDone={notDone} />
      </div>
    </Dialog>
  );
}
