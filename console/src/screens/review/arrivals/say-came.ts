/** What came into the scope of a review after its snapshot, in one sentence or two. */
import { count } from '~/data/count.ts';
import type { ReplyOf } from '~/data/query.ts';
import { text } from '~/text/text.ts';

export type ArrivalCounts = NonNullable<ReplyOf<'ReviewArrivalService.Get'>['counts']>;

export function sayCame({ counted, final, arrived, unasked }: ArrivalCounts): string {
  const came = count(arrived);
  if (counted !== true) {
    return text('arrivals.uncounted');
  }
  if (came === 0) {
    return text(final === true ? 'arrivals.noneCame' : 'arrivals.noneYet');
  }
  return count(unasked) === 0
    ? text('arrivals.allSupplemented', { count: came })
    : text('arrivals.came', { count: came, unasked: count(unasked) });
}
