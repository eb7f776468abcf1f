/**
 * Matching the accounts that could be one person's, after that person alone has changed. Matching all of them is in match-accounts.ts.
 */
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { keepOwners, type RevisionCause, takeRevision, updateOwners } from '../ledger/index.ts';
import type { Rematch } from './match-accounts.ts';
import { lockMatching } from './store-match.ts';
import {
  getDifferingAccountsSql,
  listDifferingOf,
  listMoving,
  listPersonKeys,
  lockAppsOf,
  maxMoved,
  type PersonKeys,
} from './store-match-person.ts';

/** Most changes reported one by one. */
const maxTold = 100;

/** Matched accounts as events of a person name them; nothing where none changed. */
export function tellRematch(rematch: PersonRematch | undefined): object {
  return rematch === undefined || (rematch.changed === 0 && rematch.marked === 0)
    ? {}
    : { matchedAccounts: rematch.changed, accounts: rematch.first, revisions: rematch.revisions };
}

/** Changes made by matching, and the revisions it took. */
export interface PersonRematch extends Rematch {
  readonly revisions: readonly number[];
}

/**
 * Matches again the accounts of these people, and those with an address, an employee id or a user name that one of them has or had: `before`
 * is what they had. As matchAccounts, it is to be called inside the transaction of the change, after it and before any revision is taken;
 * but only apps where an owner changes are locked, and waited for, in the order of their ids. Whoever holds another app's lock already must
 * hold the lock of roles, too, as an import of people does, and wait for locks for moments only (setLockWait): an import that matches holds
 * its app and waits for us. Costs what the accounts of one person cost, found through indexes.
 */
export async function matchPerson(
  context: Context,
  userIds: readonly string[],
  before: readonly PersonKeys[],
  cause: RevisionCause,
): Promise<PersonRematch> {
  await lockMatching(context, true);
  const seen = await listDifferingOf(context, userIds, before, undefined);
  if (seen.length === 0) {
    return { changed: 0, marked: 0, apps: 0, first: [], revisions: [] };
  }
  const appIds = [...new Set(seen.map((one) => one.appId))];
  await lockAppsOf(context, appIds);
  const byApp = Map.groupBy(await listDifferingOf(context, userIds, before, appIds), (one) => one.appId);
  const first: Rematch['first'][number][] = [];
  const revisions: number[] = [];
  let changed = 0;
  let marked = 0;
  for (const [appId, accounts] of byApp) {
    const moved = accounts.filter((one) => one.from !== one.to);
    // Only how many people match may have changed, which is no revision.
    const revision = moved.length > 0 ? await takeRevision(context, appId, cause) : 0;
    await updateOwners(context, { appId, revision }, getDifferingAccountsSql(accounts), 0);
    changed += moved.length;
    const marks = accounts.filter((one) => one.byFormerAddress && !one.wasByFormerAddress);
    marked += marks.length;
    const told = accounts.filter((one) => moved.includes(one) || marks.includes(one));
    first.push(
      ...told.map(({ accountId, from, to, byFormerAddress }) => ({
        appId,
        accountId,
        from,
        to,
        ...(byFormerAddress ? { byFormerAddress } : {}),
      })),
    );
    if (revision > 0) {
      revisions.push(revision);
    }
  }
  return { changed, marked, apps: revisions.length, first: first.slice(0, maxTold), revisions };
}

/** As matchPerson, after a change of these people that may leave their keys as they were: then nothing is matched, and nobody is waited for. */
export async function matchPersonAnew(
  context: Context,
  userIds: readonly string[],
  before: readonly PersonKeys[],
  cause: RevisionCause,
): Promise<PersonRematch | undefined> {
  const said = (keys: readonly PersonKeys[]): string[] =>
    keys.map(({ emailKey, employeeId, usernameKey }) => JSON.stringify([emailKey, employeeId, usernameKey])).sort();
  const is = await listPersonKeys(context, userIds);
  return isDeepStrictEqual(said(before), said(is)) ? undefined : matchPerson(context, userIds, before, cause);
}

/** Accounts that were moved, the first of them by name, and the revisions it took. */
interface MovedAccounts {
  readonly count: number;
  readonly names: readonly string[];
  readonly revisions: readonly number[];
}

/**
 * Gives all accounts of a person to another. Those that would not be that person's by what they say are kept theirs, as if their owner had been set
 * manually. As matchPerson, inside the transaction of the change, and behind it.
 */
export async function moveAccounts(context: Context, fromId: string, intoId: string, most: number): Promise<MovedAccounts> {
  await lockMatching(context, true);
  const seen = await listMoving(context, fromId, intoId);
  await lockAppsOf(context, [...new Set(seen.map((one) => one.appId))]);
  const accounts = await listMoving(context, fromId, intoId);
  if (accounts.length > maxMoved) {
    throw new AppError('FAILED_PRECONDITION', `This person owns more than ${maxMoved} accounts: give some of them to their owners first.`);
  }
  const revisions: number[] = [];
  for (const [appId, ofApp] of Map.groupBy(accounts, (one) => one.appId)) {
    const revision = await takeRevision(context, appId, 'MANUAL');
    await updateOwners(context, { appId, revision }, getDifferingAccountsSql(ofApp), 0);
    await keepOwners(
      context,
      appId,
      ofApp.flatMap(({ accountId, isByHand }) => (isByHand ? accountId : [])),
    );
    revisions.push(revision);
  }
  return { count: accounts.length, names: accounts.slice(0, most).map(({ name }) => name), revisions };
}
