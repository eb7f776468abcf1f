/**
 * How a page of a text search is found. What many rows have is found soonest by looking at the next rows in order; what few have, by the
 * index. Neither knows beforehand which it is, so the cheap one goes first.
 */
import type { Scope } from '../../scope.ts';
import type { TextRange } from './conditions.ts';
import { findTextBound, findTextCandidates, type TextKind } from './store.ts';

/** How many rows are looked at for each one wanted before the index is asked: a text that one in twenty has needs no index. */
const lookedAtPerWanted = 20;
/** Rows looked at before the index at most. */
const mostLookedAt = 2000;
/** A query found in more rows than this is frequent: its page is found by reading on in order. */
const mostCandidates = 1000;

/**
 * The rows that `list` finds, where it is asked no more often and for no more than needed: it gets the range to look in and adds it to its
 * statement (`textRange`), which also carries `hasText` of the same query and its own filters, order and limit. `after` is the id the page
 * begins after; undefined where the list is not in the order of ids. Without a query it is asked once, for everything.
 */
export async function listByText<Row>(
  scope: Scope,
  search: { kind: TextKind; query: string | undefined; after: string | undefined; limit: number },
  list: (range: TextRange) => Promise<Row[]>,
): Promise<Row[]> {
  const { kind, query, after, limit } = search;
  if (query === undefined || query.trim() === '') {
    return list({});
  }
  if (after !== undefined) {
    const textUntil = await findTextBound(scope, kind, after, Math.min(mostLookedAt, limit * lookedAtPerWanted));
    const rows = await list({ textUntil });
    if (textUntil === undefined || rows.length >= limit) {
      return rows;
    }
  }
  return list({ textIds: await findTextCandidates(scope, kind, query, after ?? '', mostCandidates) });
}
