/**
 * Freezing what a scope chooses, to keep it or to throw it away. What is frozen, and what is refused, is in the files freeze-*.ts.
 */
import { listFailures } from './freeze-verdicts.ts';
import { countFailedAccounts } from './store-verdicts.ts';
import { AppError, isAppError } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { findRevision } from '../../../inventory/ledger/index.ts';
import { newId } from '../../../wire/ids.ts';
import type { SnapshotOfConditions, TranslatedCondition } from '../conditions/index.ts';
import { freezePeople, freezeReviewed, readPeople } from './freeze-people.ts';
import { freezeConflicts, freezeEntitlements } from './freeze-scope.ts';
import { type ChosenScope, type ReviewToFreeze, refuseSnapshot } from '../scope/index.ts';
import {
  type SnapshotItems,
  getFrozenHolders,
  getGrantConditionSql,
  getProfileConditionSql,
  hasItems,
  listAccountsAdded,
} from '../items/index.ts';
import { findChosenHeld, setOneMoment } from './store-freeze.ts';

/** Place of a snapshot and what it is of: the id of its rows, and the revision of the inventory. */
export interface SnapshotPlace {
  readonly id: string;
  readonly revision: number;
}

/** The items of a snapshot of what was chosen, taken at a moment. Still where nobody else changes the inventory meanwhile. */
export function snapshotItems(
  context: Context,
  { id, revision }: SnapshotPlace,
  chosen: ChosenScope,
  takenAt: Date,
  isStill: boolean,
): SnapshotItems {
  return {
    id,
    revision,
    holders: getFrozenHolders(context.tenantId, id),
    isStill,
    ofGrant: getGrantConditionSql(context, id, chosen.filters.grants, takenAt),
    ofEntitlement: getProfileConditionSql(chosen.filters.profiles),
    ofConflicts: chosen.what.scopeType === 'BY_ACCESS_CONFLICTS',
    hasLinks: chosen.filters.principals !== 'ACCOUNTS',
    hasCarriers: chosen.what.scopeType === 'BY_INHERITANCE',
    excludedGrants: chosen.entries.filter((entry) => entry.kind === 'GRANT').map((entry) => `${entry.accountId}/${entry.entitlementId}`),
    listedGrants: chosen.entries.filter((entry) => entry.list === 'GRANT').map((entry) => `${entry.accountId}/${entry.entitlementId}`),
  };
}

/** Collects what freezing the conditions of a review needs, while its snapshot is taken. */
export function snapshotConditions(
  context: Context,
  { createdById }: Pick<ReviewToFreeze, 'createdById'>,
  items: SnapshotItems,
): SnapshotOfConditions {
  return { id: items.id, items, moment: { createdById, takenAt: context.now } };
}

class ThrownAway extends Error {}

/**
 * Does `work` in a transaction that is rolled back. All its statements see the database at one moment, so it waits for nobody who changes the
 * inventory. INTERNAL inside an open transaction, where nothing could be thrown away.
 */
export async function withThrownAway<T>(context: Context, work: (inside: Context, passing: SnapshotPlace) => Promise<T>): Promise<T> {
  if (context.db.inTransaction) {
    throw new AppError('INTERNAL', 'Something went wrong on our side.', {
      detail: 'a snapshot to be thrown away needs its own transaction',
    });
  }
  const results: T[] = [];
  try {
    await context.db.transaction(async (db) => {
      const inside = { ...context, db };
      await setOneMoment(inside);
      results.push(await work(inside, { id: newId(context.now), revision: await findRevision(inside) }));
      throw new ThrownAway();
    });
  } catch (error) {
    if (!(error instanceof ThrownAway)) {
      throw error;
    }
  }
  return results[results.length - 1] as T;
}

const nothingInScope = 'no access is in scope: ';

/** Refuses a snapshot in which nothing is: FAILED_PRECONDITION; `why` as `explainEmpty` says it. */
export function refuseEmpty(why: string): void {
  refuseSnapshot([{ field: 'accessReview', description: `${nothingInScope}${why}` }]);
}

/** Longest expression that a message repeats. */
const maxQuoted = 200;
const shorten = (text: string): string => (text.length <= maxQuoted ? text : `${text.slice(0, maxQuoted)}...`);

/**
 * Why nothing is in scope: nobody holds what is chosen, or filters exclude it; then also for how many accounts an expression failed, with one of them.
 */
export async function explainEmpty(context: Context, { id, holders }: SnapshotItems, { filters }: ChosenScope): Promise<string> {
  const { entitlements, isHeld } = await findChosenHeld(context, id);
  if (entitlements === 0) {
    return 'the choice has no entitlement that is there';
  }
  if (!isHeld) {
    return entitlements === 1
      ? 'nobody holds the entitlement that is chosen'
      : `nobody holds any of the ${entitlements} entitlements that are chosen`;
  }
  return `the filters exclude everything${await explainFailed(context, holders, filters)}`;
}

