/** Losses of an app by rows of grants, held against what may go unasked: the first check that trips. */
import type { Context } from '../../../context.ts';
import type { SyncSource } from '../../sources/index.ts';
import { findOver, type Trip } from '../record/index.ts';
import type { AccountDifference } from './store-accounts.ts';
import type { DifferenceOf, GrantDifference } from './store-difference.ts';
import { countAccountsOf, listEmptied, listTypeLosses } from './store-guard.ts';

/** Fewer accounts, grants of a resource type or holders of an entitlement may go without being asked about. */
const fewest = 10;
/** Accounts that come and go are about as many if they differ by no more than this part of those that go. */
const aboutAsMany = 0.2;

/** Difference of the rows from what an app has of its source. */
interface Losses {
  readonly of: DifferenceOf;
  readonly accounts: AccountDifference;
  readonly grants: GrantDifference;
  /** Grants of the source before. */
  readonly total: number;
  /** The app in words, such as `the app "Wiki"`, and where its grants come from besides. */
  readonly place: string;
}

/** Returns what trips the guard of the source; undefined for nothing, and where all may go. */
export async function findTrip(context: Context, { removalShare: share }: SyncSource, losses: Losses): Promise<Trip | undefined> {
  const { of, accounts, grants, total, place } = losses;
  if (share >= 100) {
    return undefined;
  }
  const lost = accounts.removed + accounts.disabled;
  const all = lost === 0 && accounts.total > 0 ? 0 : await countAccountsOf(context, of);
  // Of a part of the rows that names no account, others stay.
  if (accounts.total === 0 && accounts.removed === all) {
    return { check: 'NOTHING', verb: 'bring', removed: 0, total: 0, sentence: 'bring no account at all' };
  }
  return (
    findOtherKeys(accounts, all, place) ??
    findOver({ check: 'SHARE', verb: 'end', removed: grants.removed, total, noun: `grants of ${place}`, share }) ??
    (lost < fewest
      ? undefined
      : findOver({ check: 'ACCOUNTS', verb: 'end or disable', removed: lost, total: all, noun: `accounts of ${place}`, share })) ??
    (grants.removed < fewest ? undefined : ((await findTypeTrip(context, of, place, share)) ?? (await findEmptied(context, of))))
  );
}

/** More than half of the accounts go, and about as many come: they are the same ones under other keys. */
function findOtherKeys({ removed, added }: AccountDifference, total: number, place: string): Trip | undefined {
  if (removed < fewest || removed * 2 <= total || Math.abs(added - removed) > removed * aboutAsMany) {
    return undefined;
  }
  const sentence = `end ${removed} of the ${total} accounts of ${place} and add ${added} others: the key of accounts seems to have changed`;
  return { check: 'NEW_KEYS', verb: 'end', removed, total, sentence };
}

async function findTypeTrip(context: Context, of: DifferenceOf, place: string, share: number): Promise<Trip | undefined> {
  for (const { name, removed, total } of await listTypeLosses(context, of, fewest)) {
    const noun = `grants of the resource type ${JSON.stringify(name)} of ${place}`;
    const trip = findOver({ check: 'TYPE', verb: 'end', removed, total, noun, share });
    if (trip !== undefined) {
      return trip;
    }
  }
  return undefined;
}

async function findEmptied(context: Context, of: DifferenceOf): Promise<Trip | undefined> {
  const [first, ...others] = await listEmptied(context, of, fewest);
  if (first === undefined) {
    return undefined;
  }
  const more = others.length === 0 ? '' : `, and ${others.length} more without theirs`;
  const sentence = `leave the entitlement ${JSON.stringify(first.name)} without any of its ${first.holders} holders${more}`;
  return { check: 'EMPTIED', verb: 'end', removed: first.holders, total: first.holders, sentence };
}
