/** SQL of the identity providers at which people prove anew who they are: the table `step_up_providers`. */
import type { Context } from '../../../context.ts';
import type { ProviderDocument } from './provider-document.ts';
import { empty, sql } from '../../../lib/sql.ts';

/** A provider as it is kept. */
export interface StepUpProviderRow {
  readonly id: string;
  /** Without the secret. */
  readonly document: ProviderDocument;
  /** Sealed; empty for none. */
  readonly clientSecret: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lastTestedAt: Date | null;
}

const columns = sql`p.id, p.document, p.client_secret AS "clientSecret", p.created_at AS "createdAt", p.updated_at AS "updatedAt",
  p.last_tested_at AS "lastTestedAt"`;

/** Returns the provider with this id. */
export function findProvider({ db, tenantId }: Context, id: string): Promise<StepUpProviderRow | undefined> {
  return db.maybe(sql`SELECT ${columns} FROM step_up_providers p WHERE p.tenant_id = ${tenantId} AND p.id = ${id}`);
}

/** Returns the same, held against other writers until the end of the transaction. */
export function lockProvider({ db, tenantId }: Context, id: string): Promise<StepUpProviderRow | undefined> {
  return db.maybe(sql`SELECT ${columns} FROM step_up_providers p WHERE p.tenant_id = ${tenantId} AND p.id = ${id} FOR UPDATE`);
}

/** Providers to look for. */
export interface ProviderFilter {
  /** The member of their documents that their kind has. */
  readonly kind?: 'oauth2' | 'microsoft' | undefined;
  /** Part of the name, in whatever case. */
  readonly query?: string;
  readonly ids?: readonly string[] | undefined;
}

/** Lists providers by age. */
export function listProviders(
  { db, tenantId }: Context,
  { kind, query = '', ids }: ProviderFilter,
  after: string,
  limit: number,
): Promise<StepUpProviderRow[]> {
  return db.rows(
    sql`SELECT ${columns} FROM step_up_providers p WHERE p.tenant_id = ${tenantId} AND p.id > ${after}
      ${kind === undefined ? empty : sql`AND jsonb_exists(p.document, ${kind})`}
      ${query === '' ? empty : sql`AND strpos(lower(p.document ->> 'displayName'), ${query.toLowerCase()}) > 0`}
      ${ids === undefined ? empty : sql`AND p.id = ANY (${ids})`}
      ORDER BY p.id LIMIT ${limit}`,
  );
}

/** Maps ids of providers to their names. */
export async function mapProviderNames({ db, tenantId }: Context, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.rows<{ id: string; name: string }>(
    sql`SELECT p.id, p.document ->> 'displayName' AS name FROM step_up_providers p WHERE p.tenant_id = ${tenantId} AND p.id = ANY (${ids})`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Adds a provider. */
export async function insertProvider(
  { db, tenantId, now }: Context,
  row: Pick<StepUpProviderRow, 'id' | 'document' | 'clientSecret'>,
): Promise<void> {
  await db.run(
    sql`INSERT INTO step_up_providers (tenant_id, id, document, client_secret, created_at, updated_at)
      VALUES (${tenantId}, ${row.id}, ${JSON.stringify(row.document)}, ${row.clientSecret}, ${now}, ${now})`,
  );
}

/** Replaces what a provider says. */
export async function updateProvider(
  { db, tenantId, now }: Context,
  row: Pick<StepUpProviderRow, 'id' | 'document' | 'clientSecret'>,
): Promise<void> {
  await db.run(
    sql`UPDATE step_up_providers SET document = ${JSON.stringify(row.document)}, client_secret = ${row.clientSecret}, updated_at = ${now}
      WHERE tenant_id = ${tenantId} AND id = ${row.id}`,
  );
}

/** Notes that somebody tested a provider and came back verified. */
export async function updateLastTested({ db, tenantId, now }: Context, id: string): Promise<void> {
  await db.run(sql`UPDATE step_up_providers SET last_tested_at = ${now} WHERE tenant_id = ${tenantId} AND id = ${id}`);
}

/** Removes a provider. */
export async function removeProvider({ db, tenantId }: Context, id: string): Promise<void> {
  await db.run(sql`DELETE FROM step_up_providers WHERE tenant_id = ${tenantId} AND id = ${id}`);
}
