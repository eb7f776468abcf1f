/**
 * One page of a list by a key of one part: one row more than asked for shows whether there is another page.
 */
import type { Call } from './service.ts';

/** One page: its rows, and the token of the next. */
interface PageOf<Row> {
  readonly rows: Row[];
  readonly nextPageToken: string;
}

/** Lists up to `limit` rows after a key, which is '' at the start. */
type ListAfter<Row> = (after: string, limit: number) => Promise<Row[]> | Row[];

/** The key of rows where nobody says another. */
const idOf = (row: unknown): string => (row as { readonly id: string }).id;

/** Fetches a page with `list` and names the next one by the key of its last row, its id unless another is said. */
export function readPage<Row extends { readonly id: string }>(call: Call, list: ListAfter<Row>): Promise<PageOf<Row>>;
export function readPage<Row>(call: Call, list: ListAfter<Row>, keyOf: (row: Row) => string): Promise<PageOf<Row>>;
export function readPage<Row>(call: Call, list: ListAfter<Row>, keyOf: (row: Row) => string = idOf): Promise<PageOf<Row>> {
  return pageByKey(
    call,
    (after, limit) => list(after?.[0] ?? '', limit),
    (row) => [keyOf(row)],
  );
}

/** Most rows of a list asked for without paging. */
const maxUnpaged = 1_000;

/**
 * The same for a list whose clients cannot page, since the public document has no parameters for it: without `pageSize` and `pageToken` it is
 * whole, up to 1,000 rows.
 */
export function wholeOrPageOf<Row extends { readonly id: string }>(call: Call, list: ListAfter<Row>): Promise<PageOf<Row>> {
  const isPaged = call.sent.pageSize !== undefined || (call.sent.pageToken ?? '') !== '';
  return readPage(isPaged ? call : { ...call, page: { ...call.page, size: maxUnpaged } }, list);
}

/** The same as `readPage` for a key of several parts. */
export async function pageByKey<Row>(
  call: Call,
  list: (after: readonly string[] | undefined, limit: number) => Promise<Row[]> | Row[],
  keyOf: (row: Row) => readonly string[],
): Promise<PageOf<Row>> {
  const found = await list(call.page.after, call.page.size + 1);
  const rows = found.slice(0, call.page.size);
  const last = rows.at(-1);
  return { rows, nextPageToken: call.nextPageToken(found.length > rows.length && last !== undefined ? keyOf(last) : undefined) };
}
