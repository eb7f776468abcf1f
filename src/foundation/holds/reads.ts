/**
 * Data other modules may read of legal holds: a view for each interface, made by a migration, and functions. The columns are compared with the
 * schema (test/schema.test.ts).
 */

/** `holds_standing`: a legal hold that is not lifted; `review_id` is '' for one on the tenant. `legal_holds_standing` answers by review. */
export interface HoldStanding {
  readonly tenant_id: string;
  readonly id: string;
  readonly review_id: string;
  readonly reason: string;
  readonly set_by_id: string;
  readonly set_at: Date;
}

/** The hold that a review is shown with. */
export interface StandingHold {
  readonly id: string;
  readonly reason: string;
  readonly setById: string;
  readonly setAt: string;
  readonly isOfTenant: boolean;
}

/**
 * Returns a column of the hold on a review (`StandingHold`): its own oldest one, else the tenant's; null where none stands. Both arguments are
 * pieces of the statement it stands in: a placeholder, and a column. `legal_holds_standing` answers.
 */
export function getHoldOfReview(tenant: string, id: string): string {
  return `(SELECT jsonb_build_object('id', h.id, 'reason', h.reason, 'setById', h.set_by_id, 'setAt', h.set_at, 'isOfTenant', h.review_id = '')
    FROM holds_standing h WHERE h.tenant_id = ${tenant} AND h.review_id IN (${id}, '') ORDER BY h.review_id = '', h.id LIMIT 1)`;
}
