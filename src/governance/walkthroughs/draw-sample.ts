/**
 * A sample of a review's items, drawn by a seed that an auditor chooses. Only the seed and the ids of the items decide what is drawn, so that
 * somebody else draws the same from the report or the evidence.
 */
import { refuseInvalid } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { requireEvidence } from '../reviews/index.ts';
import { digestPopulation } from '../second-reviews/index.ts';
import { getPopulationSql, listSampled, type Population, type SampledRow } from './store-sample.ts';

const most = { seed: 200, size: 1_000 } as const;
const usualSize = 25;

/** Sample that is asked for; 0 for a size that is not said. */
export interface SampleRequest {
  readonly seed: string;
  readonly size: number;
  readonly population: Population;
}

/** Items that were drawn, and what from. */
export interface Sample {
  readonly list: readonly SampledRow[];
  readonly population: number;
  readonly populationSha256: string;
  readonly seed: string;
}

/** Draws a sample of the items of a review, for its owners and those who read everything. */
export async function drawSample(context: Context, reviewId: string, { seed, size, population }: SampleRequest): Promise<Sample> {
  const violations = [
    ...(seed.length >= 1 && seed.length <= most.seed ? [] : [{ field: 'seed', description: `must have 1 to ${most.seed} characters` }]),
    ...(size >= 0 && size <= most.size ? [] : [{ field: 'size', description: `must be 1 to ${most.size}` }]),
  ];
  refuseInvalid(violations);
  const review = await requireEvidence(context, reviewId, 'draw a sample of its items');
  const { count, digest } = await digestPopulation(context, getPopulationSql(context, review.id, population));
  const list = await listSampled(context, review.id, population, seed, size === 0 ? usualSize : size);
  return { list, population: count, populationSha256: digest, seed };
}
