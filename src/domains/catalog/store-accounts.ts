/**
 * SQL that reads accounts and who holds what. The ledger writes them.
 */
import type { Context } from '../../context.ts';
import { type Condition, isOneOfRefs, whereOf } from '../../lib/where.ts';
import { hasText, listByText, type TextRange, textRange } from '../search/index.ts';

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
  /** Somebody said whose it is, or that it is nobody's: syncs leave that as it is. */
  readonly isOwnedByHand: boolean;
  readonly isTypedByHand: boolean;
  readonly accountType: 'USER' | 'SERVICE_ACCOUNT' | 'SYSTEM_ACCOUNT';
  readonly status: 'ENABLED' | 'DISABLED' | 'DELETED';
  readonly profile: Record<string, unknown>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
}

/** What people's domains are: an account in none of them is external. */
const ofPeople = `d.tenant_id = $1 AND d.email_domain <> '' AND d.status <> 'DELETED' AND d.user_type = 'HUMAN'`;

/**
 * One probe of an index for each account that is answered. Said as a range, in the order of the index: where most people have one domain, the
 * planner takes an equality for something that reading people from the first on finds at once, and reads them all for what is not there.
 */
const isTrusted = `(SELECT true FROM users d WHERE ${ofPeople} AND d.email_domain >= c.email_domain AND d.email_domain <= c.email_domain
    ORDER BY d.email_domain LIMIT 1)`;

const columns = `c.id, c.app_id AS "appId", c.external_id AS "externalId", c.display_name AS "displayName", c.email, c.username,
  c.employee_id AS "employeeId", c.email_domain <> '' AND ${isTrusted} IS NULL AS "isExternal", c.user_id AS "userId",
  c.owner_by_hand AS "isOwnedByHand", c.type_by_hand AS "isTypedByHand", c.account_type AS "accountType", c.status, c.profile, c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.deleted_at AS "deletedAt"`;

/** The account with this id in this app, deleted or not. */
export function findAccount(context: Context, appId: string, id: string): Promise<AccountRow | undefined> {
  return context.db.maybe<AccountRow>(`SELECT ${columns} FROM accounts c WHERE c.tenant_id = $1 AND c.app_id = $2 AND c.id = $3`, [
    context.tenantId,
    appId,
    id,
  ]);
}

/** The accounts with these ids by id, whatever their app, deleted or not. */
export async function listAccountsByIds(context: Context, ids: readonly string[]): Promise<Map<string, AccountRow>> {
  const rows = await context.db.rows<AccountRow>(`SELECT ${columns} FROM accounts c WHERE c.tenant_id = $1 AND c.id = ANY ($2)`, [
    context.tenantId,
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
  /** Whether the domain of its address is none of the people's. */
  readonly isExternal?: boolean | undefined;
  /** Its id, or words of its name, its name in the source, its mail address, user name or employee id. */
  readonly query?: string | undefined;
}

/** The domains of some addresses, found by hopping from one to the next in their index: as many steps as domains, however many addresses. */
function domainsOf(table: string, which: string): string {
  const next = (after: string): string =>
    `(SELECT d.email_domain FROM ${table} d WHERE ${which} AND d.email_domain > ${after} ORDER BY d.email_domain LIMIT 1)`;
  return `(WITH RECURSIVE hop (domain) AS (
      SELECT ${next("''")} UNION ALL SELECT ${next('hop.domain')} FROM hop WHERE hop.domain IS NOT NULL)
    SELECT hop.domain FROM hop WHERE hop.domain IS NOT NULL)`;
}

/** The domains of accounts that are none of the people's. */
const externalDomains = `ARRAY(${domainsOf('accounts', `d.tenant_id = $1 AND d.email_domain <> ''`)} EXCEPT ${domainsOf('users', ofPeople)})`;

/** The members of a filter that are said by constants: the planner then knows how rare they are, and which index holds the rare ones. */
type Constants = 'types' | 'statuses' | 'isExternal';

function constantConditions({ types, statuses, isExternal }: Pick<AccountFilter, Constants>): string[] {
  const oneOf = (column: string, known: readonly string[], wanted: readonly string[]): string => {
    const named = known.filter((value) => wanted.includes(value)).map((value) => `'${value}'`);
    return named.length === 0 ? 'false' : `${column} IN (${named.join(', ')})`;
  };
  return [
    ...(types === undefined ? [] : [oneOf('c.account_type', ['USER', 'SERVICE_ACCOUNT', 'SYSTEM_ACCOUNT'], types)]),
    statuses === undefined ? `c.status <> 'DELETED'` : oneOf('c.status', ['ENABLED', 'DISABLED', 'DELETED'], statuses),
    ...(isExternal === undefined
      ? []
      : [
          isExternal
            ? `c.email_domain = x.domain AND c.email_domain <> ''`
            : // A CASE, because the planner takes "none of these" to leave next to nothing, and would sort all accounts for a page of most of them.
              `CASE WHEN c.email_domain <> ALL (${externalDomains}) THEN true ELSE false END`,
        ]),
  ];
}

const conditions: Record<Exclude<keyof AccountFilter, Constants>, Condition> = {
  appId: { sql: 'c.app_id = ?' },
  appIds: { sql: 'c.app_id = ANY (?)' },
  ids: { sql: 'c.id = ANY (?)' },
  excludeIds: { sql: 'c.id <> ALL (?)' },
  refs: isOneOfRefs('c'),
  userIds: { sql: 'c.user_id = ANY (?)' },
  isUnowned: { sql: '(?::boolean AND c.user_id IS NULL)' },
  query: hasText('c'),
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
  const { types, statuses, isExternal, ...rest } = filter;
  const values: unknown[] = [context.tenantId, after.id, limit];
  const where = [
    'c.tenant_id = $1',
    'EXISTS (SELECT FROM apps p WHERE p.tenant_id = $1 AND p.id = c.app_id AND p.deleted_at IS NULL)',
    ...constantConditions({ types, statuses, isExternal }),
    ...whereOf(rest, { ...conditions, ...textRange('c') }, values),
  ];
  if (after.byApp) {
    values.push(after.appId);
    where.push(`(c.app_id, c.id) > ($${values.length}, $2)`);
  } else {
    where.push('c.id > $2');
  }
  const order = after.byApp ? 'c.app_id, c.id' : 'c.id';
  const page = `accounts c WHERE ${where.join(' AND ')} ORDER BY ${order} LIMIT $3`;
  // A page of each external domain by itself, since external accounts may be few among very many.
  const from =
    isExternal === true
      ? `unnest(${externalDomains}) AS x (domain) CROSS JOIN LATERAL (SELECT c.* FROM ${page}) AS c ORDER BY ${order} LIMIT $3`
      : page;
  return context.db.rows<AccountRow>(`SELECT ${columns} FROM ${from}`, values);
}
