/**
 * Removing what was granted manually.
 */
import { AppError } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { requireLockedApp } from '../catalog/index.ts';
import { endAccounts, endGrants, takeRevision } from '../ledger/index.ts';
import { findEntitlementState, findOpenGrant, findSourceName } from './store-state.ts';

/**
 * Ends a grant that was granted manually. That of app access ends the account, if it was made manually, with all it holds. NOT_FOUND for no
 * such entitlement or where the account does not hold it, FAILED_PRECONDITION where it comes from a source.
 */
export function removeMembership(context: Context, appId: string, entitlementId: string, accountId: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    await requireLockedApp(inside, appId);
    const entitlement = await findEntitlementState(inside, appId, entitlementId);
    if (entitlement === undefined) {
      throw new AppError('NOT_FOUND', 'There is no such entitlement in this app.');
    }
    const grant = await findOpenGrant(inside, appId, entitlementId, accountId);
    if (grant === undefined) {
      throw new AppError('NOT_FOUND', 'There is no such account in this app that holds this entitlement.');
    }
    const sourceNo = entitlement.isAppAccess ? grant.accountSourceNo : grant.sourceNo;
    if (sourceNo !== 0) {
      throw await refuse(inside, appId, sourceNo, entitlement.isAppAccess ? 'account' : 'grant');
    }
    const change = { appId, revision: await takeRevision(inside, appId, 'MANUAL'), sourceNo: 0 };
    const ended = entitlement.isAppAccess
      ? await endAccounts(inside, change, [accountId])
      : await endGrants(inside, change, [{ entitlementId, accountId }]);
    await recordEvent(inside, {
      kind: entitlement.isAppAccess ? 'account.deleted' : 'entitlement.member_removed',
      targetId: entitlement.isAppAccess ? accountId : entitlementId,
      data: { appId, revision: change.revision, accountId, entitlementIds: ended.map((pair) => pair.entitlementId).sort() },
    });
  });
}

async function refuse(context: Context, appId: string, sourceNo: number, what: string): Promise<AppError> {
  const name = await findSourceName(context, appId, sourceNo);
  const source = name === '' ? `source ${sourceNo} of the app` : `the source ${JSON.stringify(name)}`;
  return new AppError('FAILED_PRECONDITION', `This ${what} comes from ${source}. Remove it there; it ends with the next sync.`);
}
