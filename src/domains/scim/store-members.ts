/**
 * SQL of who is in which group: the open grants of a group's entitlement to the accounts of users.
 */
import type { Scope } from '../../scope.ts';

/** A user as a member to be. */
export interface MemberRow {
  readonly id: string;
  readonly kind: 'USER' | 'GROUP';
  /** Null for a group, and where the account is gone. */
  readonly accountId: string | null;
}

/** Those of the ids that are live users or groups of the connector, with their accounts. */
export function listMemberRows(scope: Scope, connectorId: string, appId: string, ids: readonly string[]): Promise<MemberRow[]> {
  return scope.db.rows<MemberRow>(
    `SELECT r.id, r.kind, a.id AS "accountId" FROM scim_resources r
     LEFT JOIN accounts a ON a.tenant_id = $1 AND a.app_id = $3 AND a.id = r.account_id AND a.status <> 'DELETED'
     WHERE r.tenant_id = $1 AND r.connector_id = $2 AND r.id = ANY ($4) AND r.deleted_at IS NULL`,
    [scope.tenantId, connectorId, appId, ids],
  );
}

/** Those of the accounts that do not hold the entitlement now. */
export async function listLackingAccounts(
  scope: Scope,
  appId: string,
  entitlementId: string,
  accountIds: readonly string[],
): Promise<string[]> {
  const rows = await scope.db.rows<{ id: string }>(
    `SELECT x.id FROM unnest($4::text[]) AS x (id)
     WHERE NOT EXISTS (SELECT FROM grants g WHERE g.tenant_id = $1 AND g.app_id = $2 AND g.entitlement_id = $3 AND g.account_id = x.id
       AND g.removed_revision IS NULL)`,
    [scope.tenantId, appId, entitlementId, accountIds],
  );
  return rows.map((row) => row.id);
}

/** Accounts that hold the entitlement from this source: those among the ids, or all but those. */
export async function listHoldingAccounts(
  scope: Scope,
  of: { readonly appId: string; readonly entitlementId: string; readonly sourceNo: number },
  accountIds: readonly string[],
  isAllBut: boolean,
): Promise<string[]> {
  const condition = isAllBut
    ? 'NOT EXISTS (SELECT FROM unnest($5::text[]) AS x (id) WHERE x.id = g.account_id)'
    : 'g.account_id = ANY ($5)';
  const rows = await scope.db.rows<{ id: string }>(
    `SELECT g.account_id AS id FROM grants g
     WHERE g.tenant_id = $1 AND g.app_id = $2 AND g.entitlement_id = $3 AND g.source_no = $4 AND g.removed_revision IS NULL AND ${condition}`,
    [scope.tenantId, of.appId, of.entitlementId, of.sourceNo, accountIds],
  );
  return rows.map((row) => row.id);
}

/** A user in a group. */
export interface Membership {
  readonly entitlementId: string;
  readonly accountId: string;
  /** The SCIM id of the other side: of the user for members, of the group for groups. */
  readonly id: string;
  readonly display: string;
}

/** Who holds these entitlements, by user: one entry a member. */
export function listMembers(scope: Scope, connectorId: string, appId: string, entitlementIds: readonly string[]): Promise<Membership[]> {
  return scope.db.rows<Membership>(
    `SELECT g.entitlement_id AS "entitlementId", g.account_id AS "accountId", r.id, r.document ->> 'userName' AS display
     FROM grants g
     JOIN scim_resources r ON r.tenant_id = $1 AND r.account_id = g.account_id AND r.connector_id = $2 AND r.kind = 'USER' AND r.deleted_at IS NULL
     WHERE g.tenant_id = $1 AND g.app_id = $3 AND g.entitlement_id = ANY ($4) AND g.removed_revision IS NULL
     ORDER BY g.entitlement_id, r.id`,
    [scope.tenantId, connectorId, appId, entitlementIds],
  );
}

/** The groups that these accounts are in. */
export function listGroupsOf(scope: Scope, connectorId: string, appId: string, accountIds: readonly string[]): Promise<Membership[]> {
  return scope.db.rows<Membership>(
    `SELECT g.entitlement_id AS "entitlementId", g.account_id AS "accountId", r.id, r.document ->> 'displayName' AS display
     FROM grants g
     JOIN scim_resources r ON r.tenant_id = $1 AND r.entitlement_id = g.entitlement_id AND r.connector_id = $2 AND r.deleted_at IS NULL
     WHERE g.tenant_id = $1 AND g.app_id = $3 AND g.account_id = ANY ($4) AND g.removed_revision IS NULL
     ORDER BY g.account_id, r.id`,
    [scope.tenantId, connectorId, appId, accountIds],
  );
}
