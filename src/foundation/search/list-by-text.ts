/**
 * Finds a page of a text search. What many rows have is found soonest by looking at the next rows in order; what few have, by the index. Neither
 * knows beforehand which it is, so the cheap one goes first.
 */
import type { Context } from '../../context.ts';
import type { TextRange } from './conditions.ts';
import { findTextBound, findTextCandidates, type TextKind } from './store.ts';

/** Rows looked at for each one wanted before the index is asked: a text that one in twenty has needs no index. */
const lookedAtPerWanted = 20;
/** Rows looked at before the index at most. */
const maxLookedAt = 2000;
/** A query found in more rows than this is frequent: its page is found by reading on in order. */
const maxCandidates = 1000;
/** And so is one that every so many-th row has of those looked at first: the index would only say the same, after a while. */
const frequentEvery = 25;

/** Things looked for, and where. */
export interface TextSearch {
  readonly kind: TextKind;
  readonly query: string | undefined;
  /** The id the page begins after; undefined where the list is not in the order of ids. */
  readonly after: string | undefined;
  readonly limit: number;
  /** The filters beside the query leave few rows, which an index of theirs finds: among those the query is looked for. */
  readonly isNarrow?: boolean;
}

/**
 * The rows that `list` finds, where it is asked no more often and for no more than needed: it gets the range to look in and adds it to its
 * statement (`textRange`), which also carries `hasText` of the same query and its own filters, order and limit. Without a query it is asked
 * once, for everything.
 */
export async function listByText<Row>(context: Context, search: TextSearch, list: (range: TextRange) => Promise<Row[]>): Promise<Row[]> {
  const { kind, query, after, limit, isNarrow = false } = search;
  if (query === undefined || query.trim() === '' || isNarrow) {
    return list({});
  }
  const looked = Math.min(maxLookedAt, limit * lookedAtPerWanted);
  const { until, found } = await findTextBound(context, kind, query, after ?? '', looked);
  if (after !== undefined) {
    const rows = await list({ textUntil: until });
    if (until === undefined || rows.length >= limit) {
      return rows;
    }
  }
  if (found * frequentEvery >= looked) {
    return list({});
  }
  return list({ textIds: await findTextCandidates(context, kind, query, after ?? '', maxCandidates) });
}
