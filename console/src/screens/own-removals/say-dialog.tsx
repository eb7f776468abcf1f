/**
 * Saying something to one removal or to several alike, with a comment; a refusal and a failure need one. Done only when the server says so; what it
 * refuses stays, with why.
 */
import { useState } from 'react';
import { useUnsaved } from '~/app/forms/unsaved.ts';
import { useActOnEach } from '~/app/forms/use-act-on-each.ts';
import { fieldViolation } from '~/data/act.ts';
import { forget } from '~/data/query.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { Note } from '~/parts/states/note.tsx';
import { TextArea } from '~/parts/fields/text-area.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { text } from '~/text/text.ts';
import { type Answer, answers, type Removal, sayTo } from './answers.ts';
import styles from './own-removals.module.css';

interface SayDialogProps {
  readonly removals: readonly Removal[];
  readonly answer: Answer;
  readonly onClose: () => void;
}

export function SayDialog({ removals, answer, onClose }: SayDialogProps) {
  const [comment, setComment] = useState('');
  useUnsaved(comment.trim() !== '');
  const [atField, setAtField] = useState<string>();
  const { left, behind, done, notDone, run } = useActOnEach(removals);
  const { label, needsReason } = answers[answer];
  const act = (removal: Removal) =>
    sayTo(removal, answer, comment).catch((error: unknown) => {
      setAtField(fieldViolation(error, 'comment'));
      throw error;
    });
  const say = async () => {
    setAtField(undefined);
    const onActed = () => forget('RevocationService.List', 'RevocationService.Count', 'RevocationService.Get');
    const outcome = await run({ act, onActed });
    if (outcome?.notDone.length === 0) {
      toast(text(answer === 'done' ? 'ownRemovals.saidDone' : 'ownRemovals.said'));
      onClose();
    }
  };
  const [one] = left;
  return (
    <Dialog
      open
      onOpenChange={(open) => (open || behind !== undefined ? undefined : onClose())}
      title={text(label)}
      keep
      footer={
        <>
          <Button variant="quiet" disabledReason={behind === undefined ? undefined : text('review.underway')} onClick={onClose}>
            {text('review.cancel')}
          </Button>
          <Button
            variant="primary"
            busy={behind !== undefined}
            {...(needsReason && comment.trim() === '' ? { disabledReason: text('ownRemovals.needsReason') } : {})}
            onClick={() => void say()}
          >
            {behind !== undefined && left.length > 1 ? text('review.passing', { done: behind, count: left.length }) : text(label)}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <p>{left.length > 1 ? text('ownRemovals.chosen', { count: left.length }) : nameOf(one ?? {})}</p>
        <TextArea
          label={text(needsReason ? 'ownRemovals.reason' : 'review.comment')}
          hint={text(answer === 'done' ? 'revocations.commentHint' : 'ownRemovals.reasonHint')}
          required={needsReason}
          value={comment}
          onChange={setComment}
          error={atField}
        />
        {notDone.length === 0 || atField !== undefined ? null : (
          <Note kind="fault">
            {removals.length === 1 ? null : <p>{text('ownRemovals.refused', { done, count: notDone.length })}</p>}
            {notDone.map(({ one: removal, message }) => (
              <p key={removal.id}>{removals.length === 1 ? message : text('ownRemovals.refusedOne', { what: nameOf(removal), message })}</p>
            ))}
          </Note>
        )}
      </div>
    </Dialog>
  );
}

function nameOf({ userDisplayName, entitlementDisplayName, appDisplayName }: Removal): string {
  return [userDisplayName || text('review.unowned'), entitlementDisplayName, appDisplayName].join(', ');
}
