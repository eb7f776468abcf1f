/** Verdicts on the grants of a snapshot: the first filter that leaves one out, in the order in which evidence asks them. Nothing here reads a table. */

/** The verdicts in their order (docs/completeness.md). @public */
export const verdicts = [
  'ENTITLEMENT_NOT_CHOSEN',
  'ACCOUNT_FILTER',
  'ACCOUNT_EXPRESSION',
  'USER_FILTER',
  'USER_EXPRESSION',
  'GRANT_FILTER',
  'CONFLICT',
  'SCOPE',
  'INCLUSION_SCOPE',
  'EXCLUSION_SCOPE',
  'EXCLUDED_SELECTION',
  'IN',
] as const;

/** One of them (`review_verdicts.verdict`). @public */
export type Verdict =
  | 'ENTITLEMENT_NOT_CHOSEN'
  | 'ACCOUNT_FILTER'
  | 'ACCOUNT_EXPRESSION'
  | 'USER_FILTER'
  | 'USER_EXPRESSION'
  | 'GRANT_FILTER'
  | 'CONFLICT'
  | 'SCOPE'
  | 'INCLUSION_SCOPE'
  | 'EXCLUSION_SCOPE'
  | 'EXCLUDED_SELECTION'
  | 'IN';

/** The place of a verdict among all, which stands for it while grants are counted. */
export const placeOf = (verdict: Verdict): number => verdicts.indexOf(verdict);
