/**
 * Bench figure: a number of ours beside its peer's from the same run, their ratio and the limit it is held against. How each is measured is in the
 * file of the figure.
 */
import type { World } from './data/world.ts';

/** The company that the limits are written for has so many grants. */
export const fullRows = 1_000_000;

/**
 * Where a limit says something: at any size; at the full size alone, since fixed costs outweigh the rest in a small company; or at any size, but met
 * in a small one it says nothing of a large one, since the number grows with the company.
 */
export type Reach = 'ANY_SIZE' | 'FULL_SIZE' | 'GROWING';

/** One line of the table. */
export interface FigureResult {
  readonly title: string;
  /** With units, for people. */
  readonly ours: string;
  readonly peer: string;
  readonly ratio: number;
  /** The limit in words; `isMet` says whether the ratio is within it. */
  readonly limit: string;
  readonly isMet: boolean;
  /** Where it is another one than that of its figure. */
  readonly reach?: Reach;
}

/** A run of figures. */
export interface Run {
  /** Grants of the company. */
  readonly rows: number;
  /** True if figures repeat less than they do for the page of results. */
  readonly isShort: boolean;
}

/** Measures, giving each result when it is there or all at once; a figure that needs no company in a server does not ask for the world. */
export type Figure = (world: () => Promise<World>, run: Run) => Promise<FigureResult[]> | AsyncIterable<FigureResult>;

/** The middle value; of an even number of them the upper of the two in the middle. */
export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** The value that `part` of the values (0 to 1) are below. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

/** A figure whose ratio must be at least this. */
export function atLeast(limit: number, figure: Omit<FigureResult, 'limit' | 'isMet'>, what = 'of the peer'): FigureResult {
  return { ...figure, limit: `at least ${limit} ${what}`, isMet: figure.ratio >= limit };
}

/** A figure whose ratio may be at most this. */
export function atMost(limit: number, figure: Omit<FigureResult, 'limit' | 'isMet'>, what = 'times the peer'): FigureResult {
  return { ...figure, limit: `at most ${limit} ${what}`, isMet: figure.ratio <= limit };
}

/** Seconds for people. */
export const seconds = (value: number): string => `${value.toFixed(1)} s`;

/** What a result says of its limit in a company of so many grants. */
export function verdictOf({ isMet, reach = 'ANY_SIZE' }: FigureResult, rows: number): string {
  if (rows < fullRows && reach === 'FULL_SIZE') {
    return `not judged below ${fullRows.toLocaleString('en')} grants`;
  }
  if (!isMet) {
    return 'NOT MET';
  }
  return rows < fullRows && reach === 'GROWING' ? `met at ${rows.toLocaleString('en')} grants` : 'met';
}
