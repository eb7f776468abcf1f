/** What became of the denied items of a review, in words: the parts of their number, without those in which there are none. */
import { count } from '~/data/count.ts';
import type { Progress } from '~/data/reviews/review.ts';
import { text } from '~/text/text.ts';

export function sayRemovalSums(removals: Progress['removals']): string[] {
  const [total, proven, open, held, withdrawn] = (['total', 'proven', 'open', 'held', 'withdrawn'] as const).map((part) =>
    count(removals?.[part]),
  ) as [number, number, number, number, number];
  const said = [
    [proven, 'removal.sumProven'],
    [open, 'removal.sumOpen'],
    [count(removals?.overdue), 'removal.sumOverdue'],
    [held, 'removal.sumHeld'],
    [withdrawn, 'removal.sumWithdrawn'],
    [total - proven - open - held - withdrawn, 'removal.sumOthers'],
  ] as const;
  return said.filter(([many]) => many > 0).map(([many, key]) => text(key, { count: many }));
}
