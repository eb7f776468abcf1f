/** What can be done with the reviewers that are selected: remind them. It stays in sight at the foot of the page. */
import { messageOf, useAct } from '../../data/act.ts';
import { count } from '../../data/count.ts';
import { ofReviews } from '../../data/review.ts';
import { Button } from '../../parts/button.tsx';
import { toast } from '../../parts/toast.tsx';
import { text } from '../../text/text.ts';
import styles from './progress.module.css';

/** Most people that one reminder names. */
const mostNamed = 100;

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
        onSuccess: ({ people }) => {
          toast(text('review.remindedPeople', { count: count(people) }));
          onDone();
        },
        onError: (error) => toast(messageOf(error)),
      },
    );
  return (
    <section className={styles.selection} aria-label={text('review.selection')}>
      <Button
        variant="primary"
        icon="bell"
        busy={remind.isPending}
        disabledReason={userIds.length > mostNamed ? text('review.tooManyToRemind', { most: mostNamed }) : undefined}
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
