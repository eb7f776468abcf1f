/**
 * SQL of several words that a grant has together: one in its entitlement, another in its account or its owner. What has few of them is found
 * before its grants are looked for, as in store-named.ts.
 */
import type { Actor, Context } from '../../context.ts';
import { allSql, type Sql, sql } from '../../lib/sql.ts';
import { seesInventory } from '../../foundation/authority/index.ts';
import { containsFolded, containsText, findTextCandidates, hasText } from '../../foundation/search/index.ts';
import type { AccountType } from './store-named.ts';

const entitlementHas = containsFolded('e.search_text');

/** The texts of a person `u` by which holders are found: nobody finds by an employee id or user name what a card does not show. */
const onCard = `u.display_name || E'\\n' || u.email`;

/** Tests that a person `u` has all words of a query, as far as the actor reads people. */
export function hasOwnerTextSql(actor: Actor, query: string): Sql {
  const inAll = hasText('u')(query);
  return seesInventory(actor) ? inAll : sql`(${inAll} AND ${containsText(onCard)(query)})`;
}

/** Tests that texts have all words among them, those of the owner of an account `a` too, who is looked for only where the others lack a word. */
function haveAll({ tenantId, actor }: Context, texts: string, query: string): Sql {
  const ofOwner = seesInventory(actor) ? 'u.search_text' : `search_fold(${onCard})`;
  return sql`(${containsFolded(texts)(query)} OR coalesce((SELECT ${containsFolded(`${texts} || E'\\n' || ${ofOwner}`)(query)}
    FROM users_public u WHERE u.tenant_id = ${tenantId} AND u.id = a.user_id), false))`;
}

/** Tests that a grant `g` has all words of a query, each in any of its texts. A look by key for each grant. */
export function hasAllWordsSql(context: Context, appId: string, query: string): Sql {
  const { tenantId } = context;
  return sql`(SELECT ${haveAll(context, "e.search_text || E'\\n' || a.search_text", query)} FROM entitlements_public e
      JOIN accounts_public a ON a.tenant_id = ${tenantId} AND a.app_id = ${appId} AND a.id = g.account_id
    WHERE e.tenant_id = ${tenantId} AND e.app_id = ${appId} AND e.id = g.entitlement_id)`;
}

/** Entitlements of an app that lack the same words. */
export interface Lacking {
  /** The words that their texts do not have; none where they have all. */
  readonly words: readonly string[];
  /** Some of them: all where they are no more than asked for, else one more. */
  readonly ids: readonly string[];
}

/** The entitlements of an app by the words that they lack, up to `most` of each and one more. An app's entitlements are few enough to be looked through. */
export async function listLackingEntitlements(context: Context, appId: string, words: readonly string[], most: number): Promise<Lacking[]> {
  const bits = words.map((word, index) => sql`CASE WHEN ${entitlementHas(word)} THEN 0 ELSE ${2 ** index}::integer END`);
  const lacked = bits.reduce((sum, bit) => sql`${sum} + ${bit}`);
  const rows = await context.db.rows<{ lacked: number; ids: string[] }>(
    sql`SELECT l.lacked, (array_agg(l.id ORDER BY l.id))[:${most + 1}::integer] AS ids
      FROM (SELECT e.id, ${lacked} AS lacked FROM entitlements_public e WHERE e.tenant_id = ${context.tenantId} AND e.app_id = ${appId}) AS l
      GROUP BY l.lacked ORDER BY l.lacked`,
  );
  return rows.map((row) => ({ words: words.filter((_word, index) => (row.lacked & (2 ** index)) !== 0), ids: row.ids }));
}

/**
 * The accounts of an app that have all words, each in the account or in its owner; undefined for more than `most`. The index of texts is asked
 * for the first word that few have; where all are frequent, this app's own accounts are looked through.
 */
export async function listAccountsWithWords(
  context: Context,
  { appId, words, type }: { readonly appId: string; readonly words: readonly string[]; readonly type: AccountType | undefined },
  most: number,
): Promise<string[] | undefined> {
  const { tenantId } = context;
  const where = allSql([
    sql`a.tenant_id = ${tenantId} AND a.app_id = ${appId}`,
    haveAll(context, 'a.search_text', words.join(' ')),
    ...(type === undefined ? [] : [sql`a.account_type = ${type}`]),
  ]);
  const rare = await findRare(context, words, most);
  const from =
    rare === undefined
      ? sql`SELECT a.id FROM accounts_public a WHERE ${where}`
      : sql`SELECT a.id FROM accounts_public a WHERE ${where} AND a.id = ANY (${rare.accountIds})
        UNION SELECT a.id FROM accounts_public a WHERE ${where} AND a.user_id = ANY (${rare.userIds})`;
  const rows = await context.db.rows<{ id: string }>(sql`SELECT n.id FROM (${from}) AS n LIMIT ${most + 1}`);
  return rows.length > most ? undefined : rows.map(({ id }) => id);
}

interface Rare {
  readonly accountIds: readonly string[];
  readonly userIds: readonly string[];
}

/** The accounts and the people of all apps that may have the first word that few have; undefined where many have each. */
async function findRare(context: Context, words: readonly string[], most: number): Promise<Rare | undefined> {
  for (const word of words) {
    const accountIds = await findTextCandidates(context, 'ACCOUNT', word, '', most);
    const userIds = accountIds && (await findTextCandidates(context, 'USER', word, '', most));
    if (accountIds !== undefined && userIds !== undefined) {
      return { accountIds, userIds };
    }
  }
  return undefined;
}
