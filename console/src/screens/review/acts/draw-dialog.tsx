/** Drawing a second review: how much of what was decided, and whom it asks. What cannot be drawn the server says, and nothing is asked of anybody. */
import { useState } from 'react';
import { PeopleField } from '~/app/people/people-field.tsx';
import { errorMessage, useAct, fieldViolation } from '~/data/act.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Segments } from '~/parts/controls/segments.tsx';
import { CountField } from '~/parts/fields/count-field.tsx';
import { text } from '~/text/text.ts';
import styles from './dialogs.module.css';

/** So many percent, or items. */
const usual = '10';

interface DrawDialogProps {
  readonly reviewId: string;
  readonly onClose: () => void;
}

export function DrawDialog({ reviewId, onClose }: DrawDialogProps) {
  const [way, setWay] = useState<'share' | 'number'>('share');
  const [amount, setAmount] = useState(usual);
  const [reviewerIds, setReviewerIds] = useState<readonly string[]>([]);
  const draw = useAct('SecondReviewService.Draw', 'SecondReviewService.Get');
  const [atAmount, atPeople] = [fieldViolation(draw.error, 'sharePercent', 'number'), fieldViolation(draw.error, 'reviewerIds')];
  const send = () =>
    draw.mutate(
      {
        accessReviewId: reviewId,
        reviewerIds: [...reviewerIds],
        ...(way === 'share' ? { sharePercent: Number(amount) } : { number: amount }),
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
          onChange={(next) => {
            setWay(next);
            setAmount(usual);
          }}
          options={[
            { value: 'share', label: text('review.drawShare') },
            { value: 'number', label: text('review.drawNumber') },
          ]}
        />
        <CountField
          key={way}
          label={text(way === 'share' ? 'review.drawPercent' : 'review.drawItems')}
          min={way === 'share' ? 0 : 1}
          max={way === 'share' ? 100 : 10_000}
          value={amount}
          isFraction={way === 'share'}
          onWhole={setAmount}
          onPartial={() => setAmount('')}
          error={atAmount}
        />
        <PeopleField label={text('review.drawWhom')} value={reviewerIds} onChange={setReviewerIds} error={atPeople} />
        <p>{text('review.drawRule')}</p>
        {draw.isError && atAmount === undefined && atPeople === undefined ? <Note kind="fault">{errorMessage(draw.error)}</Note> : null}
      </div>
    </Dialog>
  );
}
