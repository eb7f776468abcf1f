/** Obstacles to removing the samples, each as a sentence that ends with the way out. */
import type { Context } from '../../context.ts';
import { type Dependents, findDependents, type Found } from './store-obstacles.ts';
import type { Samples } from './store.ts';

const sentences: Readonly<Record<keyof Dependents, (what: string) => string>> = {
  reviews: (what) => `Samples are asked about, or asked, in ${what}. Close or delete that first.`,
  mixedReviews: (what) => `Apps of your own are in ${what}. Close or delete it first.`,
  busyReviews: (what) => `${what} is just being prepared, started or closed. Try again when that is done.`,
  fedApps: (what) => `Your own files or identity provider filled ${what}. If it is not needed, delete it by itself; then the rest can go.`,
  apps: (what) => `Sample people own accounts or the app itself in ${what}. Give them to somebody else first.`,
  people: (what) => `The manager of ${what} is a sample. Import who their manager is first.`,
  ownedReviews: (what) => `A sample person owns ${what}. Name other owners first.`,
};

/** “One”, or “One” and so many more. */
const nameOf = ({ name, count }: Found): string => (count > 1 ? `“${name}” and ${count - 1} more` : `“${name}”`);

/** The obstacles; none where nothing is loaded. */
export async function listObstacles(context: Context, samples: Samples): Promise<string[]> {
  if (Object.values(samples.counts).every((count) => count === 0)) {
    return [];
  }
  const found = await findDependents(context, samples);
  const keys = Object.keys(sentences) as (keyof Dependents)[];
  return [
    ...(samples.userIds.includes(context.actor.userId) ? ['You are signed in as a sample person. Sign in as yourself.'] : []),
    ...keys.filter((key) => found[key].count > 0).map((key) => sentences[key](nameOf(found[key]))),
  ];
}
