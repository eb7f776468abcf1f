/**
 * SQL that reads accounts and who holds what. The ledger writes them.
 */
import type { Context } from '../../../context.ts';
import { allSql, fixed, type Sql, sql } from '../../../lib/sql.ts';
import { type Conditions, listConditions, isOneOfRefs } from '../../../lib/where.ts';
import { hasText, listByText, rowsWithIds, type TextRange, textRange } from '../../../foundation/search/index.ts';

/** An account of an app. */
export interface AccountRow {
  readonly id: string;
  readonly appId: string;
  /** Its name in the source. */
  readonly externalId: string;
  readonly displayName: string;
  readonly email: string;
  readonly username: string;
  readonly employeeId: string;
  /** Its address is in a domain that none of the people's addresses is in. */
  readonly isExternal: boolean;
  /** Its owner; null where nobody owns it. */
  readonly userId: string | null;
  /** Somebody said whose it is, or that it is unowned: syncs leave that as it is. */
  readonly isOwnedByHand: boolean;
  readonly isTypedByHand: boolean;
  /** True if its owner was found by an address that they had before. */
  readonly ownerByFormerAddress: boolean;
  /** As in `accounts.account_type`. */
  readonly accountType: 'USER' | 'SERVICE_ACCOUNT' | 'SYSTEM_ACCOUNT';
  /** As in `accounts.status`. */
  readonly status: 'ENABLED' | 'DISABLED' | 'DELETED';
  readonly profile: Record<string, unknown>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
}

/** Domains of people: an account in none of them is external. */
const ofPeople = (tenantId: string): Sql =>
  sql`d.tenant_id = ${tenantId} AND d.email_domain <> '' AND d.status <> 'DELETED' AND d.user_type = 'HUMAN'`;

/**
 * One probe of an index for each account that is answered. Said as a range, in the order of the index: where most people have one domain, the
 * planner takes an equality for something that reading people from the first on finds at once, and reads them all for what is not there.
 */
const isTrusted = (tenantId: string): Sql =>
  sql`(SELECT true FROM users_public d WHERE ${ofPeople(tenantId)} AND d.email_domain >= c.email_domain AND d.email_domain <= c.email_domain
    ORDER BY d.email_domain LIMIT 1)`;

const columnsOf = (
  tenantId: string,
): Sql => sql`c.id, c.app_id AS "appId", c.external_id AS "externalId", c.display_name AS "displayName", c.email, c.username,
  c.employee_id AS "employeeId", c.email_domain <> '' AND ${isTrusted(tenantId)} IS NULL AS "isExternal", c.user_id AS "userId",
  c.owner_by_hand AS "isOwnedByHand", c.type_by_hand AS "isTypedByHand", c.owner_by_former_address AS "ownerByFormerAddress", c.account_type AS "accountType", c.status, c.profile,
  c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.deleted_at AS "deletedAt"`;

/** The account with this id in this app, deleted or not. */
export function findAccount(context: Context, appId: string, id: string): Promise<AccountRow | undefined> {
  const { tenantId } = context;
  return context.db.maybe<AccountRow>(
    sql`SELECT ${columnsOf(tenantId)} FROM accounts_public c WHERE c.tenant_id = ${tenantId} AND c.app_id = ${appId} AND c.id = ${id}`,
  );
}

