/**
 * SQL of an app's grants with their whole story: what the app's own lists show, and the syncs between which each appeared and vanished.
 */
import { allSql, type Sql, sql } from '../../lib/sql.ts';
import { splitWords } from '../../lib/names/words.ts';
import { type Conditions, listConditions } from '../../lib/where.ts';
import type { Context } from '../../context.ts';
import { hasText } from '../../foundation/search/index.ts';
import type { AccountType } from './store-named.ts';
import { hasAllWordsSql, hasOwnerTextSql } from './store-words.ts';
import { grantSlot } from './slots.ts';

/** Cause of a revision, where it is known. */
export type Cause = 'IMPORT' | 'MANUAL' | 'SCIM' | 'EXPIRY';

/** A grant with its history. */
export interface GrantRow {
  readonly entitlementId: string;
  readonly accountId: string;
  /** Distinguishes the lives of one grant apart. */
  readonly addedRevision: number;
  readonly isDerived: boolean;
  readonly grantedAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly deprovisionAt: Date | null;
  readonly paths: readonly (readonly string[])[] | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Null while it is there. */
  readonly endedAt: Date | null;
  /** Null where it was granted manually. */
  readonly sourceId: string | null;
  readonly appearedAt: Date | null;
  readonly appearedCause: Cause | null;
  readonly appearedById: string | null;
  readonly appearedInId: string | null;
  /** The sync of the same source before it. */
  readonly absentFromId: string | null;
  readonly vanishedCause: Cause | null;
  readonly vanishedById: string | null;
  readonly vanishedInId: string | null;
  /** The sync of the same source before it, the last that had the grant. */
  readonly lastSeenInId: string | null;
}

const columns = sql`g.entitlement_id AS "entitlementId", g.account_id AS "accountId", g.added_revision AS "addedRevision", g.is_derived AS "isDerived",
  g.granted_at AS "grantedAt", g.last_used_at AS "lastUsedAt", g.deprovision_at AS "deprovisionAt", g.paths, g.created_at AS "createdAt",
  g.updated_at AS "updatedAt", g.ended_at AS "endedAt", k.id AS "sourceId", ra.made_at AS "appearedAt", ra.cause AS "appearedCause",
  ra.actor_id AS "appearedById", nullif(ra.sync_id, '') AS "appearedInId", rv.cause AS "vanishedCause",
  rv.actor_id AS "vanishedById", nullif(rv.sync_id, '') AS "vanishedInId"`;

/** Each is found by a whole key: a page is joined row by row. */
const storyOf = (tenantId: string): Sql => sql`LEFT JOIN sources_public k
    ON k.tenant_id = ${tenantId} AND k.app_id = g.app_id AND k.source_no = g.source_no AND g.source_no > 0
  LEFT JOIN revisions_public ra ON ra.tenant_id = ${tenantId} AND ra.revision = g.added_revision
  LEFT JOIN revisions_public rv ON rv.tenant_id = ${tenantId} AND rv.revision = g.removed_revision`;

/** Grants of an app to find; a member that is undefined filters nothing. */
export interface AppGrantFilter {
  readonly appId: string;
  readonly entitlementId?: string | undefined;
  readonly accountId?: string | undefined;
  /** Owner of the account. */
  readonly userId?: string | undefined;
  readonly accountType?: AccountType | undefined;
  /** Words, each of the entitlement, of the account or of its owner. */
  readonly query?: string | undefined;
  readonly includeEnded: boolean;
  /** Those that were there at this time, ended since or not. */
  readonly asOf?: Date | undefined;
  readonly excludeDerived?: boolean | undefined;
  /** Only those that a source still reports although their end has passed. */
  readonly pastEnd?: boolean | undefined;
}

/**
 * The few accounts and entitlements that a filter leaves, found beforehand (store-named.ts): their grants are looked up instead of all being
 * passed over. Undefined where they are not few.
 */
export interface NamedFew {
  /** A grant of one of these entitlements, or one of these accounts. */
  readonly entitlementIds: readonly string[];
  readonly accountIds: readonly string[];
  /** True if each grant of theirs is what the filter asks for; else each is looked at. */
  readonly isWhole: boolean;
}

/** The key of a grant and of its life. */
export interface GrantLife {
  readonly entitlementId: string;
  readonly accountId: string;
  readonly addedRevision: number;
}

/** Before the first grant of an app. */
export const listStart: GrantLife = { entitlementId: '', accountId: '', addedRevision: 0 };

const holderConditions: Conditions<Pick<AppGrantFilter, 'accountId' | 'userId'>> = {
  accountId: (id) => sql`a.id = ${id}`,
  userId: (id) => sql`a.user_id = ${id}`,
};

/** Builds conditions on each grant `g`, wherever found. */
function conditionsOfGrant({ tenantId, now }: Pick<Context, 'tenantId' | 'now'>, filter: AppGrantFilter, after: GrantLife): Sql[] {
  const { appId, entitlementId, includeEnded, asOf, excludeDerived = false, pastEnd = false, accountType } = filter;
  return [
    sql`g.tenant_id = ${tenantId} AND g.app_id = ${appId}`,
    sql`(g.entitlement_id, g.account_id, g.added_revision) > (${after.entitlementId}, ${after.accountId}, ${after.addedRevision})`,
    ...(asOf !== undefined
      ? [sql`g.created_at <= ${asOf} AND (g.ended_at IS NULL OR g.ended_at > ${asOf})`]
      : includeEnded
        ? []
        : [sql`g.removed_revision IS NULL`]),
    ...(excludeDerived ? [sql`NOT g.is_derived`] : []),
    ...(pastEnd ? [sql`g.source_no > 0 AND g.removed_revision IS NULL AND g.deprovision_at <= ${now}`] : []),
    ...(entitlementId === undefined ? [] : [sql`g.entitlement_id = ${entitlementId}`]),
    ...(accountType === undefined
      ? []
      : [
          sql`(SELECT t.account_type FROM accounts_public t WHERE t.tenant_id = ${tenantId} AND t.app_id = ${appId} AND t.id = g.account_id)
            = ${accountType}`,
        ]),
  ];
}

