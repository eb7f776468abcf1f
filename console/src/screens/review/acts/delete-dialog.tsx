/** Deleting a review: its record stays, with who deleted it and why. */
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useUnsaved } from '~/app/forms/unsaved.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { Note } from '~/parts/states/note.tsx';
import { TextArea } from '~/parts/fields/text-area.tsx';
import { errorMessage, useAct, fieldViolation } from '~/data/act.ts';
import type { ReviewView } from '~/data/reviews/review.ts';
import { text } from '~/text/text.ts';
import styles from './dialogs.module.css';

interface DeleteDialogProps {
  readonly reviewId: string;
  readonly view: ReviewView;
  readonly isOpen: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

export function DeleteDialog({ reviewId, view, isOpen, onOpenChange }: DeleteDialogProps) {
  const [reason, setReason] = useState('');
  const giveUp = useUnsaved(isOpen && reason.trim() !== '');
  const navigate = useNavigate();
  const remove = useAct('AccessReviewService.Delete', 'AccessReviewService.List', 'ReviewSearchService.Search');
  const needsReason = view.accessReview?.state === 'ACCESS_REVIEW_STATE_OPEN';
  const change = (open: boolean): void => {
    if (!open) {
      setReason('');
      remove.reset();
    }
    onOpenChange(open);
  };
  return (
    <Dialog
      open={isOpen}
      onOpenChange={change}
      title={text('review.deleteTitle')}
      footer={
        <>
          <Button variant="quiet" onClick={() => change(false)}>
            {text('review.cancel')}
          </Button>
          <Button
            variant="danger"
            busy={remove.isPending}
            {...(needsReason && reason.trim() === '' ? { disabledReason: text('review.deleteNeedsReason') } : {})}
            onClick={() =>
              remove.mutate(
                { id: reviewId, reason },
                {
                  onSuccess: () => {
                    giveUp();
                    return navigate({ to: '/reviews' });
                  },
                },
              )
            }
          >
            {text('review.delete')}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <p>{text('review.deleteWhat')}</p>
        <TextArea
          label={text('review.reason')}
          value={reason}
          onChange={setReason}
          required={needsReason}
          {...(fieldViolation(remove.error, 'reason') ? { error: fieldViolation(remove.error, 'reason') } : {})}
        />
        {remove.isError ? <Note kind="fault">{errorMessage(remove.error)}</Note> : null}
      </div>
    </Dialog>
  );
}
