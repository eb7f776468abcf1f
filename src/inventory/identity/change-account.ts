/**
 * Changing an account manually: its type, the one thing of it that is not its source's alone. Its owner is set in set-owner.ts.
 */
import { type AppUserJson, AppUserSchema } from '../../gen/c1/api/app/v1/app_pb.js';
import { inTransaction, type Context } from '../../context.ts';
import { applyUpdate } from '../../wire/mask.ts';
import { bareName } from '../../wire/names.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { type AccountRow, requireAccount, requireLiveAccount, requireLockedApp } from '../catalog/index.ts';
import { keepAccounts, takeRevision, updateAccountType } from '../ledger/index.ts';

/**
 * Changes the members the mask names, or those that were sent where there is none, and returns the account. A type that is named in the mask, or
 * sent and another than before, is set manually and survives syncs; the unspecified one gives it back to the source, whose next sync says it.
 * NOT_FOUND for no such account or a deleted one, INVALID_ARGUMENT for a bad mask.
 */
export function changeAccount(
  context: Context,
  appId: string,
  id: string,
  sent: AppUserJson,
  mask: readonly string[] | undefined,
): Promise<AccountRow> {
  return inTransaction(context, async (inside) => {
    await requireLockedApp(inside, appId);
    const account = await requireLiveAccount(inside, appId, id);
    const before = `APP_USER_TYPE_${account.accountType}` as const;
    const wanted = applyUpdate(AppUserSchema, { appUserType: before }, sent, mask).appUserType ?? 'APP_USER_TYPE_UNSPECIFIED';
    const isGivenBack = wanted === 'APP_USER_TYPE_UNSPECIFIED';
    const accountType = isGivenBack ? account.accountType : bareName('APP_USER_TYPE_', wanted);
    const isNamed = mask !== undefined && (mask.includes('*') || mask.includes('appUserType'));
    const isTypedByHand = !isGivenBack && (account.isTypedByHand || isNamed || accountType !== account.accountType);
    if (accountType === account.accountType && isTypedByHand === account.isTypedByHand) {
      return account;
    }
    // Given back is a revision too, though nothing is said yet: the same file as before is then read again.
    const revision = accountType !== account.accountType || isGivenBack ? await takeRevision(inside, appId, 'MANUAL') : null;
    if (revision !== null) {
      await keepAccounts(inside, { appId, revision }, [id]);
    }
    await updateAccountType(inside, { appId, id, accountType, isTypedByHand });
    await recordEvent(inside, {
      kind: 'account.updated',
      targetId: id,
      data: {
        appId,
        revision,
        fields: ['appUserType'],
        from: { appUserType: before, byHand: account.isTypedByHand },
        to: { appUserType: `APP_USER_TYPE_${accountType}`, byHand: isTypedByHand },
      },
    });
    return requireAccount(inside, appId, id);
  });
}
