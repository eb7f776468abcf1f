/**
 * SQL that reads entitlements. They are written by imports, manually (store-entitlement-writes.ts), and the built-in one with its app
 * (store-apps.ts).
 */
import type { AppEntitlementJson } from '../../../gen/c1/api/app/v1/app_pb.js';
import type { Context } from '../../../context.ts';
import { allSql, fixed, type Sql, sql } from '../../../lib/sql.ts';
import { type Conditions, listConditions, isOneOfRefs } from '../../../lib/where.ts';
import { hasName, hasText, listByText, rowsWithIds, type TextRange, textRange } from '../../../foundation/search/index.ts';
import { traits } from './store-resources.ts';
import { catalogSlot } from './slots.ts';

/** An entitlement of an app. */
export interface EntitlementRow {
  readonly id: string;
  readonly appId: string;
  /** Both ids are '' for app access. */
  readonly resourceTypeId: string;
  readonly resourceId: string;
  /** Its name in its source; its own id where it was made manually. */
  readonly externalId: string;
  readonly isAppAccess: boolean;
  readonly isManual: boolean;
  /** The source that first reported it; null for manual ones and for app access. */
  readonly sourceId: string | null;
  readonly displayName: string;
  readonly description: string;
  readonly certifyPolicyId: string;
  /** Name for people and command lines; others may have it too. '' for none. */
  readonly alias: string;
  /** As set manually; '' where it was not. */
  readonly slug: string;
  /** As in `entitlements.purpose`. */
  readonly purpose: 'ASSIGNMENT' | 'PERMISSION' | 'OWNERSHIP';
  /** '' for none. */
  readonly riskLevelValueId: string;
  readonly complianceFrameworkValueIds: readonly string[];
  /** The other members of the AppEntitlement message, in canonical wire form. */
  readonly document: AppEntitlementJson;
  /** Open grants. */
  readonly grantCount: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
}

const getColumns =
  (): string => `e.id, e.app_id AS "appId", e.resource_type_id AS "resourceTypeId", e.resource_id AS "resourceId", e.external_id AS "externalId",
  e.is_app_access AS "isAppAccess", e.display_name AS "displayName", e.description, e.certify_policy_id AS "certifyPolicyId",
  e.alias, e.slug, e.purpose, e.risk_level_value_id AS "riskLevelValueId", e.document, e.is_manual AS "isManual",
  e.compliance_framework_value_ids AS "complianceFrameworkValueIds",
  ${catalogSlot.get().sourceId} AS "sourceId",
  e.grant_count AS "grantCount", e.created_at AS "createdAt", e.updated_at AS "updatedAt", e.deleted_at AS "deletedAt"`;

/** The entitlement with this id in this app. */
export function findEntitlement(context: Context, appId: string, id: string): Promise<EntitlementRow | undefined> {
  return context.db.maybe<EntitlementRow>(
    `SELECT ${getColumns()} FROM entitlements e WHERE e.tenant_id = $1 AND e.app_id = $2 AND e.id = $3 AND e.deleted_at IS NULL`,
    [context.tenantId, appId, id],
  );
}

/** The same, deleted or not, and in a deleted app too. */
export function findEntitlementOrDeleted(context: Context, appId: string, id: string): Promise<EntitlementRow | undefined> {
  return context.db.maybe<EntitlementRow>(
    `SELECT ${getColumns()} FROM entitlements e WHERE e.tenant_id = $1 AND e.app_id = $2 AND e.id = $3`,
    [context.tenantId, appId, id],
  );
}

/** The entitlement with this id in this app, if it is not deleted, locked until the transaction ends. */
export function lockEntitlement(context: Context, appId: string, id: string): Promise<EntitlementRow | undefined> {
  return context.db.maybe<EntitlementRow>(
    `SELECT ${getColumns()} FROM entitlements e
     WHERE e.tenant_id = $1 AND e.app_id = $2 AND e.id = $3 AND e.deleted_at IS NULL FOR NO KEY UPDATE OF e`,
    [context.tenantId, appId, id],
  );
}

