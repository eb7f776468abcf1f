/**
 * Pages of one app's grants, with the accounts, people and entitlements they are about: a fixed number of queries for a page.
 */
import type { Context } from '../../context.ts';
import type { Call } from '../../wire/service.ts';
import { type AccountRow, listAccountsByIds, pageByKey } from '../catalog/index.ts';
import { listUsersByIds, type UserRow } from '../../foundation/directory/index.ts';
import { findNamed } from './find-named.ts';
import { type AppGrantFilter, type GrantRow, listGrants, listStart } from './store-list.ts';

/** A page, and who is in it. */
export interface GrantPage {
  readonly rows: readonly GrantRow[];
  readonly accounts: ReadonlyMap<string, AccountRow>;
  readonly nextPageToken: string;
}

/** A page of an app's grants with their accounts. */
export async function pageOfGrants(context: Context, call: Call, filter: AppGrantFilter): Promise<GrantPage> {
  const { rows, nextPageToken } = await pageByKey(
    call,
    async (after, limit) => {
      const [entitlementId = '', accountId = '', addedRevision = ''] = after ?? [];
      return listGrants(
        context,
        filter,
        after === undefined ? listStart : { entitlementId, accountId, addedRevision: Number(addedRevision) },
        limit,
        await findNamed(context, filter),
      );
    },
    (row) => [row.entitlementId, row.accountId, String(row.addedRevision)],
  );
  const accounts = await listAccountsByIds(
    context,
    rows.map((row) => row.accountId),
  );
  return { rows, accounts, nextPageToken };
}

/** The owners of these accounts by id. */
export function listOwners(context: Context, accounts: ReadonlyMap<string, AccountRow>): Promise<Map<string, UserRow>> {
  return listUsersByIds(
    context,
    [...accounts.values()].flatMap((account) => account.userId ?? []),
  );
}
