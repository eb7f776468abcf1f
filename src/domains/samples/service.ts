/** The contract's methods about the sample company: each calls one rule and shapes the reply. */
import {
  SampleCompanySchema,
  SampleService,
  SampleServiceGetResponseSchema,
  SampleServiceMarkResponseSchema,
  SampleServiceRemoveResponseSchema,
} from '../../gen/countersign/v1/samples_pb.js';
import type { Context } from '../../context.ts';
import { shape } from '../../wire/reply.ts';
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
  return shape(SampleCompanySchema, { ...shapeCounts(samples.counts), obstacles: await listObstacles(context, samples) });
}

const samples = implement(SampleService, {
  get: async (context) => shape(SampleServiceGetResponseSchema, { sampleCompany: await shapeCompany(context) }),
  mark: async (context, { userIds, appIds, accessReviewIds, conflictMonitorIds }) => {
    await markSamples(context, { userIds, appIds, accessReviewIds, conflictMonitorIds });
    return shape(SampleServiceMarkResponseSchema, { sampleCompany: await shapeCompany(context) });
  },
  remove: async (context) => shape(SampleServiceRemoveResponseSchema, shapeCounts(await removeSamples(context))),
});

/** What this module serves. */
export const services: readonly BoundService[] = [samples];
