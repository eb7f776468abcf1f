/** The steps of a review before it runs: prepare, start, or back to a draft. Each shows real progress afterwards. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Button } from '~/parts/controls/button.tsx';
import { ButtonLink } from '~/parts/controls/button-link.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { errorMessage, useAct } from '~/data/act.ts';
import { forget } from '~/data/query.ts';
import { mayDo, ofReviews, type Preview, type ReviewView, type Stage } from '~/data/reviews/review.ts';
import { useIsStored } from '~/data/reviews/review-saver.ts';
import { text } from '~/text/text.ts';
import { StartDialog } from './start-dialog.tsx';

interface ActionsProps {
  readonly reviewId: string;
  readonly view: ReviewView;
  readonly stage: Stage;
  /** Items to be asked; undefined while that is not known. */
  readonly preview: Preview | undefined;
}

const stale = [...ofReviews, 'ReviewSelectionService.Preview', 'ReviewAccuracyService.GetAccuracy'] as const;

export function Actions({ reviewId, view, stage, preview }: ActionsProps) {
  const [isStarting, setStarting] = useState(false);
  const navigate = useNavigate();
  const prepare = useAct('ReviewActionsService.Prepare', ...stale);
  const start = useAct('ReviewActionsService.Start', ...stale);
  const reset = useAct('ReviewActionsService.Reset', ...stale);
  const refused = { onError: (error: unknown) => void toast(errorMessage(error)) };
  // What was written last and did not reach the server would not be what is prepared and started.
  const unsaved = useIsStored(reviewId) ? undefined : text('check.notStored');
  const wasStarted = useRef(false);
  useEffect(() => {
    wasStarted.current ||= stage === 'starting' || start.isSuccess;
    if (wasStarted.current && (stage === 'running' || stage === 'late')) {
      // It may ask whoever started it.
      void forget('MyReviewService.List');
      void navigate({ to: '/reviews/$reviewId/$tab', params: { reviewId, tab: 'progress' } });
    }
  }, [stage, start.isSuccess, navigate, reviewId]);
  if (stage === 'running' || stage === 'late' || stage === 'closed') {
    return (
      <ButtonLink to="/reviews/$reviewId/$tab" params={{ reviewId, tab: 'progress' }}>
        {text('check.toProgress')}
      </ButtonLink>
    );
  }
  if (!view.objectPermissions?.edit) {
    return null;
  }
  // A due date that has passed is asked for again before it starts.
  const { completionDate } = view.accessReview ?? {};
  const isPast = completionDate !== undefined && Date.parse(completionDate) < Date.now();
  return stage === 'draft' ? (
    <>
      <ButtonLink to="/reviews/$reviewId/edit/$part" params={{ reviewId, part: 'scope' }} variant="quiet">
        {text('check.edit')}
      </ButtonLink>
      <Button
        variant="primary"
        busy={prepare.isPending}
        disabledReason={unsaved}
        onClick={() => prepare.mutate({ accessReviewId: reviewId }, refused)}
      >
        {text('check.prepare')}
      </Button>
    </>
  ) : (
    <>
      <Button
        variant="quiet"
        busy={reset.isPending}
        disabledReason={mayDo(view, 'reset') ? undefined : text('check.noReset')}
        onClick={() => reset.mutate({ accessReviewId: reviewId }, refused)}
      >
        {text('check.backToDraft')}
      </Button>
      <Button
        variant="primary"
        busy={start.isPending || stage === 'starting'}
        disabledReason={(mayDo(view, 'start') || isPast) && preview !== undefined ? unsaved : text('check.noStart')}
        onClick={() => setStarting(true)}
      >
        {text('check.start')}
      </Button>
      {isStarting && preview !== undefined ? (
        <StartDialog
          review={view.accessReview ?? {}}
          preview={preview}
          onClose={() => setStarting(false)}
          onStart={() => {
            setStarting(false);
            start.mutate({ accessReviewId: reviewId }, refused);
          }}
        />
      ) : null}
    </>
  );
}
