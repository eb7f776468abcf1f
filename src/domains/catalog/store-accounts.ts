/**
 * SQL that reads accounts and who holds what. Both are written by imports alone.
 */
import type { Scope } from '../../scope.ts';
import { type Condition, whereOf } from '../../lib/where.ts';

/** An account of an app. */
export interface AccountRow {
  readonly id: string;
  readonly appId: string;
  /** Its name in the source. */
  readonly externalId: string;
  readonly displayName: string;
  readonly email: string;
  /** Its owner; null where nobody owns it. */
  readonly userId: string | null;
  readonly accountType: 'USER' | 'SERVICE_ACCOUNT' | 'SYSTEM_ACCOUNT';
  readonly status: 'ENABLED' | 'DISABLED' | 'DELETED';
  readonly profile: Record<string, unknown>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
}

const columns = `c.id, c.app_id AS "appId", c.external_id AS "externalId", c.display_name AS "displayName", c.email, c.user_id AS "userId",
  c.account_type AS "accountType", c.status, c.profile, c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.deleted_at AS "deletedAt"`;

/** The account with this id in this app, deleted or not. */
export function findAccount(scope: Scope, appId: string, id: string): Promise<AccountRow | undefined> {
  return scope.db.maybe<AccountRow>(`SELECT ${columns} FROM accounts c WHERE c.tenant_id = $1 AND c.app_id = $2 AND c.id = $3`, [
    scope.tenantId,
    appId,
    id,
  ]);
}

/** The accounts with these ids by id, whatever their app, deleted or not. */
export async function listAccountsByIds(scope: Scope, ids: readonly string[]): Promise<Map<string, AccountRow>> {
  const rows = await scope.db.rows<AccountRow>(`SELECT ${columns} FROM accounts c WHERE c.tenant_id = $1 AND c.id = ANY ($2)`, [
    scope.tenantId,
    [...new Set(ids)],
  ]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Which accounts; a member that is undefined filters nothing. Those of deleted apps are never among them. */
export interface AccountFilter {
  readonly appId?: string | undefined;
  readonly appIds?: readonly string[] | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly excludeIds?: readonly string[] | undefined;
  /** 'app id/account id'. */
  readonly refs?: readonly string[] | undefined;
  readonly userIds?: readonly string[] | undefined;
  readonly types?: readonly string[] | undefined;
  /** Where undefined, all but deleted ones. */
  readonly statuses?: readonly string[] | undefined;
  /** Only those that nobody owns. */
  readonly isUnowned?: true | undefined;
  /** Part of its name, of its name in the source, or of its mail address. */
  readonly query?: string | undefined;
}

const conditions: Record<keyof AccountFilter, Condition> = {
  appId: { sql: 'c.app_id = ?' },
  appIds: { sql: 'c.app_id = ANY (?)' },
  ids: { sql: 'c.id = ANY (?)' },
  excludeIds: { sql: 'c.id <> ALL (?)' },
  refs: { sql: `c.app_id || '/' || c.id = ANY (?)` },
  userIds: { sql: 'c.user_id = ANY (?)' },
  types: { sql: 'c.account_type = ANY (?)' },
  statuses: { sql: 'c.status = ANY (?)' },
  isUnowned: { sql: '(?::boolean AND c.user_id IS NULL)' },
  query: { sql: '(c.external_id ILIKE ? OR c.display_name ILIKE ? OR c.email ILIKE ?)', isText: true },
};

/** The place in a list of accounts: by id, or by app and then id. */
export interface AccountPlace {
  readonly byApp: boolean;
  /** '' before the first. */
  readonly appId: string;
  readonly id: string;
}

/** A page of accounts after a place. */
export function listAccounts(scope: Scope, filter: AccountFilter, after: AccountPlace, limit: number): Promise<AccountRow[]> {
  const values: unknown[] = [scope.tenantId, after.id, limit];
  const where = [
    'c.tenant_id = $1',
    'EXISTS (SELECT FROM apps p WHERE p.tenant_id = $1 AND p.id = c.app_id AND p.deleted_at IS NULL)',
    ...whereOf(filter, conditions, values),
  ];
  if (filter.statuses === undefined) {
    where.push(`c.status <> 'DELETED'`);
  }
  if (after.byApp) {
    values.push(after.appId);
    where.push(`(c.app_id, c.id) > ($${values.length}, $2)`);
  } else {
    where.push('c.id > $2');
  }
  const order = after.byApp ? 'c.app_id, c.id' : 'c.id';
  return scope.db.rows<AccountRow>(`SELECT ${columns} FROM accounts c WHERE ${where.join(' AND ')} ORDER BY ${order} LIMIT $3`, values);
}

/** A grant, with its history: it was there from `createdAt` until `endedAt`. */
export interface GrantRow {
  readonly accountId: string;
  /** Tells the lives of one grant apart. */
  readonly addedRevision: number;
  readonly grantedAt: Date | null;
  readonly lastUsedAt: Date | null;
  /** When we first saw it. */
  readonly createdAt: Date;
  /** When we saw it gone; null while it is there. */
  readonly endedAt: Date | null;
}

const grantColumns = `g.account_id AS "accountId", g.added_revision AS "addedRevision", g.granted_at AS "grantedAt", g.last_used_at AS "lastUsedAt",
  g.created_at AS "createdAt", g.ended_at AS "endedAt"`;

/** A page of an entitlement's open grants by account. */
export function listOpenGrants(scope: Scope, appId: string, entitlementId: string, after: string, limit: number): Promise<GrantRow[]> {
  return scope.db.rows<GrantRow>(
    `SELECT ${grantColumns} FROM grants g
     WHERE g.tenant_id = $1 AND g.app_id = $2 AND g.entitlement_id = $3 AND g.account_id > $4 AND g.removed_revision IS NULL
     ORDER BY g.account_id LIMIT $5`,
    [scope.tenantId, appId, entitlementId, after, limit],
  );
}

/** A page of an entitlement's grants, ended ones too, by account and then by when they came. */
export function listGrants(
  scope: Scope,
  appId: string,
  entitlementId: string,
  after: { accountId: string; addedRevision: number },
  limit: number,
): Promise<GrantRow[]> {
  return scope.db.rows<GrantRow>(
    `SELECT ${grantColumns} FROM grants g
     WHERE g.tenant_id = $1 AND g.app_id = $2 AND g.entitlement_id = $3 AND (g.account_id, g.added_revision) > ($4, $5)
     ORDER BY g.account_id, g.added_revision LIMIT $6`,
    [scope.tenantId, appId, entitlementId, after.accountId, after.addedRevision, limit],
  );
}
