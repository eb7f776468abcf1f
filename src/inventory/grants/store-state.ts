/**
 * SQL that reads what changes of grants are decided by: one grant, the accounts that people have in an app, where things come from.
 */
import type { Context } from '../../context.ts';

/** Facts of an entitlement that a rule needs before its grants are changed. */
export interface EntitlementState {
  readonly isManual: boolean;
  readonly isAppAccess: boolean;
}

/** An entitlement that is there; undefined for none and for a deleted one. */
export function findEntitlementState(context: Context, appId: string, id: string): Promise<EntitlementState | undefined> {
  return context.db.maybe<EntitlementState>(
    `SELECT is_manual AS "isManual", is_app_access AS "isAppAccess" FROM entitlements_public
     WHERE tenant_id = $1 AND app_id = $2 AND id = $3 AND deleted_at IS NULL`,
    [context.tenantId, appId, id],
  );
}

/** An open grant, with the sources of itself and of its account. */
export interface GrantState {
  readonly sourceNo: number;
  readonly accountSourceNo: number;
  readonly deprovisionAt: Date | null;
}

/** The open grant of an entitlement to an account. */
export function findOpenGrant(context: Context, appId: string, entitlementId: string, accountId: string): Promise<GrantState | undefined> {
  return context.db.maybe<GrantState>(
    `SELECT g.source_no AS "sourceNo", a.source_no AS "accountSourceNo", g.deprovision_at AS "deprovisionAt"
     FROM grants_held g JOIN accounts_public a ON a.tenant_id = $1 AND a.app_id = g.app_id AND a.id = g.account_id
     WHERE g.tenant_id = $1 AND g.app_id = $2 AND g.entitlement_id = $3 AND g.account_id = $4`,
    [context.tenantId, appId, entitlementId, accountId],
  );
}

/** The name of an app's source; '' where its record is not there. */
export async function findSourceName(context: Context, appId: string, sourceNo: number): Promise<string> {
  const found = await context.db.maybeValue<string>(
    'SELECT display_name AS name FROM sources_public WHERE tenant_id = $1 AND app_id = $2 AND source_no = $3',
    [context.tenantId, appId, sourceNo],
  );
  return found ?? '';
}

/** A person an account may be made for, and the live account they use: the one that holds the entitlement, else their best. */
export interface CandidateRow {
  readonly userId: string;
  /** In lower case. */
  readonly email: string;
  readonly displayName: string;
  readonly isPerson: boolean;
  /** Null where they have none in this app. */
  readonly accountId: string | null;
  readonly holds: boolean;
}

/**
 * Those of the people who are there, with their account in the app: one that holds the entitlement already, else an enabled one before
 * others, a person's before a service's, the oldest first.
 */
export function listCandidates(
  context: Context,
  appId: string,
  entitlementId: string,
  userIds: readonly string[],
): Promise<CandidateRow[]> {
  return context.db.rows<CandidateRow>(
    `SELECT u.id AS "userId", u.email_key AS email, u.display_name AS "displayName", u.user_type = 'HUMAN' AS "isPerson", a.id AS "accountId",
       coalesce(a.holds, false) AS holds
     FROM users_public u
     LEFT JOIN LATERAL (
       SELECT c.id, EXISTS (SELECT FROM grants_held g WHERE g.tenant_id = $1 AND g.app_id = $2 AND g.entitlement_id = $3 AND g.account_id = c.id) AS holds
       FROM accounts_public c WHERE c.tenant_id = $1 AND c.user_id = u.id AND c.app_id = $2 AND c.status <> 'DELETED'
       ORDER BY holds DESC, c.status = 'ENABLED' DESC, c.account_type = 'USER' DESC, c.id LIMIT 1) AS a ON true
     WHERE u.tenant_id = $1 AND u.id = ANY ($4) AND u.status <> 'DELETED'`,
    [context.tenantId, appId, entitlementId, userIds],
  );
}

/** Those of the keys of names that accounts of the app have which are not deleted. */
export async function listNamesInUse(context: Context, appId: string, keys: readonly string[]): Promise<Set<string>> {
  return new Set(
    await context.db.column<string>(
      `SELECT external_key AS name FROM accounts_public WHERE tenant_id = $1 AND app_id = $2 AND external_key = ANY ($3) AND status <> 'DELETED'`,
      [context.tenantId, appId, keys],
    ),
  );
}
