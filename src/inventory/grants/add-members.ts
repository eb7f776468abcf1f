/**
 * Giving an entitlement manually: to the accounts people have in its app, or to accounts made for them.
 */
import { AppError, invalidField } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { requireLockedApp } from '../catalog/index.ts';
import { addAccounts, giveGrants, takeRevision } from '../ledger/index.ts';
import { type CandidateRow, findEntitlementState, listCandidates, listNamesInUse } from './store-state.ts';

/** Most people one call may name. */
const maxMembers = 1000;

/** Reasons people were not given it, by id. */
export type Refusals = Readonly<Record<string, string>>;

/**
 * Gives a manual entitlement, or app access, to these people; those who hold it already stay as they are. One revision and one event for
 * all. NOT_FOUND for no such entitlement, INVALID_ARGUMENT for nobody or too many, FAILED_PRECONDITION where a source gives it.
 */
export function addMembers(context: Context, appId: string, entitlementId: string, userIds: readonly string[]): Promise<Refusals> {
  if (userIds.length === 0) {
    throw invalidField('userIds', 'must name at least one person to grant it to');
  }
  if (userIds.length > maxMembers) {
    throw invalidField('userIds', `must not hold more than ${maxMembers} ids; send the others in another request`);
  }
  return inTransaction(context, async (inside) => {
    await requireLockedApp(inside, appId);
    const entitlement = await findEntitlementState(inside, appId, entitlementId);
    if (entitlement === undefined) {
      throw new AppError('NOT_FOUND', 'There is no such entitlement in this app.');
    }
    if (!entitlement.isManual && !entitlement.isAppAccess) {
      throw new AppError(
        'FAILED_PRECONDITION',
        'This entitlement comes from a source, which also decides who holds it. Only manual entitlements and app access can be granted manually.',
      );
    }
    const { willing, refused } = await sort(inside, appId, await listCandidates(inside, appId, entitlementId, userIds), userIds);
    const without = willing.filter((one) => one.accountId === null);
    const lacking = willing.filter((one) => !one.holds);
    if (lacking.length === 0) {
      return refused;
    }
    const change = { appId, revision: await takeRevision(inside, appId, 'MANUAL'), sourceNo: 0 };
    const made = await addAccounts(
      inside,
      change,
      without.map(({ userId, email, displayName }) => ({ externalId: email, email, displayName, userId })),
    );
    // Whoever has an account has app access, so for that one the new accounts are all there is to do.
    const pairs = lacking.map((one) => ({ entitlementId, accountId: one.accountId ?? made.get(one.email) ?? '' }));
    if (!entitlement.isAppAccess) {
      await giveGrants(inside, change, pairs);
    }
    await recordEvent(inside, {
      kind: 'entitlement.members_added',
      targetId: entitlementId,
      data: {
        appId,
        revision: change.revision,
        members: lacking.map((one, index) => ({ userId: one.userId, accountId: pairs[index]?.accountId })),
        accountsMade: [...made.values()],
      },
    });
    return refused;
  });
}

/** Sorts out who can be given it, and why others cannot. */
async function sort(
  context: Context,
  appId: string,
  found: readonly CandidateRow[],
  userIds: readonly string[],
): Promise<{ willing: CandidateRow[]; refused: Record<string, string> }> {
  const known = new Map(found.map((one) => [one.userId, one]));
  const names = found.filter((one) => one.accountId === null).map((one) => one.email);
  const taken = names.length === 0 ? new Set<string>() : await listNamesInUse(context, appId, names);
  const refused: Record<string, string> = {};
  const willing: CandidateRow[] = [];
  for (const id of new Set(userIds)) {
    const one = known.get(id);
    const reason = one === undefined ? 'There is no such user.' : whyNot(one, taken);
    if (one !== undefined && reason === undefined) {
      willing.push(one);
    } else {
      refused[id] = reason ?? '';
    }
  }
  return { willing, refused };
}

function whyNot(one: CandidateRow, taken: ReadonlySet<string>): string | undefined {
  if (!one.isPerson) {
    return 'This is a service principal: it has no accounts.';
  }
  if (one.accountId === null && one.email === '') {
    return 'This person has no mail address to name an account after.';
  }
  if (one.accountId === null && taken.has(one.email)) {
    return `The app has an account named ${JSON.stringify(one.email)} that they do not own. Make them its owner first.`;
  }
  return undefined;
}
