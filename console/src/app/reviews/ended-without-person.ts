/** The items of a review that no person decided in it, in words: what ended each of them instead. */
import { count } from '~/data/count.ts';
import { text } from '~/text/text.ts';

/** The counts of a review, or of a part of one, as the API gives them. */
export interface EndedCounts {
  readonly cancelled?: string | undefined;
  readonly withoutOutcome?: string | undefined;
  readonly byPolicy?: string | undefined;
  readonly carried?: string | undefined;
  readonly revokedAtClose?: string | undefined;
  readonly skipped?: string | undefined;
}

/** One phrase for each way in which an item ended without a person; the ways in which none did are left out. */
export function sayEndedWithoutPerson(counts: EndedCounts | undefined): string[] {
  const said = [
    [count(counts?.skipped), 'ended.skippedAtClose'],
    [count(counts?.revokedAtClose), 'ended.revokedAtClose'],
    [count(counts?.byPolicy), 'ended.byPolicy'],
    [count(counts?.carried), 'ended.carried'],
    [count(counts?.cancelled) - count(counts?.skipped), 'ended.gone'],
    [count(counts?.withoutOutcome), 'ended.withoutOutcome'],
  ] as const;
  return said.filter(([many]) => many > 0).map(([many, key]) => text(key, { count: many }));
}
