/** Doing something to items of a review, one after the other: what is behind, what was refused, and the rest for the next press. */
import { announceError } from '~/app/announce.ts';
import { useActOnEach } from '~/app/forms/use-act-on-each.ts';
import type { Item } from '~/app/reviews/item.ts';
import { forget } from '~/data/query.ts';
import { ofReviews } from '~/data/reviews/review.ts';
import { text } from '~/text/text.ts';
import { toast } from '~/parts/over/toast.tsx';

/** For a dialog that is made anew for each opening. `onDone` hears what was done after each press, `onClose` that nothing is left. */
export function useActOnItems(items: readonly Item[], onDone: (ids: readonly string[]) => void, onClose: () => void) {
  const { run: runOnce, ...state } = useActOnEach(items);
  const run = async (act: (item: Item) => Promise<unknown>): Promise<void> => {
    const onActed = () => forget('TaskService.Search', 'ReviewProgressService.ListReviewers', ...ofReviews);
    const outcome = await runOnce({ act, onActed });
    if (outcome === undefined) {
      return;
    }
    onDone(outcome.done.map(({ id }) => id));
    if (outcome.notDone.length > 0) {
      announceError(text('review.actRefused', { count: outcome.notDone.length }));
    } else {
      toast(text('review.actDone', { count: outcome.count }));
      onClose();
    }
  };
  return { ...state, run };
}
