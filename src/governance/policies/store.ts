/**
 * SQL about policies. It also asks which reviews choose a policy; who freezes it for one is that module's business.
 */
import type { PolicyJson, PolicyTypeJson } from '../../gen/c1/api/policy/v1/policy_pb.js';
import { allSql, fixed, sql } from '../../lib/sql.ts';
import { type Conditions, listConditions } from '../../lib/where.ts';
import type { Context } from '../../context.ts';
import { getNamesMergedSql, getRenamedSql, type Merge } from '../../inventory/ledger/index.ts';
import { containsTextOrIs, hasNameInAnyCase } from '../../foundation/search/index.ts';

/** A policy. */
export interface PolicyRow {
  readonly id: string;
  readonly displayName: string;
  /** With its prefix, as on the wire. */
  readonly policyType: PolicyTypeJson;
  readonly systemBuiltin: boolean;
  /** The writable members of the Policy message in canonical wire form. */
  readonly document: PolicyJson;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
}

const columns = `p.id, p.display_name AS "displayName", p.policy_type AS "policyType", p.system_builtin AS "systemBuiltin", p.document,
  p.created_at AS "createdAt", p.updated_at AS "updatedAt", p.deleted_at AS "deletedAt"`;

/** The policy with this id, deleted or not. */
export function findPolicy(context: Context, id: string): Promise<PolicyRow | undefined> {
  return context.db.maybe<PolicyRow>(`SELECT ${columns} FROM policies p WHERE p.tenant_id = $1 AND p.id = $2`, [context.tenantId, id]);
}

/** The same, locked until the transaction ends. */
export function lockPolicy(context: Context, id: string): Promise<PolicyRow | undefined> {
  return context.db.maybe<PolicyRow>(`SELECT ${columns} FROM policies p WHERE p.tenant_id = $1 AND p.id = $2 FOR UPDATE`, [
    context.tenantId,
    id,
  ]);
}

/** The policy of this type that the tenant started with. */
export function findBuiltinPolicy(context: Context, policyType: PolicyTypeJson): Promise<PolicyRow | undefined> {
  return context.db.maybe<PolicyRow>(
    `SELECT ${columns} FROM policies p WHERE p.tenant_id = $1 AND p.policy_type = $2 AND p.system_builtin`,
    [context.tenantId, policyType],
  );
}

