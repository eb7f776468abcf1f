/**
 * SQL of the table `scim_resources`: users and groups by id, name and what they stand for. Pages of them are in store-search.ts.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import type { Context } from '../../../context.ts';
import { type Sql, sql } from '../../../lib/sql.ts';

/** Kind of what is pushed (`scim_resources.kind`). */
export type ResourceKind = 'USER' | 'GROUP';

/** A user or a group of a connector. */
export interface ResourceRow {
  readonly id: string;
  readonly kind: ResourceKind;
  readonly document: JsonObject;
  readonly version: number;
  /** The person; null for a group. */
  readonly userId: string | null;
  readonly accountId: string | null;
  /** Null for a user. */
  readonly entitlementId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The columns of a ResourceRow of `scim_resources r`. */
export const resourceColumns = `r.id, r.kind, r.document, r.version, r.user_id AS "userId", r.account_id AS "accountId",
  r.entitlement_id AS "entitlementId", r.created_at AS "createdAt", r.updated_at AS "updatedAt"`;

const live = 'r.tenant_id = $1 AND r.source_id = $2 AND r.deleted_at IS NULL';

/** The live resource of this kind with this id. */
export function findResource(context: Context, sourceId: string, kind: ResourceKind, id: string): Promise<ResourceRow | undefined> {
  return context.db.maybe<ResourceRow>(`SELECT ${resourceColumns} FROM scim_resources r WHERE ${live} AND r.kind = $3 AND r.id = $4`, [
    context.tenantId,
    sourceId,
    kind,
    id,
  ]);
}

/** The id of the live user of this name. */
export function findUserOfName(context: Context, sourceId: string, nameKey: string): Promise<string | undefined> {
  return context.db.maybeValue<string>(`SELECT r.id FROM scim_resources r WHERE ${live} AND r.kind = 'USER' AND r.name_key = $3`, [
    context.tenantId,
    sourceId,
    nameKey,
  ]);
}

/** Keys by which a group is found. Filters compare names in any case, so that the index does; two groups may differ in it. */
export interface GroupKeys {
  readonly nameKey: string;
  readonly displayName: string;
  readonly externalId: string;
}

const isCalled = ({ nameKey, displayName }: GroupKeys): Sql =>
  sql`r.name_key = ${nameKey} AND name_key(r.document ->> 'displayName') = name_key(${displayName})`;

/** The id of a live group of this name that the provider calls the same. */
export function findGroupOfName({ db, tenantId }: Context, sourceId: string, keys: GroupKeys): Promise<string | undefined> {
  return db.maybeValue<string>(
    sql`SELECT r.id FROM scim_resources r WHERE r.tenant_id = ${tenantId} AND r.source_id = ${sourceId} AND r.deleted_at IS NULL AND r.kind = 'GROUP'
      AND ${isCalled(keys)} AND r.external_id = ${keys.externalId} ORDER BY r.id LIMIT 1`,
  );
}

/** Finds the entitlement of a deleted group: the last one the provider called so, or named so where it calls it nothing. */
export function findFormerGroup(
  { db, tenantId }: Context,
  sourceId: string,
  keys: GroupKeys,
): Promise<Pick<ResourceRow, 'entitlementId'> | undefined> {
  const isIt = keys.externalId === '' ? sql`${isCalled(keys)} AND r.external_id = ''` : sql`r.external_id = ${keys.externalId}`;
  return db.maybe(
    sql`SELECT r.entitlement_id AS "entitlementId" FROM scim_resources r
     WHERE r.tenant_id = ${tenantId} AND r.source_id = ${sourceId} AND r.kind = 'GROUP' AND r.deleted_at IS NOT NULL AND ${isIt}
       AND NOT EXISTS (SELECT FROM scim_resources o WHERE o.tenant_id = ${tenantId} AND o.source_id = ${sourceId}
         AND o.entitlement_id = r.entitlement_id AND o.deleted_at IS NULL)
     ORDER BY r.deleted_at DESC, r.id DESC LIMIT 1`,
  );
}

/** Finds the account of a deleted user of this person: the last one the provider called so, or named so. Another person's of the same name is not theirs. */
export function findFormerAccount(
  context: Context,
  sourceId: string,
  userId: string,
  keys: { readonly nameKey: string; readonly externalId: string },
): Promise<Pick<ResourceRow, 'accountId'> | undefined> {
  return context.db.maybe(
    `SELECT r.account_id AS "accountId" FROM scim_resources r
     WHERE r.tenant_id = $1 AND r.source_id = $2 AND r.user_id = $3 AND r.kind = 'USER' AND r.deleted_at IS NOT NULL
       AND (r.name_key = $4 OR (r.external_id = $5 AND $5 <> ''))
     ORDER BY r.external_id = $5 DESC, r.deleted_at DESC, r.id DESC LIMIT 1`,
    [context.tenantId, sourceId, userId, keys.nameKey, keys.externalId],
  );
}

/** Written content of a resource. */
export interface ResourceContent {
  readonly document: JsonObject;
  readonly nameKey: string;
  readonly externalId: string;
  readonly isActive: boolean;
  readonly keys: JsonObject;
  readonly userId: string | null;
  readonly accountId: string | null;
  readonly entitlementId: string | null;
}

const valuesOf = (content: ResourceContent): unknown[] => [
  JSON.stringify(content.document),
  content.nameKey,
  content.externalId,
  content.isActive,
  JSON.stringify(content.keys),
  content.userId,
  content.accountId,
  content.entitlementId,
];

/** Adds a resource. */
export async function insertResource(
  context: Context,
  sourceId: string,
  kind: ResourceKind,
  id: string,
  content: ResourceContent,
): Promise<void> {
  await context.db.run(
    `INSERT INTO scim_resources (tenant_id, source_id, id, kind, created_at, updated_at, document, name_key, external_id, is_active, keys,
       user_id, account_id, entitlement_id)
     VALUES ($1, $2, $3, $4, $5, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [context.tenantId, sourceId, id, kind, context.now, ...valuesOf(content)],
  );
}

/** Changes a resource and counts its version up. */
export async function updateResource(context: Context, sourceId: string, id: string, content: ResourceContent): Promise<void> {
  await context.db.run(
    `UPDATE scim_resources SET version = version + 1, updated_at = $4, document = $5, name_key = $6, external_id = $7, is_active = $8, keys = $9,
       user_id = $10, account_id = $11, entitlement_id = $12
     WHERE tenant_id = $1 AND source_id = $2 AND id = $3`,
    [context.tenantId, sourceId, id, context.now, ...valuesOf(content)],
  );
}

/** Marks a resource as deleted. */
export async function removeResource(context: Context, sourceId: string, id: string): Promise<void> {
  await context.db.run('UPDATE scim_resources SET deleted_at = $4, updated_at = $4 WHERE tenant_id = $1 AND source_id = $2 AND id = $3', [
    context.tenantId,
    sourceId,
    id,
    context.now,
  ]);
}

/** Counts the versions of users up whose groups changed, and of groups whose members did. */
export async function updateVersions(
  context: Context,
  sourceId: string,
  of: { readonly accountIds?: readonly string[]; readonly entitlementIds?: readonly string[] },
): Promise<void> {
  const { accountIds = [], entitlementIds = [] } = of;
  for (const [column, ids] of [
    ['account_id', accountIds],
    ['entitlement_id', entitlementIds],
  ] as const) {
    if (ids.length > 0) {
      await context.db.run(
        `UPDATE scim_resources SET version = version + 1 WHERE tenant_id = $1 AND source_id = $2 AND ${column} = ANY ($3) AND deleted_at IS NULL`,
        [context.tenantId, sourceId, ids],
      );
    }
  }
}

/** Counts the other users of the connector who stand for this account. */
export function countUsersOfAccount(context: Context, sourceId: string, accountId: string, exceptId: string): Promise<number> {
  return context.db.value<number>(`SELECT count(*) AS count FROM scim_resources r WHERE ${live} AND r.account_id = $3 AND r.id <> $4`, [
    context.tenantId,
    sourceId,
    accountId,
    exceptId,
  ]);
}
