/** How many of the items that ask somebody a person decided, in words; of who is asked nothing, what they decided for others. */
import { count } from '~/data/count.ts';
import type { ReplyOf } from '~/data/query.ts';
import { number } from '~/text/format.ts';
import { text } from '~/text/text.ts';

export type ReviewerRow = NonNullable<ReplyOf<'ReviewProgressService.ListReviewers'>['list']>[number];

export function sayDecidedOf({ asked, decided, approvals, denials }: ReviewerRow): string {
  return count(asked) === 0
    ? text('review.forOthers', { count: count(approvals) + count(denials) })
    : text('review.of', { part: number(count(decided)), whole: number(count(asked)) });
}
