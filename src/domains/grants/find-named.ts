/**
 * What a text or a type of accounts leaves of an app, where that is little. Common words and common types are found soonest by passing over
 * grants in their order; rare ones by the accounts and entitlements that have them.
 */
import type { Context } from '../../context.ts';
import type { AppGrantFilter, NamedFew } from './store-list.ts';
import { listAccountsOfType, listNamedAccounts, listNamedEntitlements } from './store-named.ts';

/** Of more accounts than this, a page is found soon by passing over grants: there are so many. */
const mostAccounts = 1000;
/** Of each entitlement a page is read at most. */
const mostEntitlements = 100;

/** The few accounts and entitlements that `filter` leaves; undefined where they are many, or where an account or a person is named anyway. */
export async function findNamed(context: Context, filter: AppGrantFilter): Promise<NamedFew | undefined> {
  const { appId, query, accountType: type, accountId, userId, entitlementId } = filter;
  if ((query === undefined && type === undefined) || (accountId ?? userId ?? entitlementId) !== undefined) {
    return undefined;
  }
  if (query === undefined) {
    const accountIds = type && (await listAccountsOfType(context, appId, type, mostAccounts));
    return accountIds && { accountIds, entitlementIds: [] };
  }
  const entitlementIds = await listNamedEntitlements(context, appId, query, mostEntitlements);
  const accountIds = entitlementIds && (await listNamedAccounts(context, { appId, query, type }, mostAccounts));
  return accountIds && { accountIds, entitlementIds };
}
