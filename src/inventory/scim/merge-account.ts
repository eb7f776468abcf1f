/**
 * The account of a pushed user in the app of the source. One that another source reports stays as that one says; a manual one, or
 * deleted, becomes this source's.
 */
import type { Context } from '../../context.ts';
import { foldAddress, getNameKey } from '../../lib/names/same-name.ts';
import { addAccounts, endAccounts, endGrants, handOverAccount, keepAccounts, pushAccount, takeRevision } from '../ledger/index.ts';
import { ScimError, countUsersOfAccount } from './document/index.ts';
import type { Facts } from './facts.ts';
import type { ScimSource } from './source.ts';
import { type AccountState, findAccountById, findAccountOfName, findHoldings } from './store-accounts.ts';

/** A pushed user as far as the account is concerned. */
export interface PushedAccount {
  readonly scimId: string;
  /** The account of this user, or of a deleted one of the same name; null for none. */
  readonly knownId: string | null;
  /** True if the user is pushed for the first time, or again after they were deleted. */
  readonly isNew: boolean;
  readonly facts: Facts;
  /** The person, with the address they have now; the id is null where nobody owns the account. */
  readonly person: { readonly id: string | null; readonly email: string; readonly isAnother: boolean };
}

/** Result for the account; the revision where one was needed. */
export interface MergedAccount {
  readonly id: string;
  readonly revision: number | null;
}

/** Makes the account say what the provider says. 409 where the app has another account of its name. The app is locked. */
export async function mergeAccount(context: Context, source: ScimSource, pushed: PushedAccount): Promise<MergedAccount> {
  const { facts, person } = pushed;
  const found = await findAccount(context, source, pushed);
  const wanted = {
    externalId: facts.userName,
    displayName: facts.displayName,
    // What the provider says, also while the person waits for an administrator to say it, too.
    email: foldAddress(facts.email || person.email),
    username: facts.userName,
    employeeId: facts.employeeId,
    status: facts.isActive ? ('ENABLED' as const) : ('DISABLED' as const),
    sourceNo: source.sourceNo,
  };
  if (found === undefined || found.status === 'DELETED') {
    const revision = await takeRevision(context, source.appId, 'SCIM');
    if (found !== undefined && !isSameName(found.externalId, wanted.externalId)) {
      await keepAccounts(context, { appId: source.appId, revision }, [found.id]);
      await pushAccount(context, source.appId, { ...found, externalId: wanted.externalId });
    }
    const change = { appId: source.appId, revision, sourceNo: source.sourceNo };
    const made = await addAccounts(context, change, [{ ...wanted, userId: person.id }]);
    const id = made.get(wanted.externalId) ?? '';
    if (found !== undefined) {
      await pushAccount(context, source.appId, { ...wanted, id, userId: person.id });
    }
    return { id, revision };
  }
  if (isOfOthers(found, source)) {
    return { id: found.id, revision: null };
  }
  const moves = pushed.isNew || person.isAnother || found.userId === null;
  const userId = moves && !found.isOwnedByHand ? person.id : found.userId;
  // A name that a deleted account has is not given again: the account goes on under its own.
  const holder = isSameName(found.externalId, wanted.externalId)
    ? undefined
    : await findAccountOfName(context, source.appId, wanted.externalId);
  const externalId = holder === undefined ? wanted.externalId : found.externalId;
  return changeAccount(context, source, found, { ...found, ...wanted, externalId, userId });
}

function isSameName(one: string, other: string): boolean {
  return getNameKey(one) === getNameKey(other);
}

const said = ['externalId', 'displayName', 'email', 'username', 'employeeId', 'status', 'userId'] as const;

async function changeAccount(context: Context, source: ScimSource, before: AccountState, after: AccountState): Promise<MergedAccount> {
  const isChanged = said.some((name) => before[name] !== after[name]);
  if (!isChanged && before.sourceNo === after.sourceNo) {
    return { id: after.id, revision: null };
  }
  // Another source is no revision: nobody holds anything else by it. A new name is one: older syncs reported the account under its old one.
  const revision = isChanged ? await takeRevision(context, source.appId, 'SCIM') : null;
  if (revision !== null) {
    await keepAccounts(context, { appId: source.appId, revision }, [after.id]);
  }
  await pushAccount(context, source.appId, after);
  return { id: after.id, revision };
}

function isOfOthers(account: AccountState, source: ScimSource): boolean {
  return account.status !== 'DELETED' && account.sourceNo !== 0 && account.sourceNo !== source.sourceNo;
}

async function findAccount(context: Context, source: ScimSource, pushed: PushedAccount): Promise<AccountState | undefined> {
  const { scimId, isNew, facts } = pushed;
  const known = await findKnown(context, source, pushed);
  if (known !== undefined && isSameName(known.externalId, facts.userName)) {
    return known;
  }
  const named = await findAccountOfName(context, source.appId, facts.userName);
  if (named === undefined) {
    return known;
  }
  if (known !== undefined && !isNew && named.status === 'DELETED') {
    return known;
  }
  // An account goes on under its old name where a deleted one had the new one: then a user of the old name would be another's account.
  const isFree = (known === undefined || isNew) && (await countUsersOfAccount(context, source.id, named.id, scimId)) === 0;
  if (!isFree) {
    throw new ScimError(409, 'uniqueness', `The app has another account named ${JSON.stringify(facts.userName)}.`);
  }
  return named;
}

/** The account that the pushed user has; or one that a deleted user of the person had, unless it is another's by now who was given the user name. */
async function findKnown(
  context: Context,
  source: ScimSource,
  { scimId, knownId, isNew, person }: PushedAccount,
): Promise<AccountState | undefined> {
  const known = knownId === null ? undefined : await findAccountById(context, source.appId, knownId);
  if (known === undefined || !isNew) {
    return known;
  }
  const isTheirs = known.isOwnedByHand || known.userId === person.id;
  return isTheirs && (await countUsersOfAccount(context, source.id, known.id, scimId)) === 0 ? known : undefined;
}

/** Things that ended with an account. */
export interface EndedAccount {
  readonly revision: number | null;
  /** The entitlements it held from this source. */
  readonly entitlementIds: readonly string[];
}

/**
 * Ends what this source gave the account, and the account itself, unless another source reports it or gives it something: then it stays, as
 * that one's. The app is locked.
 */
export async function endAccount(context: Context, source: ScimSource, accountId: string): Promise<EndedAccount> {
  const { appId, sourceNo } = source;
  const account = await findAccountById(context, appId, accountId);
  if (account === undefined || account.status === 'DELETED') {
    return { revision: null, entitlementIds: [] };
  }
  const { entitlementIds, otherSourceNo } = await findHoldings(context, appId, accountId, sourceNo);
  const isKept = isOfOthers(account, source) || otherSourceNo !== null;
  if (isKept && account.sourceNo === sourceNo) {
    await handOverAccount(context, appId, accountId, otherSourceNo ?? 0);
  }
  if (isKept && entitlementIds.length === 0) {
    return { revision: null, entitlementIds };
  }
  const change = { appId, sourceNo, revision: await takeRevision(context, appId, 'SCIM') };
  if (isKept) {
    await endGrants(
      context,
      change,
      entitlementIds.map((entitlementId) => ({ entitlementId, accountId })),
    );
  } else {
    await endAccounts(context, change, [accountId]);
  }
  return { revision: change.revision, entitlementIds };
}