/**
 * Tests that the account of a grant `g`, its owner and its entitlement have the words among them. A look by key for each grant: for words that many
 * have.
 */
function isNamed(context: Context, appId: string, query: string): Sql {
  const { tenantId } = context;
  if (splitWords(query).length > 1) {
    return hasAllWordsSql(context, appId, query);
  }
  return sql`((SELECT ${hasText('e')(query)} FROM entitlements_public e WHERE e.tenant_id = ${tenantId} AND e.app_id = ${appId} AND e.id = g.entitlement_id)
    OR (SELECT ${hasText('a')(query)} OR coalesce((SELECT ${hasOwnerTextSql(context.actor, query)} FROM users_public u WHERE u.tenant_id = ${tenantId} AND u.id = a.user_id), false)
      FROM accounts_public a WHERE a.tenant_id = ${tenantId} AND a.app_id = ${appId} AND a.id = g.account_id))`;
}

const order = sql`g.entitlement_id, g.account_id, g.added_revision`;

/** The grants of a few entitlements, each in its order and no more than a page of it; and those of a few accounts, which are sorted. */
function ofFew(tenantId: string, appId: string, few: NamedFew, where: readonly Sql[], limit: number): Sql {
  return sql`(SELECT g.* FROM unnest(${few.entitlementIds}::text[]) AS e (id)
     CROSS JOIN LATERAL (SELECT * FROM grants_public g WHERE g.entitlement_id = e.id COLLATE "C" AND ${allSql(where)} ORDER BY ${order} LIMIT ${limit}) AS g
   UNION ALL
     SELECT g.* FROM grants_public g WHERE g.tenant_id = ${tenantId} AND g.app_id = ${appId} AND g.account_id = ANY (${few.accountIds})
       AND g.entitlement_id <> ALL (${few.entitlementIds}) AND ${allSql(where)})`;
}

/**
 * The grants of an app, entitlement by entitlement in the order of the key until there is a page of them. Asked for at once, they were all read and
 * sorted where nothing was ever analyzed: whatever index knows the app then seems to find one.
 */
function ofEach(tenantId: string, { appId, entitlementId }: AppGrantFilter, after: GrantLife, where: readonly Sql[], limit: number): Sql {
  const which = entitlementId === undefined ? sql`n.id >= ${after.entitlementId}` : sql`n.id = ${entitlementId}`;
  return sql`(SELECT g.* FROM (SELECT n.id FROM entitlements_public n WHERE n.tenant_id = ${tenantId} AND n.app_id = ${appId} AND ${which}) AS e
     CROSS JOIN LATERAL (SELECT * FROM grants_public g WHERE g.entitlement_id = e.id COLLATE "C" AND ${allSql(where)} ORDER BY ${order} LIMIT ${limit}) AS g
     ORDER BY e.id, g.account_id, g.added_revision LIMIT ${limit})`;
}

/**
 * A page of an app's grants by entitlement, account and life. Of an app or an entitlement it is read in the order of the primary key, and
 * passes over what is not asked for; of an account, a person, or the `few` that a text or a type leaves, all they hold is sorted.
 */
export async function listGrants(
  context: Context,
  filter: AppGrantFilter,
  after: GrantLife,
  limit: number,
  few?: NamedFew,
): Promise<GrantRow[]> {
  const { tenantId } = context;
  const { appId, accountId, userId, query } = filter;
  const each = conditionsOfGrant(context, filter, after);
  const where = [...each, ...(query === undefined || few?.isWhole === true ? [] : [isNamed(context, appId, query)])];
  const holders = listConditions({ accountId, userId }, holderConditions);
  const held = sql`(SELECT n.* FROM accounts_public a JOIN grants_public n ON n.tenant_id = ${tenantId} AND n.app_id = ${appId} AND n.account_id = a.id
    WHERE a.tenant_id = ${tenantId} AND a.app_id = ${appId} AND ${allSql(holders)} OFFSET 0)`;
  // Those past their end are found by their dates, whatever they are grants of.
  const isEach = holders.length === 0 && few === undefined && filter.pastEnd !== true;
  const from =
    holders.length > 0
      ? held
      : isEach
        ? ofEach(tenantId, filter, after, where, limit)
        : few === undefined
          ? sql`grants_public`
          : ofFew(tenantId, appId, few, where, limit);
  const rows = await context.db.rows<Omit<GrantRow, 'absentFromId' | 'lastSeenInId'>>(
    sql`SELECT ${columns}
     FROM (SELECT * FROM ${from} AS g WHERE ${allSql(isEach ? [sql`true`] : few === undefined ? where : each)} ORDER BY ${order} LIMIT ${limit}) AS g
     ${storyOf(tenantId)} ORDER BY ${order}`,
  );
  const syncIds = [...new Set(rows.flatMap(({ appearedInId, vanishedInId }) => [appearedInId, vanishedInId]))].filter((id) => id !== null);
  const before = syncIds.length === 0 ? undefined : await grantSlot.get().listPreviousSyncs(context, syncIds);
  const previous = (id: string | null): string | null => (id === null ? null : (before?.get(id) ?? null));
  return rows.map((row) => ({ ...row, absentFromId: previous(row.appearedInId), lastSeenInId: previous(row.vanishedInId) }));
}
