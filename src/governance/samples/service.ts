/** The contract's methods about the sample company: each calls one rule and shapes the reply. */
import { SampleService } from '../../gen/countersign/v1/samples_pb.js';
import type { Context } from '../../context.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import { markSamples } from './mark.ts';
import { listObstacles } from './obstacles.ts';
import { type Counts, removeSamples } from './remove.ts';
import { listSamples } from './store.ts';

const shapeCounts = ({ people, apps, reviews, monitors }: Counts) => ({
  people,
  apps,
  accessReviews: reviews,
  conflictMonitors: monitors,
});

async function shapeCompany(context: Context) {
  const samples = await listSamples(context);
  return { ...shapeCounts(samples.counts), obstacles: await listObstacles(context, samples) };
}

const samples = implement(SampleService, {
  get: async (context) => ({ sampleCompany: await shapeCompany(context) }),
  mark: async (context, { userIds, appIds, accessReviewIds, conflictMonitorIds }) => {
    await markSamples(context, { userIds, appIds, accessReviewIds, conflictMonitorIds });
    return { sampleCompany: await shapeCompany(context) };
  },
  remove: async (context) => shapeCounts(await removeSamples(context)),
});

/** Services of this module. */
export const services: readonly BoundService[] = [samples];
