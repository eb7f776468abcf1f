/** Grants each clause of a scope leaves out, by the filters that a preview counts. Pure. */
import { count } from '~/data/count.ts';
import type { Preview } from '~/data/reviews/review.ts';

export type ClauseName = 'askAbout' | 'heldBy' | 'through' | 'given' | 'leaveOut' | 'older';

/** Clause that says what a filter of the preview leaves out. */
const clauseOf: Readonly<Record<string, Exclude<ClauseName, 'askAbout'>>> = {
  EXCLUDED_BY_LIST: 'leaveOut',
  EXCLUSION_SCOPE: 'leaveOut',
  LEGACY: 'older',
  ACCOUNT: 'through',
  ACCOUNT_CEL: 'through',
  UNOWNED: 'heldBy',
  USER: 'heldBy',
  USER_CEL: 'heldBy',
  CEL_ERROR: 'heldBy',
  GRANT: 'given',
};

/** The grants that are asked about by what was chosen, and for each other clause how many it leaves out, 0 or less. */
export function countClauses(preview: Pick<Preview, 'funnel'>): Readonly<Record<ClauseName, number>> {
  const counts = { askAbout: 0, heldBy: 0, through: 0, given: 0, leaveOut: 0, older: 0 };
  for (const { filter = '', grants } of preview.funnel ?? []) {
    const clause = clauseOf[filter];
    if (clause !== undefined) {
      counts[clause] -= count(grants);
    }
    if (filter !== 'NOT_CHOSEN') {
      counts.askAbout += count(grants);
    }
  }
  return counts;
}
