/** How far a review is, in words: what people decided, what is open, and who or what ended the other items. */
import type { PartProgressJson } from '../../gen/countersign/v1/review_progress_pb.js';
import type { ReviewCountsJson } from '../../gen/countersign/v1/review_pb.js';
import { count } from '../frame/io.ts';

/** A count and its noun: "1 item", "2 items". */
export const countOf = (value: string | number | undefined, one: string, many = `${one}s`): string =>
  `${count(value)} ${Number(value ?? 0) === 1 ? one : many}`;

/** Counts items that ended without a person who decided them. */
export const countOtherwise = ({ total, byPeople }: ReviewCountsJson | PartProgressJson, open: string | undefined): number =>
  Number(total ?? 0) - Number(open ?? 0) - Number(byPeople ?? 0);

/** One line of what people decided and what is open, and one of the others where there are any. */
export function sayCounts(counts: ReviewCountsJson): string[] {
  const { total, undecided, byPeople, deniedByPeople } = counts;
  const others: readonly (readonly [value: string | number | undefined, words: string])[] = [
    [counts.byPolicy, 'decided by a policy'],
    [counts.carried, 'carried over from an earlier review'],
    [counts.skipped, 'skipped by the close'],
    [counts.revokedAtClose, 'revoked by the close'],
    [Number(counts.cancelled ?? 0) - Number(counts.skipped ?? 0), 'ended because the access was gone or somebody cancelled it'],
    [counts.withoutOutcome, 'without an outcome'],
  ];
  const said = others.flatMap(([value, words]) => (Number(value ?? 0) === 0 ? [] : [`${count(value)} ${words}`]));
  const certified = Number(byPeople ?? 0) - Number(deniedByPeople ?? 0);
  return [
    `${count(byPeople)} of ${countOf(total, 'item')} decided by a person: ${count(certified)} certified, ${count(deniedByPeople)} denied; ${count(undecided)} open`,
    ...(said.length === 0 ? [] : [`not decided by a person: ${said.join(', ')}`]),
  ];
}
