/** Closing a review: what becomes of the items that nobody decided is chosen here and said in numbers before anything happens. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '~/parts/controls/button.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { Note } from '~/parts/states/note.tsx';
import { RadioGroup } from '~/parts/controls/radio-group.tsx';
import { errorMessage, useAct } from '~/data/act.ts';
import { count } from '~/data/count.ts';
import { read, type RequestOf } from '~/data/query.ts';
import { mayDo, ofReviews, type ReviewView } from '~/data/reviews/review.ts';
import { text } from '~/text/text.ts';
import { sayCame } from '~/screens/review/arrivals/say-came.ts';
import styles from './dialogs.module.css';

type Decision = NonNullable<RequestOf<'ReviewActionsService.Close'>['decision']>;

interface CloseDialogProps {
  readonly reviewId: string;
  readonly view: ReviewView;
  readonly isOpen: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

export function CloseDialog({ reviewId, view, isOpen, onOpenChange }: CloseDialogProps) {
  const preset = view.accessReview?.autoCloseDecision;
  const [decision, setDecision] = useState<Decision>(preset && preset !== 'CLOSE_DECISION_UNSPECIFIED' ? preset : 'CLOSE_DECISION_SKIP');
  const close = useAct('ReviewActionsService.Close', ...ofReviews);
  const counts = useQuery({ ...read('ReviewActionsService.GetCounts', { accessReviewId: reviewId }), enabled: isOpen, staleTime: 0 }).data
    ?.counts;
  const undecided = count(counts?.undecided);
  const arrivals = useQuery({ ...read('ReviewArrivalService.Get', { accessReviewId: reviewId }), enabled: isOpen, staleTime: 0 }).data
    ?.counts;
  const isBlocked = !mayDo(view, 'close');
  return (
    <Dialog
      open={isOpen}
      onOpenChange={onOpenChange}
      title={text('review.closeTitle')}
      footer={
        <>
          <Button variant="quiet" onClick={() => onOpenChange(false)}>
            {text('review.cancel')}
          </Button>
          <Button
            variant={decision === 'CLOSE_DECISION_REVOKED' && undecided > 0 ? 'danger' : 'primary'}
            busy={close.isPending}
            {...(isBlocked ? { disabledReason: text('review.closeNeedsAcknowledgement') } : {})}
            onClick={() => close.mutate({ accessReviewId: reviewId, decision }, { onSuccess: () => onOpenChange(false) })}
          >
            {undecided > 0 ? text('review.closeWith', { count: undecided }) : text('review.close')}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <p>{undecided === 0 ? text('review.closeAllDecided') : text('review.closeUndecided', { count: undecided })}</p>
        {arrivals === undefined ? null : count(arrivals.unasked) > 0 ? (
          <Note kind="warn">{sayCame(arrivals)}</Note>
        ) : (
          <p>{sayCame(arrivals)}</p>
        )}
        {undecided === 0 ? null : (
          <RadioGroup
            label={text('review.closeWhat')}
            value={decision}
            onChange={setDecision}
            options={[
              { value: 'CLOSE_DECISION_SKIP', label: text('review.closeSkip'), hint: text('review.closeSkipHint') },
              {
                value: 'CLOSE_DECISION_REVOKED',
                label: text('review.closeRevoke'),
                hint: text('review.closeRevokeHint', { count: undecided }),
              },
              { value: 'CLOSE_DECISION_NO_ACTION', label: text('review.closeNothing'), hint: text('review.closeNothingHint') },
            ]}
          />
        )}
        <p className={styles.quiet}>{text('review.closeForGood')}</p>
        {isBlocked ? <Note kind="warn">{text('review.closeNeedsAcknowledgement')}</Note> : null}
        {close.isError ? <Note kind="fault">{errorMessage(close.error)}</Note> : null}
      </div>
    </Dialog>
  );
}
