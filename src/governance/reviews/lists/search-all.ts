/**
 * Finds anything by words: a few of each kind that the caller may know of. Of more than are shown, those whose name is the text come first, then
 * those whose name begins with it.
 */
import { invalidField } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { readsInventory } from '../../../inventory/catalog/index.ts';
import { standsFor } from '../../tasks/index.ts';
import { type ReviewRow, listReviewsByIds, listSights, visibleReviews } from '../record/index.ts';
import {
  type FoundAccountRow,
  type FoundAppRow,
  type FoundEntitlementRow,
  type FoundPersonRow,
  listFoundAccounts,
  listFoundApps,
  listFoundEntitlements,
  listFoundPeople,
  listFoundReviewIds,
} from './store-search-all.ts';

const shown = 5;
/** Number of each kind found before the best are chosen. */
const looked = 30;
const longestQuery = 200;

/** A few of a kind, and whether there are more. */
export interface Found<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** Objects found of each kind. */
export interface FoundAll {
  readonly people: Found<FoundPersonRow>;
  readonly accounts: Found<FoundAccountRow>;
  readonly apps: Found<FoundAppRow>;
  readonly entitlements: Found<FoundEntitlementRow>;
  readonly reviews: Found<ReviewRow>;
}

/** The best by their names: the text itself, then what begins with it, then what has a word that does. */
function pickBest<Row>(rows: readonly Row[], query: string, nameOf: (row: Row) => string): Found<Row> {
  const text = query.toLowerCase();
  const rank = (row: Row): number => {
    const name = nameOf(row).toLowerCase();
    return name === text ? 0 : name.startsWith(text) ? 1 : name.includes(` ${text}`) ? 2 : 3;
  };
  const ranked = rows.map((row) => ({ row, rank: rank(row) })).sort((left, right) => left.rank - right.rank);
  return { rows: ranked.slice(0, shown).map(({ row }) => row), hasMore: rows.length > shown };
}

async function findReviews(context: Context, query: string): Promise<ReviewRow[]> {
  const { actor } = context;
  const ids = await listFoundReviewIds(context, query, visibleReviews(actor) === 'all' ? undefined : standsFor(actor), looked);
  const byId = await listReviewsByIds(context, ids);
  const rows = ids.flatMap((id) => byId.get(id) ?? []);
  const sights = await listSights(context, rows);
  return rows.filter(({ id }) => sights.has(id));
}

/** Up to five of each kind. INVALID_ARGUMENT for no text and for one that is too long. */
export async function searchAll(context: Context, asked: string): Promise<FoundAll> {
  const query = asked.trim();
  if (query === '' || query.length > longestQuery) {
    throw invalidField('query', `must have 1 to ${longestQuery} characters`);
  }
  const readsAll = readsInventory(context);
  const { userId } = context.actor;
  return {
    people: pickBest(readsAll ? await listFoundPeople(context, query, looked) : [], query, ({ displayName }) => displayName),
    accounts: pickBest(
      readsAll || userId !== '' ? await listFoundAccounts(context, query, readsAll ? undefined : userId, looked) : [],
      query,
      ({ account }) => account,
    ),
    apps: pickBest(readsAll ? await listFoundApps(context, query, looked) : [], query, ({ displayName }) => displayName),
    entitlements: pickBest(readsAll ? await listFoundEntitlements(context, query, looked) : [], query, ({ displayName }) => displayName),
    reviews: pickBest(await findReviews(context, query), query, ({ document }) => document.displayName ?? ''),
  };
}
