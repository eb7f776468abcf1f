/**
 * Until when a grant is given: setting the date and taking it away. The date of a manual grant is kept by us (expire.ts); that of one
 * from a source is shown, and the source has to act on it.
 */
import { AppError, invalidField } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { requireLockedApp } from '../catalog/index.ts';
import { changeGrantEnd, type Pair, takeRevision } from '../ledger/index.ts';
import { scheduleExpiry } from './expire.ts';
import { findEntitlementState, findOpenGrant } from './store-state.ts';

/**
 * Sets until when an open grant is given; null for no end. The same date again changes nothing. NOT_FOUND for no such entitlement or where
 * the account does not hold it, INVALID_ARGUMENT for a date that has passed.
 */
export function changeDuration(context: Context, appId: string, pair: Pair, until: Date | null): Promise<void> {
  if (until !== null && until.getTime() <= context.now.getTime()) {
    throw invalidField('newDeprovisionAt', 'must be in the future; to end a membership at once, use remove-membership');
  }
  return inTransaction(context, async (inside) => {
    await requireLockedApp(inside, appId);
    const entitlement = await findEntitlementState(inside, appId, pair.entitlementId);
    if (entitlement === undefined) {
      throw new AppError('NOT_FOUND', 'There is no such entitlement in this app.');
    }
    const grant = await findOpenGrant(inside, appId, pair.entitlementId, pair.accountId);
    if (grant === undefined) {
      throw new AppError('NOT_FOUND', 'There is no such account in this app that holds this entitlement.');
    }
    if (grant.deprovisionAt?.getTime() === until?.getTime()) {
      return;
    }
    const revision = await takeRevision(inside, appId, 'MANUAL');
    await changeGrantEnd(inside, { appId, revision }, pair, until);
    if (until !== null) {
      await scheduleExpiry(inside);
    }
    await recordEvent(inside, {
      kind: 'grant.duration_changed',
      targetId: pair.entitlementId,
      data: {
        appId,
        revision,
        accountId: pair.accountId,
        from: grant.deprovisionAt?.toISOString() ?? '',
        to: until?.toISOString() ?? '',
      },
    });
  });
}
