/** What can be done to a review: reports, reminders, its close, and a second one like it. */
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Menu } from '../../parts/menu.tsx';
import { toast } from '../../parts/toast.tsx';
import { messageOf, useAct } from '../../data/act.ts';
import { count } from '../../data/count.ts';
import { mayDo, ofReviews } from '../../data/review.ts';
import { useMay } from '../../data/session.ts';
import { text } from '../../text/text.ts';
import { CloseDialog } from './close-dialog.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import type { TabProps } from './props.ts';
import { ReportMenu } from './report-menu.tsx';

export function Actions({ reviewId, view, progress }: TabProps) {
  const [open, setOpen] = useState<'close' | 'delete'>();
  const navigate = useNavigate();
  const mayCreate = useMay('reviews.create');
  const remind = useAct('ReviewActionsService.Remind', ...ofReviews, 'MailService.ListNotices');
  const copy = useAct('AccessReviewService.Create', ...ofReviews);
  const review = view.accessReview ?? {};
  const isOpen = review.state === 'ACCESS_REVIEW_STATE_OPEN';
  const isClosing = isOpen && progress?.progress?.running === true && progress.progress.phase === 'CLOSE';
  const more = [
    ...(mayCreate
      ? [
          {
            label: text('review.duplicate'),
            icon: 'copy' as const,
            onSelect: () =>
              copy.mutate(
                { duplicateFrom: reviewId, displayName: text('review.copyOf', { name: review.displayName ?? '' }) },
                {
                  onSuccess: (made) => void navigate({ to: `/reviews/${made.accessReview?.accessReview?.id}/edit/purpose` as string }),
                  onError: (error) => toast(messageOf(error)),
                },
              ),
          },
        ]
      : []),
    ...(view.objectPermissions?.delete
      ? [{ label: text('review.delete'), icon: 'cross' as const, danger: true, onSelect: () => setOpen('delete') }]
      : []),
  ];
  return (
    <>
      {mayDo(view, 'report') ? <ReportMenu reviewId={reviewId} /> : null}
      {isOpen && view.objectPermissions?.edit ? (
        <Button
          icon="bell"
          busy={remind.isPending}
          {...(mayDo(view, 'remind') ? {} : { disabledReason: text('review.remindedJustNow') })}
          onClick={() =>
            remind.mutate(
              { accessReviewId: reviewId },
              {
                onSuccess: ({ people }) => toast(text('review.remindedPeople', { count: count(people) })),
                onError: (error) => toast(messageOf(error)),
              },
            )
          }
        >
          {text('review.remind')}
        </Button>
      ) : null}
      {isOpen && view.objectPermissions?.edit ? (
        <Button busy={isClosing} onClick={() => setOpen('close')}>
          {isClosing ? text('review.closing') : text('review.close')}
        </Button>
      ) : null}
      {more.length === 0 ? null : <Menu label={text('review.more')} items={more} />}
      <CloseDialog reviewId={reviewId} view={view} isOpen={open === 'close'} onOpenChange={(next) => setOpen(next ? 'close' : undefined)} />
      <DeleteDialog
        reviewId={reviewId}
        view={view}
        isOpen={open === 'delete'}
        onOpenChange={(next) => setOpen(next ? 'delete' : undefined)}
      />
    </>
  );
}
