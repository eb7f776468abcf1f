/** The contract's methods about coverage: each calls one rule and shapes the reply. */
import { CoverageService } from '../../gen/countersign/v1/coverage_pb.js';
import { pageByKey, readPage } from '../../wire/page.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import { readApps, readCoverage, readGaps } from './read.ts';
import { findFacts } from './requirements.ts';
import type { GapRow } from './store.ts';

function shapeGrant(row: GapRow) {
  const { certified, removed, notCovered } = row;
  return { ...row, appEntitlementId: row.entitlementId, appUserId: row.accountId, days: { certified, removed, notCovered } };
}

const coverage = implement(CoverageService, {
  get: (context, request) => readCoverage(context, request, request.appId),
  listApps: async (context, request, call) => {
    const { rows, nextPageToken } = await readPage(
      call,
      (after, limit) => readApps(context, request, after, limit),
      ({ appId }) => appId,
    );
    return { list: rows, nextPageToken };
  },
  listGaps: async (context, request, call) => {
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => {
        const [entitlementId = '', accountId = '', addedRevision = '0'] = after ?? [];
        const key = after && { entitlementId, accountId, addedRevision: Number(addedRevision) };
        return readGaps(context, request, request.appId, key, limit);
      },
      (row) => [row.entitlementId, row.accountId, String(row.addedRevision)],
    );
    return { list: rows.map(shapeGrant), nextPageToken };
  },
  listRequirements: async (context) => ({ list: await findFacts(context) }),
});

/** Services of this module. */
export const services: readonly BoundService[] = [coverage];
