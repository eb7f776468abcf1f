/**
 * Search for a page of tasks with a text, in whatever order. What many tasks have is found soonest by reading on; what few have, by the index of
 * texts. Neither is known beforehand, so the next tasks are looked at first (docs/decisions/0023-task-keys.md).
 */
import type { Context } from '../../../context.ts';
import { findTextCandidates, listRenamed } from '../../../foundation/search/index.ts';
import {
  findNextByText,
  findOldestSnapshot,
  type FoundTask,
  hasTasksBeyond,
  listSnapshotAccountsOf,
  listSnapshotAccountsWith,
  listSnapshotEntitlementsWith,
  listSnapshotResourcesWith,
  listTaskIds,
} from './store-search.ts';
import { findNumber, type TaskFilter, type Viewer } from './store-search-filter.ts';
import { type Candidates, isByPlace, type TaskPage } from './store-search-sources.ts';
import { splitWords } from '../../../lib/names/words.ts';

/** Tasks looked at before anything else. */
const lookedAt = 2_000;
/** A text that every so many-th of them has is frequent: reading on fills the page. */
const frequentEvery = 50;
/** People, accounts and entitlements that a text is found in, beyond which it is frequent, too. */
const maxNamed = 1_000;
const maxAccounts = 3_000;
/** Tasks that are sorted for a page. */
const maxSorted = 2_500;
/** Words that are looked for one by one. */
const maxWords = 5;
/** A rename was begun before the snapshot, and committed after it, by so much at most. */
const slackMs = 3_600_000;

/** A page of the tasks that a filter with a query keeps. */
export async function listByQuery(context: Context, viewer: Viewer, filter: TaskFilter, page: TaskPage): Promise<readonly FoundTask[]> {
  const { looked, matched, found } = await findNextByText(context, viewer, filter, page, lookedAt);
  if (found.length >= page.limit || looked < lookedAt) {
    return found;
  }
  const candidates = matched * frequentEvery >= looked ? undefined : await findCandidates(context, filter, page);
  // By accounts, those are passed over whose names lack a word that no entitlement has.
  const accountWords = candidates !== undefined || isByPlace(page.order) ? undefined : await findAccountWords(context, filter);
  return listTaskIds(context, viewer, filter, page, { candidates, accountWords });
}

/** The words of a query that no entitlement has in its names. A number may be that of the task. */
async function findAccountWords(context: Context, { query = '', reviewIds }: TaskFilter): Promise<string[]> {
  const found: string[] = [];
  for (const word of findNumber(query) === undefined ? splitWords(query).slice(0, maxWords) : []) {
    if ((await listSnapshotEntitlementsWith(context, reviewIds, word, 0)) !== undefined) {
      found.push(word);
    }
  }
  return found;
}

/** Finds the only places of a query, by its longest word; undefined where that is in too much. */
async function findCandidates(
  context: Context,
  { query = '', reviewIds }: TaskFilter,
  { order }: TaskPage,
): Promise<Candidates | undefined> {
  const word = splitWords(query).reduce((longest, next) => (next.length > longest.length ? next : longest), '');
  const accountIds =
    (await findAccounts(context, reviewIds, word)) ?? (await listSnapshotAccountsWith(context, reviewIds, word, maxAccounts));
  const entitlementIds = await listSnapshotEntitlementsWith(context, reviewIds, word, maxNamed);
  if (accountIds === undefined || entitlementIds === undefined) {
    return undefined;
  }
  // So many are met soon in any order but that of the entitlements, in which they are not sorted anyway.
  const isMany = !isByPlace(order) && (await hasTasksBeyond(context, reviewIds, entitlementIds, maxSorted));
  return { accountIds, entitlementIds, number: findNumber(query), isMany };
}

/**
 * Accounts of snapshots whose names, or whose owners' names, may have a word: as the index of texts knows them now, and all that were renamed
 * since; and the resources of snapshots that have it, which no index of texts knows by that. Undefined where there are too many of either.
 */
async function findAccounts(context: Context, reviewIds: readonly string[] | undefined, word: string): Promise<string[] | undefined> {
  const since = new Date((await findOldestSnapshot(context, reviewIds)).getTime() - slackMs);
  const named = async (kind: 'USER' | 'ACCOUNT'): Promise<string[] | undefined> => {
    const known = await findTextCandidates(context, kind, word, '', maxNamed);
    const renamed = known === undefined ? undefined : await listRenamed(context, kind, since, maxNamed);
    return known === undefined || renamed === undefined ? undefined : [...known, ...renamed];
  };
  const accounts = await named('ACCOUNT');
  const users = accounts === undefined ? undefined : await named('USER');
  const owned = users === undefined ? undefined : await listSnapshotAccountsOf(context, reviewIds, users, maxAccounts);
  const resources = owned === undefined ? undefined : await listSnapshotResourcesWith(context, reviewIds, word, maxNamed);
  return accounts === undefined || owned === undefined || resources === undefined
    ? undefined
    : [...new Set([...accounts, ...owned, ...resources])];
}
