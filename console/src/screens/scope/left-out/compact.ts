/** Criteria of grants without what says nothing. */
import type { Review } from '~/data/reviews/review.ts';

type Criteria = NonNullable<NonNullable<Review['scopeV2']>['grantsByCriteria']>;

/** The criteria that say something; undefined where none does. */
export function compact(criteria: Criteria): Criteria | undefined {
  const said = Object.fromEntries(
    Object.entries(criteria).filter(([, value]) => value !== undefined && value !== '' && !String(value).endsWith('_UNSPECIFIED')),
  ) as Criteria;
  return Object.keys(said).length === 0 ? undefined : said;
}
