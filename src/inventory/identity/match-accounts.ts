/**
 * Matching accounts to people again, after people, an order or accounts have changed. Each sync matches its own accounts itself.
 */
import type { Context } from '../../context.ts';
import { type OwnerChange, type RevisionCause, takeRevision, updateOwners } from '../ledger/index.ts';
import { lockMatching } from './store-match.ts';
import { getAppDifferingSql, listAppsToMatch, lockApps } from './store-rematch.ts';

/** Most changes reported one by one. */
const maxTold = 100;

/** Changes made by matching. */
export interface Rematch {
  /** Accounts that have another owner now, or none any more. */
  readonly changed: number;
  /** Apps of theirs. */
  readonly apps: number;
  /** The revisions it took, one for each of these apps. */
  readonly revisions: readonly number[];
  /** Accounts whose owner is found by an address that they had before, and was not until now. */
  readonly marked: number;
  /** The first 100 of the changes and of those: who owned the account before, and who does now. */
  readonly first: readonly (OwnerChange & { readonly appId: string })[];
}

/**
 * Matches the accounts of this app, or of all, in the order of each one's source, and returns what changed; owners set manually stay. Where any
 * owner changes, that is one revision of the app, with what the accounts said before. To be called inside the transaction of whatever made
 * it necessary, before that takes a revision of its own; that one writes the event. Until the transaction ends, the apps are locked: a sync
 * that runs is waited for. Costs one pass over the accounts of the app (or all) and one over the people and their records; writes grow with what changes.
 */
export async function matchAccounts(context: Context, appId: string | undefined, cause: RevisionCause, syncId = ''): Promise<Rematch> {
  await lockApps(context, appId);
  await lockMatching(context, appId === undefined);
  const apps = await listAppsToMatch(context, appId);
  const first: (OwnerChange & { appId: string })[] = [];
  const revisions: number[] = [];
  for (const app of apps) {
    // Only how many people match may have changed, which is no revision.
    const revision = app.owners > 0 ? await takeRevision(context, app.appId, cause, syncId) : 0;
    if (revision > 0) {
      revisions.push(revision);
    }
    const access = { appId: app.appId, revision };
    const changes = await updateOwners(context, access, getAppDifferingSql(context, app.appId), maxTold - first.length);
    first.push(...changes.map((change) => ({ appId: app.appId, ...change })));
  }
  const changed = apps.reduce((sum, app) => sum + app.owners, 0);
  const marked = apps.reduce((sum, app) => sum + app.marked, 0);
  return { changed, marked, apps: revisions.length, first, revisions };
}
