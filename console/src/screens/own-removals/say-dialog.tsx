/**
 * Saying something to one removal or to several alike, with a comment; a refusal and a failure need one. Done only when the server says so; what it
 * refuses stays, with why.
 */
import { useState } from 'react';
import { errorMessage, fieldViolation } from '~/data/act.ts';
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
  const [left, setLeft] = useState(removals);
  const [done, setDone] = useState<number>();
  const [refused, setRefused] = useState<readonly (readonly [Removal, string])[]>([]);
  const [atField, setAtField] = useState<string>();
  const { label, needsReason } = answers[answer];
  const say = async () => {
    const again: Removal[] = [];
    const messages: (readonly [Removal, string])[] = [];
    setAtField(undefined);
    for (const [index, removal] of left.entries()) {
      setDone(index);
      try {
        await sayTo(removal, answer, comment);
      } catch (error) {
        again.push(removal);
        const said = fieldViolation(error, 'comment');
        setAtField(said);
        if (said === undefined) {
          messages.push([removal, errorMessage(error)]);
        }
      }
    }
    setDone(undefined);
    setLeft(again);
    setRefused(messages);
    await forget('RevocationService.List', 'RevocationService.Count', 'RevocationService.Get');
    if (again.length === 0) {
      toast(text(answer === 'done' ? 'ownRemovals.saidDone' : 'ownRemovals.said'));
      onClose();
    }
  };
  const [one] = left;
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
            busy={done !== undefined}
            {...(needsReason && comment.trim() === '' ? { disabledReason: text('ownRemovals.needsReason') } : {})}
            onClick={() => void say()}
          >
            {done !== undefined && left.length > 1 ? text('review.passing', { done, count: left.length }) : text(label)}
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
        {refused.length === 0 ? null : (
          <Note kind="fault">
            {removals.length === 1 ? null : (
              <p>{text('ownRemovals.refused', { done: removals.length - left.length, count: refused.length })}</p>
            )}
            {refused.map(([removal, message]) => (
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
