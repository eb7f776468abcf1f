/** Doing something to items of a review, one after the other: what is behind, what was refused, and the rest for the next press. */
import { useState } from 'react';
import { announceError } from '~/app/announce.ts';
import type { Item } from '~/app/reviews/item.ts';
import { actOnEach, type NotDone } from '~/data/act-on-each.ts';
import { forget } from '~/data/query.ts';
import { ofReviews } from '~/data/reviews/review.ts';
import { text } from '~/text/text.ts';
import { toast } from '~/parts/over/toast.tsx';

/** For a dialog that is made anew for each opening. `onDone` hears what was done after each press, `onClose` that nothing is left. */
export function useActOnItems(items: readonly Item[], onDone: (ids: readonly string[]) => void, onClose: () => void) {
  const [left, setLeft] = useState(items);
  const [behind, setBehind] = useState<number>();
  const [done, setDone] = useState(0);
  const [notDone, setNotDone] = useState<readonly NotDone<Item>[]>([]);
  const run = async (act: (item: Item) => Promise<unknown>): Promise<void> => {
    if (behind !== undefined) {
      return;
    }
    setNotDone([]);
    const outcome = await actOnEach(left, act, setBehind);
    await forget('TaskService.Search', 'ReviewProgressService.ListReviewers', ...ofReviews);
    const all = done + outcome.done.length;
    setDone(all);
    setLeft(outcome.notDone.map(({ one }) => one));
    setNotDone(outcome.notDone);
    setBehind(undefined);
    onDone(outcome.done.map(({ id }) => id));
    if (outcome.notDone.length > 0) {
      announceError(text('review.actRefused', { count: outcome.notDone.length }));
    } else {
      toast(text('review.actDone', { count: all }));
      onClose();
    }
  };
  return { left, behind, done, notDone, run };
}
