/** Bar of actions on the reviewers that are selected: remind them. It stays in sight at the foot of the page. */
import { errorMessage, useAct } from '~/data/act.ts';
import { ofReviews } from '~/data/reviews/review.ts';
import { Button } from '~/parts/controls/button.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { text } from '~/text/text.ts';
import { sayReminded } from './say-reminded.ts';
import styles from '~/screens/review/progress/progress.module.css';

/** Most people that one reminder names. */
const maxNamed = 100;

interface RemindBarProps {
  readonly reviewId: string;
  readonly userIds: readonly string[];
  readonly onDone: () => void;
}

export function RemindBar({ reviewId, userIds, onDone }: RemindBarProps) {
  const remind = useAct('ReviewActionsService.Remind', ...ofReviews, 'ReviewProgressService.ListReviewers');
  const send = () =>
    remind.mutate(
      { accessReviewId: reviewId, userIds: [...userIds] },
      {
        onSuccess: (reply) => {
          toast(sayReminded(reply));
          onDone();
        },
        onError: (error) => toast(errorMessage(error)),
      },
    );
  return (
    <section className={styles.selection} aria-label={text('review.selection')}>
      <Button
        variant="primary"
        icon="bell"
        busy={remind.isPending}
        disabledReason={userIds.length > maxNamed ? text('review.tooManyToRemind', { most: maxNamed }) : undefined}
        onClick={send}
      >
        {text('review.remindSome', { count: userIds.length })}
      </Button>
      <Button variant="quiet" onClick={onDone}>
        {text('review.clearSelection')}
      </Button>
    </section>
  );
}
