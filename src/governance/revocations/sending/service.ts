/** The contract's service about removals through the connector of a source: each method calls one rule. */
import { SourceRemovalService } from '../../../gen/countersign/v1/source_removals_pb.js';
import { implement } from '../../../wire/service.ts';
import { getRemovals, releaseRemovals, setRemovals } from './settings.ts';

/** The service. */
export const removalService = implement(SourceRemovalService, {
  get: async (context, { id }) => ({ removals: await getRemovals(context, id) }),
  set: async (context, { id, enabled, hourly }) => ({ removals: await setRemovals(context, id, { enabled, hourly }) }),
  release: async (context, { id }) => ({ released: await releaseRemovals(context, id) }),
});
