/** The steps of a review before it runs: prepare, start, or back to a draft. Each shows real progress afterwards. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Button } from '../../parts/button.tsx';
import { ButtonLink } from '../../parts/button-link.tsx';
import { toast } from '../../parts/toast.tsx';
import { messageOf, useAct } from '../../data/act.ts';
import { mayDo, ofReviews, type ReviewView, type Stage } from '../../data/review.ts';
import { text } from '../../text/text.ts';

interface ActionsProps {
  readonly reviewId: string;
  readonly view: ReviewView;
  readonly stage: Stage;
}

const stale = [...ofReviews, 'ReviewSelectionService.Preview', 'ReviewAccuracyService.GetAccuracy'] as const;

function warn({ warnings }: { readonly warnings?: readonly string[] }): void {
  for (const warning of warnings ?? []) {
    toast(warning);
  }
}

export function Actions({ reviewId, view, stage }: ActionsProps) {
  const navigate = useNavigate();
  const prepare = useAct('ReviewActionsService.Prepare', ...stale);
  const start = useAct('ReviewActionsService.Start', ...stale);
  const reset = useAct('ReviewActionsService.Reset', ...stale);
  const refused = { onError: (error: unknown) => void toast(messageOf(error)) };
  const wasStarted = useRef(false);
  useEffect(() => {
    wasStarted.current ||= stage === 'starting' || start.isSuccess;
    if (wasStarted.current && (stage === 'running' || stage === 'late')) {
      void navigate({ to: `/reviews/${reviewId}/progress` as string });
    }
  }, [stage, start.isSuccess, navigate, reviewId]);
  if (stage === 'running' || stage === 'late' || stage === 'closed') {
    return <ButtonLink to={`/reviews/${reviewId}/progress`}>{text('check.toProgress')}</ButtonLink>;
  }
  if (!view.objectPermissions?.edit) {
    return null;
  }
  return stage === 'draft' ? (
    <>
      <ButtonLink to={`/reviews/${reviewId}/edit/scope`} variant="quiet">
        {text('check.edit')}
      </ButtonLink>
      <Button
        variant="primary"
        busy={prepare.isPending}
        onClick={() => prepare.mutate({ accessReviewId: reviewId }, { ...refused, onSuccess: warn })}
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
        disabledReason={mayDo(view, 'start') ? undefined : text('check.noStart')}
        onClick={() => start.mutate({ accessReviewId: reviewId }, { ...refused, onSuccess: warn })}
      >
        {text('check.start')}
      </Button>
    </>
  );
}
