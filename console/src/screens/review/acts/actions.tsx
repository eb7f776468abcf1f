/** Actions on a review: reports, reminders, its close, a legal hold, and a second one like it. */
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { lazyPart } from '~/parts/states/lazy-part.tsx';
import { Button } from '~/parts/controls/button.tsx';
import { Menu } from '~/parts/over/menu.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { errorMessage, useAct } from '~/data/act.ts';
import { mayDo, ofReviews } from '~/data/reviews/review.ts';
import { useMay } from '~/data/session/session.ts';
import { text } from '~/text/text.ts';
import { CloseDialog } from './close-dialog.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import type { TabProps } from '~/screens/review/props.ts';
import { ReportMenu } from './report-menu.tsx';
import { sayReminded } from './say-reminded.ts';

const SetHold = lazyPart(() => import('~/app/evidence/set-hold.tsx').then(({ SetHold: component }) => component));
const LiftHold = lazyPart(() => import('~/app/evidence/lift-hold.tsx').then(({ LiftHold: component }) => component));

export function Actions({ reviewId, view, progress }: TabProps) {
  const [open, setOpen] = useState<'close' | 'delete' | 'hold' | 'lift'>();
  const navigate = useNavigate();
  const mayCreate = useMay('reviews.create');
  const maySetHold = useMay('settings.write');
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
                  onSuccess: (made) =>
                    navigate({
                      to: '/reviews/$reviewId/edit/$part',
                      params: { reviewId: made.accessReview?.accessReview?.id ?? '', part: 'purpose' },
                    }),
                  onError: (error) => toast(errorMessage(error)),
                },
              ),
          },
        ]
      : []),
    ...(maySetHold && review.legalHold === undefined
      ? [{ label: text('holds.set'), icon: 'lock' as const, onSelect: () => setOpen('hold') }]
      : []),
    ...(maySetHold && review.legalHold !== undefined && review.legalHold.isOfTenant !== true
      ? [{ label: text('holds.liftTitle'), icon: 'lock' as const, onSelect: () => setOpen('lift') }]
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
                onSuccess: (reply) => toast(sayReminded(reply)),
                onError: (error) => toast(errorMessage(error)),
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
      <Suspense>
        {open === 'hold' ? <SetHold reviewId={reviewId} onClose={() => setOpen(undefined)} /> : null}
        {open === 'lift' ? <LiftHold id={review.legalHold?.id ?? ''} onClose={() => setOpen(undefined)} /> : null}
      </Suspense>
    </>
  );
}
