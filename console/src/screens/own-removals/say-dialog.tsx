/** Saying something to a removal, with a comment; a refusal and a failure need one. Done only when the server says so. */
import { useState } from 'react';
import { messageOf, useAct, violationOf } from '../../data/act.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Note } from '../../parts/note.tsx';
import { TextArea } from '../../parts/text-area.tsx';
import { toast } from '../../parts/toast.tsx';
import { text } from '../../text/text.ts';
import { type Answer, answers, type Removal } from './answers.ts';
import styles from './own-removals.module.css';

interface SayDialogProps {
  readonly removal: Removal;
  readonly answer: Answer;
  readonly onClose: () => void;
}

export function SayDialog({ removal, answer, onClose }: SayDialogProps) {
  const [comment, setComment] = useState('');
  const { label, operation, needsReason } = answers[answer];
  const act = useAct(operation, 'RevocationService.List', 'RevocationService.Count', 'RevocationService.Get');
  const atField = violationOf(act.error, 'comment');
  const say = () =>
    act.mutate(
      { taskId: removal.revokeTaskId ?? '', comment },
      {
        onSuccess: () => {
          toast(text(answer === 'done' ? 'ownRemovals.saidDone' : 'ownRemovals.said'));
          onClose();
        },
      },
    );
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={text(label)}
      keep
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {text('review.cancel')}
          </Button>
          <Button
            variant="primary"
            busy={act.isPending}
            {...(needsReason && comment.trim() === '' ? { disabledReason: text('ownRemovals.needsReason') } : {})}
            onClick={say}
          >
            {text(label)}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <p>{[removal.userDisplayName || text('review.unowned'), removal.entitlementDisplayName, removal.appDisplayName].join(', ')}</p>
        <TextArea
          label={text(needsReason ? 'ownRemovals.reason' : 'review.comment')}
          hint={text(answer === 'done' ? 'revocations.commentHint' : 'ownRemovals.reasonHint')}
          required={needsReason}
          value={comment}
          onChange={setComment}
          error={atField}
        />
        {act.isError && atField === undefined ? <Note kind="fault">{messageOf(act.error)}</Note> : null}
      </div>
    </Dialog>
  );
}
