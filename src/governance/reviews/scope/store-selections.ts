/**
 * SQL that reads the items of a prepared review with the people asked about each.
 */
import type { Context } from '../../../context.ts';
import type { PrincipalKind } from '../../snapshots/index.ts';

/** An item of a prepared review; its id is its task's. */
export interface SelectionRow {
  readonly id: string;
  readonly appId: string;
  readonly entitlementId: string;
  /** Of the account, or of the resource that passes the entitlement on. */
  readonly accountId: string;
  readonly principalKind: PrincipalKind;
  readonly userId: string | null;
  readonly reviewerIds: readonly string[];
  readonly reason: string;
  readonly policyId: string;
  readonly grantedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** A page of items by id. The cost is that of the page, however deep. */
export function listSelections(context: Context, reviewId: string, after: string, limit: number): Promise<SelectionRow[]> {
  return context.db.rows<SelectionRow>(
    `SELECT t.id, t.app_id AS "appId", t.entitlement_id AS "entitlementId", t.account_id AS "accountId", t.principal_kind AS "principalKind", t.user_id AS "userId",
       coalesce(s.user_ids, '{}') AS "reviewerIds", coalesce(s.reason, '') AS reason, t.policy_id AS "policyId",
       t.granted_at AS "grantedAt", t.last_used_at AS "lastUsedAt"
     FROM (SELECT * FROM tasks_public x WHERE x.tenant_id = $1 AND x.review_id = $2 AND x.id > $3 ORDER BY x.id LIMIT $4) t
     LEFT JOIN assignments_public s ON s.tenant_id = $1 AND s.id = t.assignment_id
     ORDER BY t.id`,
    [context.tenantId, reviewId, after, limit],
  );
}
