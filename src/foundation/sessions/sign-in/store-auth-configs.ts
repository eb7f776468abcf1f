/** SQL of the identity providers of a tenant, and of who somebody is at them: the tables `auth_configs` and `external_identities`. */
import type { Context } from '../../../context.ts';
import type { TenantAuthConfigJson } from '../../../gen/c1/api/auth_config/v1/auth_config_pb.js';
import { sql } from '../../../lib/sql.ts';

/** A provider as it is kept. */
export interface AuthConfigRow {
  readonly id: string;
  /** Without the secret. */
  readonly document: TenantAuthConfigJson;
  /** Sealed; empty for none. */
  readonly clientSecret: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const columns = sql`c.id, c.document, c.client_secret AS "clientSecret", c.created_at AS "createdAt", c.updated_at AS "updatedAt"`;

/** The provider with this id. */
export function findAuthConfig(context: Context, id: string): Promise<AuthConfigRow | undefined> {
  return context.db.maybe<AuthConfigRow>(
    sql`SELECT ${columns} FROM auth_configs c WHERE c.tenant_id = ${context.tenantId} AND c.id = ${id}`,
  );
}

/** The same, held against other writers until the end of the transaction. */
export function lockAuthConfig(context: Context, id: string): Promise<AuthConfigRow | undefined> {
  return context.db.maybe<AuthConfigRow>(
    sql`SELECT ${columns} FROM auth_configs c WHERE c.tenant_id = ${context.tenantId} AND c.id = ${id} FOR UPDATE`,
  );
}

/** The same, held against being changed or removed until then, while others may hold it as well. */
export function lockAuthConfigShared(context: Context, id: string): Promise<AuthConfigRow | undefined> {
  return context.db.maybe<AuthConfigRow>(
    sql`SELECT ${columns} FROM auth_configs c WHERE c.tenant_id = ${context.tenantId} AND c.id = ${id} FOR SHARE`,
  );
}

/** Providers by age. */
export function listAuthConfigs(context: Context, after: string, limit: number): Promise<AuthConfigRow[]> {
  return context.db.rows<AuthConfigRow>(
    sql`SELECT ${columns} FROM auth_configs c WHERE c.tenant_id = ${context.tenantId} AND c.id > ${after} ORDER BY c.id LIMIT ${limit}`,
  );
}

/** Adds a provider. */
export async function insertAuthConfig(context: Context, row: Pick<AuthConfigRow, 'id' | 'document' | 'clientSecret'>): Promise<void> {
  await context.db.run(
    sql`INSERT INTO auth_configs (tenant_id, id, document, client_secret, created_at, updated_at)
      VALUES (${context.tenantId}, ${row.id}, ${JSON.stringify(row.document)}, ${row.clientSecret}, ${context.now}, ${context.now})`,
  );
}

/** Replaces what a provider says. */
export async function updateAuthConfig(context: Context, row: Pick<AuthConfigRow, 'id' | 'document' | 'clientSecret'>): Promise<void> {
  await context.db.run(
    sql`UPDATE auth_configs SET document = ${JSON.stringify(row.document)}, client_secret = ${row.clientSecret}, updated_at = ${context.now}
      WHERE tenant_id = ${context.tenantId} AND id = ${row.id}`,
  );
}

/** Removes a provider and the sign-ins that are with it. */
export async function removeAuthConfig(context: Context, id: string): Promise<void> {
  await context.db.run(sql`DELETE FROM sign_in_states WHERE tenant_id = ${context.tenantId} AND auth_config_id = ${id}`);
  await context.db.run(sql`DELETE FROM auth_configs WHERE tenant_id = ${context.tenantId} AND id = ${id}`);
}

/** Subject of an issuer, as it was linked to a person. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly userId: string;
  /** Address that the person had when it was linked. */
  readonly address: string;
}

/** Link of a subject, and how often the address of its person changed since, as far as that is remembered. */
export interface KnownIdentity extends Pick<Identity, 'userId' | 'address'> {
  readonly changes: number;
}

/** Finds who the subject of an issuer is here; undefined before their first sign-in. */
export function findIdentity(context: Context, issuer: string, subject: string): Promise<KnownIdentity | undefined> {
  return context.db.maybe<KnownIdentity>(
    sql`SELECT e.user_id AS "userId", e.address, (SELECT count(*) FROM address_changes m WHERE m.tenant_id = e.tenant_id
          AND m.user_id = e.user_id AND m.changed_at >= e.created_at)::int AS changes
      FROM external_identities e WHERE e.tenant_id = ${context.tenantId} AND e.issuer = ${issuer} AND e.subject = ${subject}`,
  );
}

/** Remembers who the subject of an issuer is here. */
export async function updateIdentity(context: Context, { issuer, subject, userId, address }: Identity): Promise<void> {
  await context.db.run(
    sql`INSERT INTO external_identities (tenant_id, issuer, subject, user_id, address, created_at)
      VALUES (${context.tenantId}, ${issuer}, ${subject}, ${userId}, ${address}, ${context.now})
      ON CONFLICT (tenant_id, issuer, subject)
        DO UPDATE SET user_id = excluded.user_id, address = excluded.address, created_at = excluded.created_at`,
  );
}
