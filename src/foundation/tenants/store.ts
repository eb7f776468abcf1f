/**
 * All SQL of the tenants module. The two tables stand outside row-level security, since they say which tenant a request is for;
 * so these functions take a connection and not a context.
 */
import type { Db } from '../../db/types.ts';

/** A tenant that exists; deleted ones are found by `listTenantIds` alone. */
export interface Tenant {
  readonly id: string;
  /** Its first host, in the normalized spelling; client ids and tokens carry it. */
  readonly host: string;
  readonly displayName: string;
  /** 32 random bytes from which keys for page tokens and signed links are derived. */
  readonly secret: Buffer;
  readonly issuedCredentialsAllowed: boolean;
  readonly createdAt: Date;
}

const columns = `t.tenant_id AS "id", first.host, t.display_name AS "displayName", t.secret,
  t.issued_credentials_allowed AS "issuedCredentialsAllowed", t.created_at AS "createdAt"`;
const source = `tenants t JOIN LATERAL
  (SELECT host FROM tenant_hosts WHERE tenant_id = t.tenant_id ORDER BY created_at, host LIMIT 1) first ON true`;

/** The tenant that one of these hosts belongs to; an earlier host of the list wins. */
export function findTenantByHosts(db: Db, hosts: readonly string[]): Promise<Tenant | undefined> {
  return db.maybe<Tenant>(
    `SELECT ${columns} FROM ${source} JOIN tenant_hosts wanted ON wanted.tenant_id = t.tenant_id
     WHERE wanted.host = ANY ($1) AND t.deleted_at IS NULL
     ORDER BY array_position($1::text[], wanted.host) LIMIT 1`,
    [hosts],
  );
}

/** The tenant with this id. */
export function findTenant(db: Db, tenantId: string): Promise<Tenant | undefined> {
  return db.maybe<Tenant>(`SELECT ${columns} FROM ${source} WHERE t.tenant_id = $1 AND t.deleted_at IS NULL`, [tenantId]);
}

/** All tenants by age. */
export function listTenantRows(db: Db): Promise<Tenant[]> {
  return db.rows<Tenant>(`SELECT ${columns} FROM ${source} WHERE t.deleted_at IS NULL ORDER BY t.tenant_id`, []);
}

/** The ids of all tenants there ever were, deleted ones too: their logs stay. No process works for one that is being erased. */
export function listTenantIds(db: Db): Promise<string[]> {
  return db.column<string>(
    `SELECT t.tenant_id AS id FROM tenants t WHERE NOT EXISTS (SELECT FROM tenant_erasures e WHERE e.tenant_id = t.tenant_id) ORDER BY t.tenant_id`,
    [],
  );
}

/** A tenant out of service. */
export interface DeletedTenant {
  readonly id: string;
  /** The host it was known by. */
  readonly host: string;
  readonly deletedAt: Date;
}

/** The tenants that were deleted and are not erased completely, by age; with a host only those that were known by it. */
export function listDeletedTenants(db: Db, host: string | null = null): Promise<DeletedTenant[]> {
  return db.rows<DeletedTenant>(
    `SELECT t.tenant_id AS id, coalesce(nullif(t.former_host, ''), t.display_name) AS host, t.deleted_at AS "deletedAt" FROM tenants t
     WHERE t.deleted_at IS NOT NULL AND ($1::text IS NULL OR coalesce(nullif(t.former_host, ''), t.display_name) = $1) ORDER BY t.tenant_id`,
    [host],
  );
}

/** The first host of a tenant; undefined where it was deleted. */
export async function findTenantHost(db: Db, tenantId: string): Promise<string | undefined> {
  const sql = `SELECT h.host FROM tenant_hosts h WHERE h.tenant_id = $1 ORDER BY h.created_at, h.host LIMIT 1`;
  return (await db.maybe<{ host: string }>(sql, [tenantId]))?.host;
}

/** The time zone of a tenant, by its name in the IANA data base; UTC unless it was set. */
export async function findTimeZone(db: Db, tenantId: string): Promise<string> {
  return (await db.maybeValue<string>('SELECT time_zone AS "timeZone" FROM tenants WHERE tenant_id = $1', [tenantId])) ?? 'UTC';
}

/** Sets the time zone of a tenant. */
export async function updateTimeZone(db: Db, tenantId: string, timeZone: string): Promise<void> {
  await db.run('UPDATE tenants SET time_zone = $2 WHERE tenant_id = $1', [tenantId, timeZone]);
}