/** True if nothing is in scope because an expression of it failed. */
export async function hasFailed(context: Context, { holders }: SnapshotItems, { filters }: ChosenScope): Promise<boolean> {
  return (await listFailures(context, holders, filters)).length > 0;
}

async function explainFailed(context: Context, holders: SnapshotItems['holders'], filters: ChosenScope['filters']): Promise<string> {
  const [example] = await listFailures(context, holders, filters);
  if (example === undefined) {
    return '';
  }
  const { failed, all } = await countFailedAccounts(context, holders);
  return `; an expression fails for ${failed} of ${all} accounts, such as ${JSON.stringify(example.account)}: ${example.message} (${example.field}: ${shorten(example.expression)})`;
}

/** Why nothing is in scope, where a snapshot was refused for this alone; undefined for any other refusal. */
export function findWhyEmpty(error: unknown): string | undefined {
  const [violation, ...others] = isAppError(error, 'FAILED_PRECONDITION') ? (error.violations ?? []) : [];
  return others.length === 0 && violation?.description.startsWith(nothingInScope) === true
    ? violation.description.slice(nothingInScope.length)
    : undefined;
}

/** Items frozen of a scope, and whether there are none. */
export interface FrozenScope {
  readonly items: SnapshotItems;
  readonly isEmpty: boolean;
}

/**
 * Freezes entitlements, people and accounts of what was chosen, all or a sample of them. The caller holds the inventory still at `place.revision`,
 * or sees one moment of it.
 */
export async function freezeScope(
  context: Context,
  review: ReviewToFreeze,
  place: SnapshotPlace,
  chosen: ChosenScope,
  which: 'all' | 'sample',
): Promise<FrozenScope> {
  await freezeEntitlements(context, place.id, review, chosen);
  await freezeConflicts(context, place.id, chosen);
  await freezePeople(context, place.id, chosen, which);
  await freezeReviewed(context, place.id, review, chosen);
  const items = snapshotItems(context, place, chosen, context.now, true);
  return { items, isEmpty: !(await hasItems(context, items)) };
}

/** The items that a scope would freeze now, its people and accounts read from the inventory. */
export interface ScopeNow extends FrozenScope {
  /** Returns the items with these conditions of policies worked out for their accounts. */
  readonly getItems: (conditions: readonly TranslatedCondition[]) => SnapshotItems;
  /** Freezes people and accounts after all, for what the database cannot evaluate, and returns the items of these. */
  readonly freezePeople: () => Promise<SnapshotItems>;
}

/**
 * Reads what was chosen without freezing its people and accounts, of which there are many; entitlements and what was found about grants are frozen.
 * The caller sees one moment of the inventory.
 */
export async function readScopeNow(context: Context, review: ReviewToFreeze, place: SnapshotPlace, chosen: ChosenScope): Promise<ScopeNow> {
  await freezeEntitlements(context, place.id, review, chosen);
  await freezeConflicts(context, place.id, chosen);
  await freezeReviewed(context, place.id, review, chosen);
  const people = await readPeople(context, place.id, chosen);
  const frozen = snapshotItems(context, place, chosen, context.now, true);
  const getItems = (conditions: readonly TranslatedCondition[]): SnapshotItems => ({ ...frozen, holders: people.getHolders(conditions) });
  const items = getItems([]);
  return {
    items,
    isEmpty: !(await hasItems(context, items)),
    getItems,
    async freezePeople() {
      await people.freeze();
      return frozen;
    },
  };
}

/** Access that a scope would ask about now and that came after a revision. */
export interface Arrivals {
  readonly items: SnapshotItems;
  /** The accounts that got anything of it, before filters are asked. */
  readonly accountIds: readonly string[];
}

/**
 * Reads which accounts got access after a revision that the scope chooses, with the items that filters leave of it. It costs what was added since: of the
 * entitlements only those are frozen that somebody got, and their people and accounts are read from the inventory. Undefined where nothing was added.
 */
export async function readArrivals(
  context: Context,
  review: ReviewToFreeze,
  place: SnapshotPlace,
  chosen: ChosenScope,
  after: number,
): Promise<Arrivals | undefined> {
  await freezeEntitlements(context, place.id, review, chosen, after);
  const accountIds = await listAccountsAdded(context, place.id, after);
  if (accountIds.length === 0) {
    return undefined;
  }
  if (chosen.what.scopeType === 'BY_ACCESS_CONFLICTS') {
    await freezeConflicts(context, place.id, chosen);
  }
  await freezeReviewed(context, place.id, review, chosen);
  const people = await readPeople(context, place.id, chosen);
  const items = snapshotItems(context, place, chosen, context.now, false);
  return { items: { ...items, holders: people.getHolders([]) }, accountIds };
}
