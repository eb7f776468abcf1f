/** Says how many people a reminder reached, and who was left out of it. */
import { count } from '~/data/count.ts';
import type { ReplyOf } from '~/data/query.ts';
import { text } from '~/text/text.ts';

export function sayReminded({ people, leftOut, notAsked, warnings = [] }: ReplyOf<'ReviewActionsService.Remind'>): string {
  return [
    text('review.remindedPeople', { count: count(people) }),
    ...(count(leftOut) === 0 ? [] : [text('review.remindedBefore', { count: count(leftOut) })]),
    ...(count(notAsked) === 0 ? [] : [text('review.remindedNothing', { count: count(notAsked) })]),
    ...(warnings.length === 0 ? [] : [text('review.remindsNobody')]),
  ].join(' ');
}