/** The accounts with these ids by id, whatever their app, deleted or not. */
export async function listAccountsByIds(context: Context, ids: readonly string[]): Promise<Map<string, AccountRow>> {
  const { tenantId } = context;
  const rows = await context.db.rows<AccountRow>(
    sql`SELECT ${columnsOf(tenantId)} FROM accounts_public c WHERE c.tenant_id = ${tenantId} AND c.id = ANY (${[...new Set(ids)]})`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Account search; a member that is undefined filters nothing. Those of deleted apps are never among them. */
export interface AccountFilter {
  readonly appId?: string | undefined;
  readonly appIds?: readonly string[] | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly excludeIds?: readonly string[] | undefined;
  /** 'app id/account id'. */
  readonly refs?: readonly string[] | undefined;
  readonly userIds?: readonly string[] | undefined;
  readonly types?: readonly string[] | undefined;
  /** All but deleted ones if undefined. */
  readonly statuses?: readonly string[] | undefined;
  /** Only those that nobody owns. */
  readonly isUnowned?: true | undefined;
  /** True if the domain of its address is none of the people's. */
  readonly isExternal?: boolean | undefined;
  /** Its id, or words of its name, its name in the source, its mail address, user name or employee id. */
  readonly query?: string | undefined;
}

/** The domains of some addresses, found by hopping from one to the next in their index: as many steps as domains, however many addresses. */
function domainsOf(table: 'accounts_public' | 'users_public', which: Sql): Sql {
  const next = (after: Sql): Sql =>
    sql`(SELECT d.email_domain FROM ${fixed(table)} d WHERE ${which} AND d.email_domain > ${after} ORDER BY d.email_domain LIMIT 1)`;
  return sql`(WITH RECURSIVE hop (domain) AS (
      SELECT ${next(sql`''`)} UNION ALL SELECT ${next(sql`hop.domain`)} FROM hop WHERE hop.domain IS NOT NULL)
    SELECT hop.domain FROM hop WHERE hop.domain IS NOT NULL)`;
}

/** The domains of accounts that are none of the people's. */
const externalDomains = (tenantId: string): Sql =>
  sql`ARRAY(${domainsOf('accounts_public', sql`d.tenant_id = ${tenantId} AND d.email_domain <> ''`)} EXCEPT ${domainsOf('users_public', ofPeople(tenantId))})`;

/** The members of a filter that are said by constants: the planner then knows how rare they are, and which index holds the rare ones. */
type Constants = 'types' | 'statuses' | 'isExternal';

function constantConditions(tenantId: string, { types, statuses, isExternal }: Pick<AccountFilter, Constants>): Sql[] {
  const oneOf = (column: string, known: readonly string[], wanted: readonly string[]): Sql => {
    const named = known.filter((value) => wanted.includes(value)).map((value) => `'${value}'`);
    return fixed(named.length === 0 ? 'false' : `${column} IN (${named.join(', ')})`);
  };
  return [
    ...(types === undefined ? [] : [oneOf('c.account_type', ['USER', 'SERVICE_ACCOUNT', 'SYSTEM_ACCOUNT'], types)]),
    statuses === undefined ? sql`c.status <> 'DELETED'` : oneOf('c.status', ['ENABLED', 'DISABLED', 'DELETED'], statuses),
    ...(isExternal === undefined
      ? []
      : [
          isExternal
            ? sql`c.email_domain = x.domain AND c.email_domain <> ''`
            : // A CASE, because the planner takes "none of these" to leave next to nothing, and would sort all accounts for a page of most of them.
              sql`CASE WHEN c.email_domain <> ALL (${externalDomains(tenantId)}) THEN true ELSE false END`,
        ]),
  ];
}

const conditions: Conditions<Omit<AccountFilter, Constants> & TextRange> = {
  appId: (id) => sql`c.app_id = ${id}`,
  appIds: (ids) => sql`c.app_id = ANY (${ids})`,
  ids: (ids) => sql`c.id = ANY (${ids})`,
  excludeIds: (ids) => sql`c.id <> ALL (${ids})`,
  refs: isOneOfRefs('c'),
  userIds: (ids) => sql`c.user_id = ANY (${ids})`,
  isUnowned: () => sql`c.user_id IS NULL`,
  query: hasText('c'),
  ...textRange('c'),
};

/** The place in a list of accounts: by id, or by app and then id. */
export interface AccountPlace {
  readonly byApp: boolean;
  /** '' before the first. */
  readonly appId: string;
  readonly id: string;
}

/** A page of accounts after a place. */
export function listAccounts(context: Context, filter: AccountFilter, after: AccountPlace, limit: number): Promise<AccountRow[]> {
  const isNarrow = (filter.ids ?? filter.refs ?? filter.userIds) !== undefined;
  const search = { kind: 'ACCOUNT', query: filter.query, after: after.byApp ? undefined : after.id, limit, isNarrow } as const;
  return listByText(context, search, (range) => listInRange(context, { ...filter, ...range }, after, limit));
}

function listInRange(context: Context, filter: AccountFilter & TextRange, after: AccountPlace, limit: number): Promise<AccountRow[]> {
  const { tenantId } = context;
  const { types, statuses, isExternal, ...rest } = filter;
  const where = [
    sql`c.tenant_id = ${tenantId}`,
    // Looked up for each account: joined freely, a page was read app by app, each with all its accounts.
    sql`EXISTS (SELECT FROM apps p WHERE p.tenant_id = ${tenantId} AND p.id = c.app_id AND p.deleted_at IS NULL OFFSET 0)`,
    ...constantConditions(tenantId, { types, statuses, isExternal }),
    ...listConditions(rest, conditions),
    after.byApp ? sql`(c.app_id, c.id) > (${after.appId}, ${after.id})` : sql`c.id > ${after.id}`,
  ];
  const ordered = sql`ORDER BY ${fixed(after.byApp ? 'c.app_id, c.id' : 'c.id')} LIMIT ${limit}`;
  const rows = rowsWithIds('accounts_public', tenantId, filter.textIds ?? filter.ids);
  const page = sql`${rows} c WHERE ${allSql(where)} ${ordered}`;
  // A page of each external domain by itself, since external accounts may be few among very many.
  const from =
    isExternal === true
      ? sql`unnest(${externalDomains(tenantId)}) AS x (domain) CROSS JOIN LATERAL (SELECT c.* FROM ${page}) AS c ${ordered}`
      : page;
  return context.db.rows<AccountRow>(sql`SELECT ${columnsOf(tenantId)} FROM ${from}`);
}
