/** The contract's methods about evidence bundles. */
import { EvidenceService } from '../../gen/countersign/v1/evidence_pb.js';
import { pageByKey } from '../../wire/page.ts';
import { implement } from '../../wire/service.ts';
import { withLinks } from '../reports/index.ts';
import { listBundles, requestBundle } from './request-bundle.ts';

const evidence = implement(EvidenceService, {
  generate: async (context, request, call) => {
    const report = await requestBundle(context, request.accessReviewId);
    const [evidenceBundle] = await withLinks(context, call.baseUrl, [report]);
    return { evidenceBundle };
  },
  list: async (context, request, call) => {
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => listBundles(context, request.accessReviewId, after?.[0], limit),
      (row) => [row.id],
    );
    return { list: await withLinks(context, call.baseUrl, rows), nextPageToken };
  },
});

/** Services of the module. */
export const services = [evidence];
