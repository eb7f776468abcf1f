/**
 * Bench figure: a number of ours beside its peer's from the same run, their ratio and the limit it is held against. How each is measured is in the
 * file of the figure.
 */
import type { World } from './data/world.ts';

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
}

/** Measures, giving each result when it is there or all at once; a figure that needs no company in a server does not ask for the world. */
export type Figure = (world: () => Promise<World>) => Promise<FigureResult[]> | AsyncIterable<FigureResult>;

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

/**
 * Measures the figures one after the other. `heard` gets each result when it is there; a figure that fails is named with its reason on `log`, and
 * the next one follows. Returns all results, and the names of those that failed.
 */
export async function measureAll(
  figures: readonly (readonly [name: string, figure: Figure])[],
  world: () => Promise<World>,
  heard: (result: FigureResult) => void,
  log: (line: string) => void,
): Promise<{ readonly results: readonly FigureResult[]; readonly failed: readonly string[] }> {
  const results: FigureResult[] = [];
  const failed: string[] = [];
  for (const [name, figure] of figures) {
    log(`measuring: ${name}`);
    try {
      for await (const result of await figure(world)) {
        results.push(result);
        heard(result);
      }
    } catch (error) {
      failed.push(name);
      log(`${name} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  }
  return { results, failed };
}
