/**
 * Finds what little a text or a type of accounts leaves of an app. Common words and common types are found soonest by passing over grants in their
 * order; rare ones by the accounts and entitlements that have them.
 */
import type { Context } from '../../context.ts';
import { splitWords } from '../../lib/names/words.ts';
import type { AppGrantFilter, NamedFew } from './store-list.ts';
import { listAccountsOfType, listNamedAccounts, listNamedEntitlements } from './store-named.ts';
import { listAccountsWithWords, listLackingEntitlements } from './store-words.ts';

/** Of more accounts than this, a page is found soon by passing over grants: there are so many. */
const maxAccounts = 1000;
/** Of each entitlement a page is read at most. */
const maxEntitlements = 100;
/** Of more words, the longest are looked for beforehand: each further one may double the combinations. */
const maxWords = 3;

/** The few accounts and entitlements that `filter` leaves; undefined where they are many, or where an account or a person is named anyway. */
export async function findNamed(context: Context, filter: AppGrantFilter): Promise<NamedFew | undefined> {
  const { appId, query, accountType: type, accountId, userId, entitlementId } = filter;
  if ((query === undefined && type === undefined) || (accountId ?? userId ?? entitlementId) !== undefined) {
    return undefined;
  }
  if (query === undefined) {
    const accountIds = type && (await listAccountsOfType(context, appId, type, maxAccounts));
    return accountIds && { accountIds, entitlementIds: [], isWhole: true };
  }
  const words = splitWords(query);
  if (words.length > 1) {
    const longest = [...new Set(words)].sort((a, b) => b.length - a.length).slice(0, maxWords);
    return findTogether(context, { appId, words: longest, type });
  }
  const entitlementIds = await listNamedEntitlements(context, appId, query, maxEntitlements);
  const accountIds = entitlementIds && (await listNamedAccounts(context, { appId, query, type }, maxAccounts));
  return accountIds && { accountIds, entitlementIds, isWhole: true };
}

/**
 * Finds grants with several words: what an entitlement lacks its account must have. So the accounts that have it are candidates, or, where those
 * are many, the entitlements that lack it.
 */
async function findTogether(
  context: Context,
  { appId, words, type }: { readonly appId: string; readonly words: readonly string[]; readonly type: AppGrantFilter['accountType'] },
): Promise<NamedFew | undefined> {
  const entitlementIds: string[] = [];
  const accountIds = new Set<string>();
  for (const lacking of await listLackingEntitlements(context, appId, words, maxEntitlements)) {
    const having =
      lacking.words.length === 0 ? undefined : await listAccountsWithWords(context, { appId, words: lacking.words, type }, maxAccounts);
    if (having === undefined) {
      entitlementIds.push(...lacking.ids);
    } else {
      for (const id of having) {
        accountIds.add(id);
      }
    }
    if (entitlementIds.length > maxEntitlements || accountIds.size > maxAccounts) {
      return undefined;
    }
  }
  return { accountIds: [...accountIds], entitlementIds, isWhole: false };
}
