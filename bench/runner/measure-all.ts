/** Measures figures one after the other, in the process that bench/runner/supervise.ts starts for it; what happens is said step by step. */
import { performance } from 'node:perf_hooks';
import type { World } from '../data/world.ts';
import type { Figure, FigureResult, Reach, Run } from '../figure.ts';

/** What happens: a figure begins, has a result, and has ended, with the reason where it failed. */
export type Step =
  | { readonly kind: 'begun'; readonly name: string }
  | { readonly kind: 'measured'; readonly name: string; readonly result: FigureResult }
  | { readonly kind: 'ended'; readonly name: string; readonly seconds: number; readonly failure?: string };

/** A figure by its name, with where its limits say something. */
export interface NamedFigure {
  readonly name: string;
  readonly reach: Reach;
  readonly measure: Figure;
}

/** Measures the figures; one that fails is said with its reason, and the next one follows. */
export async function measureAll(
  figures: readonly NamedFigure[],
  world: () => Promise<World>,
  run: Run,
  heard: (step: Step) => void,
): Promise<void> {
  for (const { name, reach, measure } of figures) {
    heard({ kind: 'begun', name });
    const begun = performance.now();
    let failure: string | undefined;
    try {
      for await (const result of await measure(world, run)) {
        heard({ kind: 'measured', name, result: { reach, ...result } });
      }
    } catch (error) {
      failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
    }
    heard({ kind: 'ended', name, seconds: (performance.now() - begun) / 1000, ...(failure === undefined ? {} : { failure }) });
  }
}