/** Finds a tenant's name; '' where it is gone. */
export async function findDisplayName(db: Db, tenantId: string): Promise<string> {
  const sql = 'SELECT display_name AS "displayName" FROM tenants WHERE tenant_id = $1';
  return (await db.maybe<{ displayName: string }>(sql, [tenantId]))?.displayName ?? '';
}

/** Sets what a tenant is called. */
export async function updateDisplayName(db: Db, tenantId: string, displayName: string): Promise<void> {
  await db.run('UPDATE tenants SET display_name = $2 WHERE tenant_id = $1', [tenantId, displayName]);
}

/** Rule on answers by what a Super Administrator issued (`tenants.issued_answers`). */
export type IssuedAnswers = 'ALWAYS' | 'WITHOUT_OTHER_SIGN_IN' | 'NEVER';

/** Finds a tenant's rule. */
export async function findIssuedAnswers(db: Db, tenantId: string): Promise<IssuedAnswers> {
  const found = await db.maybeValue<IssuedAnswers>('SELECT issued_answers AS "issuedAnswers" FROM tenants WHERE tenant_id = $1', [
    tenantId,
  ]);
  return found ?? 'WITHOUT_OTHER_SIGN_IN';
}

/** Sets when that is. */
export async function updateIssuedAnswers(db: Db, tenantId: string, issuedAnswers: IssuedAnswers): Promise<void> {
  await db.run('UPDATE tenants SET issued_answers = $2 WHERE tenant_id = $1', [tenantId, issuedAnswers]);
}

/** Adds a tenant; CONFLICT where the host is taken at the same moment. */
export async function insertTenant(db: Db, tenant: Tenant): Promise<void> {
  await db.run(
    `INSERT INTO tenants (tenant_id, display_name, secret, issued_credentials_allowed, created_at) VALUES ($1, $2, $3, $4, $5)`,
    [tenant.id, tenant.displayName, tenant.secret, tenant.issuedCredentialsAllowed, tenant.createdAt],
  );
  await db.run(`INSERT INTO tenant_hosts (tenant_id, host, created_at) VALUES ($1, $2, $3)`, [tenant.id, tenant.host, tenant.createdAt]);
}

/** Waits for whoever else is creating or deleting a tenant right now; held until the end of the transaction. */
export async function lockTenantHosts(db: Db): Promise<void> {
  await db.rows(`SELECT pg_advisory_xact_lock(hashtextextended('countersign.tenant_hosts', 0))`, []);
}

/** Marks a tenant deleted and frees its hosts; nothing of its data goes. Says whether there was one. */
export async function removeTenant(db: Db, tenantId: string, now: Date): Promise<boolean> {
  const marked = await db.run(
    `UPDATE tenants SET deleted_at = $2, former_host = coalesce(
       (SELECT h.host FROM tenant_hosts h WHERE h.tenant_id = $1 ORDER BY h.created_at, h.host LIMIT 1), '')
     WHERE tenant_id = $1 AND deleted_at IS NULL`,
    [tenantId, now],
  );
  await db.run(`DELETE FROM tenant_hosts WHERE tenant_id = $1`, [tenantId]);
  return marked > 0;
}

/** Turns credentials that a Super Administrator makes for others on or off. */
export async function updateIssuedCredentialsAllowed(db: Db, tenantId: string, allowed: boolean): Promise<void> {
  await db.run(`UPDATE tenants SET issued_credentials_allowed = $2 WHERE tenant_id = $1`, [tenantId, allowed]);
}

/** Number of Super Administrators that restoring takes (`tenants.restore_takes`). */
export type RestoreTakes = 'ONE' | 'TWO';

/** Finds how many a tenant wants. */
export async function findRestoreTakes(db: Db, tenantId: string): Promise<RestoreTakes> {
  return (await db.maybeValue<RestoreTakes>('SELECT restore_takes AS takes FROM tenants WHERE tenant_id = $1', [tenantId])) ?? 'ONE';
}

/** Sets how many. */
export async function updateRestoreTakes(db: Db, tenantId: string, takes: RestoreTakes): Promise<void> {
  await db.run('UPDATE tenants SET restore_takes = $2 WHERE tenant_id = $1', [tenantId, takes]);
}
