/** Drawing a second review: how much of what was decided, and whom it asks. What cannot be drawn the server says, and nothing is asked of anybody. */
import { useState } from 'react';
import { PeopleField } from '~/app/people/people-field.tsx';
import { errorMessage, useAct, fieldViolation } from '~/data/act.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Segments } from '~/parts/controls/segments.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { text } from '~/text/text.ts';
import styles from './dialogs.module.css';

interface DrawDialogProps {
  readonly reviewId: string;
  readonly onClose: () => void;
}

export function DrawDialog({ reviewId, onClose }: DrawDialogProps) {
  const [way, setWay] = useState<'share' | 'number'>('share');
  const [amount, setAmount] = useState('10');
  const [reviewerIds, setReviewerIds] = useState<readonly string[]>([]);
  const draw = useAct('SecondReviewService.Draw', 'SecondReviewService.Get');
  const [atAmount, atPeople] = [fieldViolation(draw.error, 'sharePercent', 'number'), fieldViolation(draw.error, 'reviewerIds')];
  const send = () =>
    draw.mutate(
      {
        accessReviewId: reviewId,
        reviewerIds: [...reviewerIds],
        ...(way === 'share' ? { sharePercent: Number(amount) } : { number: String(Math.trunc(Number(amount))) }),
      },
      { onSuccess: onClose },
    );
  const missing = !(Number(amount) > 0) ? text('review.drawAmount') : reviewerIds.length === 0 ? text('review.drawPeople') : undefined;
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={text('review.draw')}
      keep
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {text('review.cancel')}
          </Button>
          <Button variant="primary" busy={draw.isPending} {...(missing === undefined ? {} : { disabledReason: missing })} onClick={send}>
            {text('review.draw')}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <p>{text('review.secondWhat')}</p>
        <Segments
          label={text('review.drawBy')}
          value={way}
          onChange={setWay}
          options={[
            { value: 'share', label: text('review.drawShare') },
            { value: 'number', label: text('review.drawNumber') },
          ]}
        />
        <TextField
          label={text(way === 'share' ? 'review.drawPercent' : 'review.drawItems')}
          type="number"
          min={1}
          max={way === 'share' ? 100 : 10_000}
          value={amount}
          onChange={setAmount}
          error={atAmount}
        />
        <PeopleField label={text('review.drawWhom')} value={reviewerIds} onChange={setReviewerIds} error={atPeople} />
        <p>{text('review.drawRule')}</p>
        {draw.isError && atAmount === undefined && atPeople === undefined ? <Note kind="fault">{errorMessage(draw.error)}</Note> : null}
      </div>
    </Dialog>
  );
}
