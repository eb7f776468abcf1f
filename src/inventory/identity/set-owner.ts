/**
 * The owner of an account, set manually, and released. Tasks of reviews that were prepared before stay as they are: a review works on its
 * snapshot.
 */
import { invalidField } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { recordEvent, refuseStale } from '../../foundation/audit/index.ts';
import { type AccountRow, requireAccount, requireLiveAccount, requireLockedApp } from '../catalog/index.ts';
import { keepAccounts, takeRevision, updateOwner } from '../ledger/index.ts';
import { lockMatching } from './store-match.ts';
import { findMatch, hasOwnerCandidate, type Match } from './store-owners.ts';

/**
 * Makes this person the account's owner, or nobody ('' ), whatever it matches and whatever syncs say, and returns it. NOT_FOUND for no such
 * account or a deleted one, INVALID_ARGUMENT for somebody who is not there or is no human.
 */
export function setOwner(context: Context, appId: string, id: string, userId: string): Promise<AccountRow> {
  return inTransaction(context, async (inside) => {
    await requireLockedApp(inside, appId);
    const account = await requireLiveAccount(inside, appId, id);
    if (userId !== '' && !(await hasOwnerCandidate(inside, userId))) {
      throw invalidField(
        'userId',
        `no person has the id ${JSON.stringify(userId.slice(0, 64))}; leave it empty to mark the account as unowned`,
      );
    }
    const to = userId === '' ? null : userId;
    if (account.isOwnedByHand && account.userId === to) {
      return account;
    }
    const before = { userId: account.userId ?? '' };
    await refuseStale(inside, { targetId: id, kinds: ['account.owner_changed'], before });
    return change(inside, account, { userId: to, isByHand: true });
  });
}

/**
 * Gives the account back to matching, at once, and returns it with how many people it matches. Fine where its owner was not set manually.
 * NOT_FOUND as above.
 */
export function releaseOwner(context: Context, appId: string, id: string): Promise<{ account: AccountRow; matchCount: number }> {
  return inTransaction(context, async (inside) => {
    await requireLockedApp(inside, appId);
    const account = await requireLiveAccount(inside, appId, id);
    await lockMatching(inside, false);
    const match = await findMatch(inside, account);
    const isSame = !account.isOwnedByHand && account.userId === match.userId && account.ownerByFormerAddress === match.byFormerAddress;
    return { account: isSame ? account : await change(inside, account, { ...match, isByHand: false }), matchCount: match.matchCount };
  });
}

async function change(
  context: Context,
  account: AccountRow,
  wanted: Pick<Match, 'userId'> & Partial<Match> & { readonly isByHand: boolean },
): Promise<AccountRow> {
  const { appId, id } = account;
  const revision = wanted.userId === account.userId ? null : await takeRevision(context, appId, 'MANUAL');
  if (revision !== null) {
    await keepAccounts(context, { appId, revision }, [id]);
  }
  await updateOwner(context, { appId, id, ...wanted });
  await recordEvent(context, {
    kind: 'account.owner_changed',
    targetId: id,
    data: {
      appId,
      revision,
      from: account.userId ?? '',
      to: wanted.userId ?? '',
      byHand: wanted.isByHand,
      ...(wanted.byFormerAddress === true ? { byFormerAddress: true } : {}),
    },
  });
  return requireAccount(context, appId, id);
}