/** The policies with these ids by id, deleted ones too; ids of nothing are left out. */
export async function listPoliciesByIds(context: Context, ids: readonly string[]): Promise<Map<string, PolicyRow>> {
  if (ids.length === 0) {
    return new Map();
  }
  const rows = await context.db.rows<PolicyRow>(`SELECT ${columns} FROM policies p WHERE p.tenant_id = $1 AND p.id = ANY ($2)`, [
    context.tenantId,
    [...new Set(ids)],
  ]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Policies to find; a member that is undefined filters nothing. */
export interface PolicyFilter {
  readonly ids?: readonly string[] | undefined;
  readonly excludeIds?: readonly string[] | undefined;
  /** The whole name, in any case. */
  readonly displayName?: string | undefined;
  /** Its id, or words of the name or the description, in any case and accents. */
  readonly query?: string | undefined;
  readonly policyTypes?: readonly PolicyTypeJson[] | undefined;
  /** True: only those made for an app or entitlement; false: only those for everything. */
  readonly scoped?: boolean | undefined;
  readonly scopeAppId?: string | undefined;
  readonly scopeAppEntitlementId?: string | undefined;
  /** Those for everything, and those made for this app. */
  readonly objectAppId?: string | undefined;
  readonly scopeSlot?: string | undefined;
  readonly includeDeleted?: boolean | undefined;
}

const conditions: Conditions<Omit<PolicyFilter, 'includeDeleted'>> = {
  ids: (ids) => sql`p.id = ANY (${ids})`,
  excludeIds: (ids) => sql`p.id <> ALL (${ids})`,
  displayName: hasNameInAnyCase('p'),
  query: containsTextOrIs(`p.display_name || E'\\n' || coalesce(p.document ->> 'description', '')`, 'p.id'),
  policyTypes: (types) => sql`p.policy_type = ANY (${types})`,
  scoped: (scoped) => sql`(p.document -> 'scope' IS NOT NULL) = ${scoped}`,
  scopeAppId: (id) => sql`p.document -> 'scope' ->> 'appId' = ${id}`,
  scopeAppEntitlementId: (id) => sql`p.document -> 'scope' ->> 'appEntitlementId' = ${id}`,
  objectAppId: (id) => sql`(p.document -> 'scope' IS NULL OR p.document -> 'scope' ->> 'appId' = ${id})`,
  scopeSlot: (slot) => sql`p.document -> 'scope' ->> 'slot' = ${slot}`,
};

/** A page of policies by id. */
export async function listPolicies(context: Context, filter: PolicyFilter, after: string, limit: number): Promise<PolicyRow[]> {
  const { includeDeleted, ...rest } = filter;
  const where = [
    sql`p.tenant_id = ${context.tenantId} AND p.id > ${after}`,
    ...listConditions(rest, conditions),
    ...(includeDeleted === true ? [] : [sql`p.deleted_at IS NULL`]),
  ];
  return context.db.rows<PolicyRow>(sql`SELECT ${fixed(columns)} FROM policies p WHERE ${allSql(where)} ORDER BY p.id LIMIT ${limit}`);
}

/** Content of a policy, its times apart. */
export type NewPolicy = Pick<PolicyRow, 'id' | 'displayName' | 'policyType' | 'systemBuiltin' | 'document'>;

/** Adds a policy. Where it is builtin and its type has one already, nothing is added and the answer is false. */
export async function insertPolicy(context: Context, policy: NewPolicy): Promise<boolean> {
  const inserted = await context.db.run(
    `INSERT INTO policies (tenant_id, id, display_name, policy_type, system_builtin, document, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $7)
     ON CONFLICT (tenant_id, policy_type) WHERE system_builtin DO NOTHING`,
    [
      context.tenantId,
      policy.id,
      policy.displayName,
      policy.policyType,
      policy.systemBuiltin,
      JSON.stringify(policy.document),
      context.now,
    ],
  );
  return inserted === 1;
}

/** Changes a policy's content. */
export async function updatePolicyDocument(context: Context, id: string, displayName: string, document: PolicyJson): Promise<void> {
  await context.db.run(`UPDATE policies SET display_name = $3, document = $4, updated_at = $5 WHERE tenant_id = $1 AND id = $2`, [
    context.tenantId,
    id,
    displayName,
    JSON.stringify(document),
    context.now,
  ]);
}

/** Marks a policy deleted; its row stays, since reviews and events name it. */
export async function removePolicy(context: Context, id: string): Promise<void> {
  await context.db.run('UPDATE policies SET deleted_at = $3, updated_at = $3 WHERE tenant_id = $1 AND id = $2', [
    context.tenantId,
    id,
    context.now,
  ]);
}

/** Lets policies that name entitlements, resources or resource types which went name those that stay. What reviews froze of them stays as it was. */
export async function renameInPolicies({ db, tenantId }: Context, merges: readonly Merge[]): Promise<void> {
  await db.run(
    sql`UPDATE policies p SET document = ${getRenamedSql(sql`p.document`, merges)}
      WHERE p.tenant_id = ${tenantId} AND p.deleted_at IS NULL AND ${getNamesMergedSql(sql`p.document`, merges)}`,
  );
}

/** Number of policies that are named where there are more. */
const maxNamed = 10;

/** Finds the certification policies with an approval step in which no delegate decides: the first by name, and how many there are. */
export async function findNoDelegation({ db, tenantId }: Context): Promise<{ policyNames: string[]; count: number }> {
  const rows = await db.rows<{ name: string; count: number }>(
    sql`SELECT coalesce(nullif(p.display_name, ''), p.id) AS name, count(*) OVER () AS count FROM policies p
      WHERE p.tenant_id = ${tenantId} AND p.deleted_at IS NULL AND p.policy_type = 'POLICY_TYPE_CERTIFY'
        AND jsonb_path_exists(p.document, '$.policySteps.*.steps[*].approval ? (!(@.allowDelegation == true))')
      ORDER BY 1, p.id LIMIT ${maxNamed}`,
  );
  return { policyNames: rows.map(({ name }) => name), count: rows[0]?.count ?? 0 };
}
