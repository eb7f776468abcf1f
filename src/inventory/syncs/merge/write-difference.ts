/**
 * Making the accounts and grants of an app those of a file, under one revision of the inventory; nothing is written where nothing differs.
 */
import type { Context } from '../../../context.ts';
import { applyAccounts, applyGrants, findRevision, takeRevision } from '../../ledger/index.ts';
import { getAccountsToWrite } from './store-account-writes.ts';
import type { AccountDifference } from './store-accounts.ts';
import type { DifferenceOf, GrantDifference } from './store-difference.ts';
import { countLinkChanges, writeLinks } from './store-links.ts';
import { getGrantsToWrite, setJoins } from './store-grants.ts';

/** Has the ledger write what was found to differ, and returns the revision as of which the file holds. */
export async function writeDifference(
  context: Context,
  of: DifferenceOf & { readonly syncId: string },
  accounts: AccountDifference,
  grants: GrantDifference,
): Promise<number> {
  const { appId, sourceNo } = of;
  const links = of.tellsLinks ? await countLinkChanges(context) : 0;
  const isChanged = links + accounts.added + accounts.changed + accounts.removed + grants.rowsToWrite > 0;
  const revision = isChanged ? await takeRevision(context, appId, 'IMPORT', of.syncId) : await findRevision(context);
  await setJoins(context);
  await applyAccounts(context, { appId, revision }, getAccountsToWrite(accounts, sourceNo));
  if (grants.rowsToWrite > 0) {
    await applyGrants(context, { appId, revision }, getGrantsToWrite(sourceNo));
  }
  if (links > 0) {
    await writeLinks(context, of, revision);
  }
  return revision;
}
