/** Describes a member of a bundle. */
import type { Context } from '../../context.ts';
import type { ReportRow } from '../reports/index.ts';
import type { ReviewRow } from '../../governance/reviews/index.ts';
import type { BundleCursor } from './bundle-cursor.ts';

/** The bundle that a member is part of. */
export interface BundlePlace extends Pick<BundleCursor, 'log' | 'lastPosition'> {
  readonly report: ReportRow;
  readonly review: ReviewRow;
}

/** A part of a member; `after` is where the next begins, undefined behind the last. */
export interface MemberPage {
  /** Lines without their ends, at most 1,000; of a member that has no lines, its whole text. */
  readonly lines: readonly string[];
  /** Whole content of a member that is no text, in place of lines. */
  readonly bytes?: Buffer;
  readonly after: string | undefined;
  /** The position of the last event of the review among the lines, where they are events. */
  readonly lastPosition?: number;
}

/** One file of a bundle. */
export interface BundleMember {
  readonly path: string;
  /** Name of the number of its lines in the manifest; absent where that is not there. */
  readonly counted?: string;
  /** The lines after `after`, '' for the first. */
  read(context: Context, place: BundlePlace, after: string): Promise<MemberPage>;
}

/** Lines of one block. */
export const linesPerBlock = 1_000;

/** True for a member of lines; others are one text. */
export const hasLines = ({ path }: Pick<BundleMember, 'path'>): boolean => path.endsWith('.jsonl');

/** A member that is one text. */
export function wholeMember(path: string, write: (context: Context, place: BundlePlace) => Promise<string>): BundleMember {
  return { path, read: async (context, place) => ({ lines: [await write(context, place)], after: undefined }) };
}

/** A member of the lines of rows, which are read a block of `most` at a time: `list` returns those behind a key, in its order. */
export function lineMember<Row>(
  path: string,
  list: (context: Context, reviewId: string, after: readonly string[], limit: number, place: BundlePlace) => Promise<readonly Row[]>,
  keyOf: (row: Row) => readonly string[],
  lineOf: (row: Row) => string,
  counted?: string,
  most = linesPerBlock,
): BundleMember {
  return {
    path,
    ...(counted === undefined ? {} : { counted }),
    async read(context, place, after) {
      const key = after === '' ? [] : (JSON.parse(after) as string[]);
      const rows = await list(context, place.review.id, key, most, place);
      const last = rows.length < most ? undefined : rows.at(-1);
      return { lines: rows.map(lineOf), after: last && JSON.stringify(keyOf(last)) };
    },
  };
}