/** The entitlements with these ids by id, whatever their app. */
export async function listEntitlementsByIds(context: Context, ids: readonly string[]): Promise<Map<string, EntitlementRow>> {
  const rows = await context.db.rows<EntitlementRow>(
    `SELECT ${getColumns()} FROM entitlements e WHERE e.tenant_id = $1 AND e.id = ANY ($2)`,
    [context.tenantId, [...new Set(ids)]],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Entitlement search; a member that is undefined filters nothing. */
export interface EntitlementFilter {
  readonly appId?: string | undefined;
  readonly appIds?: readonly string[] | undefined;
  readonly excludeAppIds?: readonly string[] | undefined;
  /** 'app id/entitlement id'. */
  readonly refs?: readonly string[] | undefined;
  readonly excludeRefs?: readonly string[] | undefined;
  /** Of one of these resource types, or of one in any app with such a name, in any case: public clients ask for role, or group. */
  readonly resourceTypeIds?: readonly string[] | undefined;
  readonly excludeResourceTypeIds?: readonly string[] | undefined;
  readonly resourceId?: string | undefined;
  readonly resourceIds?: readonly string[] | undefined;
  /** Of a resource whose type has one of these traits. */
  readonly traitIds?: readonly string[] | undefined;
  /** Held by one of these accounts. */
  readonly accountIds?: readonly string[] | undefined;
  /** Held by none of these accounts. */
  readonly excludeAccountIds?: readonly string[] | undefined;
  /** Held by somebody until a certain time. */
  readonly isExpiring?: true | undefined;
  /** Held by one of these accounts until a certain time. */
  readonly expiringFor?: readonly string[] | undefined;
  readonly riskLevelIds?: readonly string[] | undefined;
  /** With at least one of these compliance frameworks. */
  readonly frameworkIds?: readonly string[] | undefined;
  readonly requestSchemaIds?: readonly string[] | undefined;
  readonly purposes?: readonly string[] | undefined;
  /** The whole alias, as it is written. */
  readonly alias?: string | undefined;
  /** The source that first reported it. */
  readonly sourceId?: string | undefined;
  /** The whole name, as it is written. */
  readonly displayName?: string | undefined;
  /** Its id, or words of its name, its description, its name in the source, alias or slug. */
  readonly query?: string | undefined;
  /** Any of the policies an entitlement names. */
  readonly policyIds?: readonly string[] | undefined;
  /** Chosen by a review, or in its snapshot. */
  readonly reviewId?: string | undefined;
  /** Deleted ones, too, and those of deleted apps. */
  readonly includeDeleted?: true | undefined;
}

const expiring = sql`g.deprovision_at IS NOT NULL`;

/** The places of what these accounts hold `g`, looked up account by account. */
function getHeldBy(tenantId: string, accountIds: readonly string[]): Sql {
  return sql`SELECT g.app_id, g.entitlement_id FROM ${rowsWithIds('accounts_public', tenantId, accountIds)} a
    CROSS JOIN LATERAL (SELECT * FROM grants_held h WHERE h.tenant_id = ${tenantId} AND h.app_id = a.app_id AND h.account_id = a.id OFFSET 0) AS g
    WHERE true`;
}

/** Returns each member's condition on the entitlement `e`. That deleted ones are left out is said in words (listInRange). */
function conditionsFor(tenantId: string): Conditions<Omit<EntitlementFilter, 'includeDeleted'> & TextRange> {
  const heldBy = (accountIds: readonly string[]): Sql => getHeldBy(tenantId, accountIds);
  return {
    appId: (id) => sql`e.app_id = ${id}`,
    appIds: (ids) => sql`e.app_id = ANY (${ids})`,
    excludeAppIds: (ids) => sql`e.app_id <> ALL (${ids})`,
    refs: isOneOfRefs('e'),
    excludeRefs: (refs) => sql`e.app_id || '/' || e.id <> ALL (${refs})`,
    resourceTypeIds: (ids) => sql`e.resource_type_id = ANY (${ids})`,
    excludeResourceTypeIds: (ids) => sql`e.resource_type_id <> ALL (${ids})`,
    resourceId: (id) => sql`e.resource_id = ${id}`,
    resourceIds: (ids) => sql`e.resource_id = ANY (${ids})`,
    // By getNarrowRows.
    accountIds: () => sql`true`,
    excludeAccountIds: (ids) => sql`NOT EXISTS (SELECT FROM (${heldBy(ids)}) h WHERE h.app_id = e.app_id AND h.entitlement_id = e.id)`,
    displayName: hasName('e'),
    query: hasText('e'),
    isExpiring: () => sql`EXISTS (SELECT FROM grants_held g
      WHERE g.tenant_id = ${tenantId} AND g.app_id = e.app_id AND g.entitlement_id = e.id AND ${expiring})`,
    expiringFor: (ids) => sql`(e.app_id, e.id) IN (${heldBy(ids)} AND ${expiring})`,
    riskLevelIds: (ids) => sql`(e.risk_level_value_id = ANY (${ids}) AND e.risk_level_value_id <> '')`,
    frameworkIds: (ids) => sql`e.compliance_framework_value_ids && ${ids}`,
    requestSchemaIds: (ids) => sql`e.document ->> 'requestSchemaId' = ANY (${ids})`,
    purposes: (purposes) => sql`e.purpose = ANY (${purposes})`,
    alias: (alias) => sql`(e.alias = ${alias} AND e.alias <> '')`,
    sourceId: (id) => catalogSlot.get().getIsFromSource(tenantId, id),
    traitIds: (ids) => sql`(e.app_id, e.resource_type_id) IN (
      SELECT t.app_id, t.id FROM resource_types t WHERE t.tenant_id = ${tenantId} AND ${traits} && ${ids})`,
    policyIds: (ids) => sql`(e.certify_policy_id = ANY (${ids}) OR e.document ->> 'grantPolicyId' = ANY (${ids})
      OR e.document ->> 'revokePolicyId' = ANY (${ids}) OR e.document ->> 'emergencyGrantPolicyId' = ANY (${ids}))`,
    reviewId: (id) => catalogSlot.get().getIsInReview(tenantId, id),
    ...textRange('e'),
  };
}

/** Picks what is no id: names of resource types. */
const namesAmong = (idsOrNames: readonly string[] = []): string[] => idsOrNames.filter((one) => !/^[0-9A-Za-z]{27}$/.test(one));

/** The filter with the ids of the resource types that it names. */
async function withTypeIds(context: Context, filter: EntitlementFilter): Promise<EntitlementFilter> {
  const names = namesAmong(filter.resourceTypeIds);
  if (names.length === 0) {
    return filter;
  }
  const named = await context.db.rows<{ id: string }>(
    `SELECT t.id FROM resource_types t
     WHERE t.tenant_id = $1 AND ARRAY[search_fold(t.display_name), search_fold(t.external_id)] && ARRAY(SELECT search_fold(unnest($2::text[])))`,
    [context.tenantId, names],
  );
  return { ...filter, resourceTypeIds: [...(filter.resourceTypeIds ?? []), ...named.map(({ id }) => id)] };
}

/** A page of entitlements by id. */
export async function listEntitlements(
  context: Context,
  asked: EntitlementFilter,
  after: string,
  limit: number,
): Promise<EntitlementRow[]> {
  const filter = await withTypeIds(context, asked);
  const isNarrow = (filter.refs ?? filter.accountIds ?? filter.alias ?? filter.displayName) !== undefined;
  const search = { kind: 'ENTITLEMENT', query: filter.query, after, limit, isNarrow } as const;
  return listByText(context, search, (range) => listInRange(context, { ...filter, ...range }, after, limit));
}

/**
 * Selects the entitlements among which a page is looked for: those that some accounts hold, or of one resource, where that is asked. Each way in is
 * said, since without statistics all of them seem to be few.
 */
function getNarrowRows(tenantId: string, { accountIds, textIds, appId, resourceId }: EntitlementFilter & TextRange): Sql {
  if (accountIds !== undefined) {
    return sql`(SELECT x.* FROM (SELECT DISTINCT g.entitlement_id AS id FROM (${getHeldBy(tenantId, accountIds)}) g) AS i
      CROSS JOIN LATERAL (SELECT * FROM entitlements n WHERE n.tenant_id = ${tenantId} AND n.id = i.id OFFSET 0) AS x)`;
  }
  return appId !== undefined && resourceId !== undefined && textIds === undefined
    ? sql`(SELECT * FROM entitlements n WHERE n.tenant_id = ${tenantId} AND n.app_id = ${appId} AND n.resource_id = ${resourceId} OFFSET 0)`
    : rowsWithIds('entitlements', tenantId, textIds);
}

function listInRange(context: Context, filter: EntitlementFilter & TextRange, after: string, limit: number): Promise<EntitlementRow[]> {
  const { tenantId } = context;
  const { includeDeleted, ...rest } = filter;
  const where = [
    sql`e.tenant_id = ${tenantId} AND e.id > ${after}`,
    ...listConditions(rest, conditionsFor(tenantId)),
    // In words, where it holds: only then are indexes of those that are not deleted of use.
    ...(includeDeleted === true
      ? []
      : [
          sql`e.deleted_at IS NULL`,
          sql`EXISTS (SELECT FROM apps p WHERE p.tenant_id = ${tenantId} AND p.id = e.app_id AND p.deleted_at IS NULL OFFSET 0)`,
        ]),
  ];
  return context.db.rows<EntitlementRow>(
    sql`SELECT ${fixed(getColumns())} FROM ${getNarrowRows(tenantId, filter)} e WHERE ${allSql(where)} ORDER BY e.id LIMIT ${limit}`,
  );
}
