/**
 * The contract's services about the record of a review: each method calls one rule and shapes the reply. What runs a review is in
 * service-run.ts.
 */
import { AccessReviewService } from '../../gen/c1/api/accessreview/v1/access_review_service_pb.js';
import type { AccessReviewScopeV2 } from '../../gen/c1/api/accessreview/v1/scope_pb.js';
import { AccessReviewSetupEntitlementAndScopeService } from '../../gen/c1/api/accessreview/v1/access_review_setup_entitlement_and_scope_service_pb.js';
import { ReviewOwnerService, ReviewTombstoneService } from '../../gen/countersign/v1/review_pb.js';
import type { Context } from '../../context.ts';
import { readPage } from '../../wire/page.ts';
import { type Row, unset } from '../../wire/row.ts';
import { type Call, implement } from '../../wire/service.ts';
import {
  changeReview,
  createReview,
  deleteReview,
  listPossible,
  noPath,
  shapeOwner,
  shapeReviewView,
  shapeReviewViewForReviewers,
  shapeTombstone,
} from './life/index.ts';
import { type ReviewRow, readOwners, requireSight, setOwners, setupAppIds } from './record/index.ts';
import { readReviews, readTombstone, readTombstones } from './lists/index.ts';
import { readSetup, type Setup, setEntitlements, setResourceTypes } from './scope/index.ts';
import { listSetupAppIds } from '../snapshots/index.ts';
import { expandSetup, pageSetup, shapeSetupEntitlement } from './view-setup.ts';

/** The view of one review with what was asked to be expanded: paths policy_id, created_by_id, access_review_template_id, app_ids. */
async function viewReview(context: Context, call: Call, row: ReviewRow, paths: readonly string[] | undefined) {
  const wantsApps = paths?.some((path) => ['app_ids', 'appIds', '*'].includes(path)) === true;
  const wanted = [
    { path: 'policy_id', type: 'c1.api.policy.v1.Policy', ids: row.document.policyId ? [row.document.policyId] : [] },
    { path: 'created_by_id', type: 'c1.api.user.v1.User', ids: [row.createdById].filter((id) => id !== '') },
    {
      path: 'access_review_template_id',
      type: 'c1.api.accessreview.v1.AccessReviewTemplate',
      ids: row.document.accessReviewTemplateId ? [row.document.accessReviewTemplateId] : [],
    },
    {
      path: 'app_ids',
      type: 'c1.api.app.v1.App',
      ids: wantsApps ? [...new Set([...setupAppIds(row.document), ...(await listSetupAppIds(context, row.id))])] : [],
    },
  ];
  const { expanded, pathOf } = await call.expand(wanted, paths);
  const possible = await listPossible(context, [row]);
  return { accessReview: shapeReviewView(context.actor, row, possible.get(row.id), pathOf), expanded };
}

const reviewService = implement(AccessReviewService, {
  create: async (context, request, call) => {
    const review = await createReview(context, call.sent, request.ownerIds, request.duplicateFrom);
    return viewReview(context, call, review, request.expandMask?.paths);
  },
  get: async (context, request, call) => {
    const { review, sight } = await requireSight(context, request.id);
    const view =
      sight === 'all'
        ? await viewReview(context, call, review, undefined)
        : { accessReview: shapeReviewViewForReviewers(review), expanded: [] };
    return view;
  },
  list: async (context, _request, call) => {
    const { rows, nextPageToken } = await readPage(call, (after, limit) => readReviews(context, after, limit));
    const possible = await listPossible(context, rows);
    const list = rows.map((row) => shapeReviewView(context.actor, row, possible.get(row.id), noPath));
    return { list, nextPageToken };
  },
  update: async (context, request, call) => {
    const review = await changeReview(context, request.id, call.sent.accessReview ?? {}, call.mask);
    return viewReview(context, call, review, request.expandMask?.paths);
  },
  delete: async (context, request) => {
    await deleteReview(context, request.id, request.reason);
    return {};
  },
  setCampaignScopeByResourceType: async (context, request, call) => {
    const chosen = request.resourceTypeSelections.map(({ appId, resourceTypeId }) => ({ appId, resourceTypeId }));
    await setResourceTypes(context, request.accessReviewId, chosen, call.sent.scopeV2);
    return {};
  },
});

async function viewSetup(context: Context, call: Call, { review, list }: Setup, paths: readonly string[] | undefined) {
  const { expanded, pathOf } = await expandSetup(call, list, paths);
  return {
    expanded,
    list: list.map((row) => shapeSetupEntitlement(context.tenantId, review.id, row, pathOf)),
    scopeV2: review.document.scopeV2 as Row<AccessReviewScopeV2> | undefined,
  };
}

const setupService = implement(AccessReviewSetupEntitlementAndScopeService, {
  getCampaignScopeAndEntitlements: async (context, request, call) => {
    const { setup, nextPageToken } = await pageSetup(call, (after, limit) => readSetup(context, request.accessReviewId, after, limit));
    return { ...(await viewSetup(context, call, setup, undefined)), nextPageToken };
  },
  setCampaignScopeAndEntitlements: async (context, request, call) => {
    const chosen = request.entitlements.map(({ appId, appEntitlementId }) => ({ appId, entitlementId: appEntitlementId }));
    const setup = await setEntitlements(context, request.accessReviewId, chosen, call.sent.scopeV2);
    return { ...(await viewSetup(context, call, setup, request.expandMask?.paths)), ...unset('nextPageToken') };
  },
});

const ownerService = implement(ReviewOwnerService, {
  listOwners: async (context, request, call) => {
    const { rows, nextPageToken } = await readPage(
      call,
      (after, limit) => readOwners(context, request.accessReviewId, after, limit),
      (row) => row.userId,
    );
    return { list: rows.map(shapeOwner), nextPageToken };
  },
  setOwners: async (context, request) => ({ list: (await setOwners(context, request.accessReviewId, request.userIds)).map(shapeOwner) }),
});

const tombstoneService = implement(ReviewTombstoneService, {
  get: async (context, request) => ({ tombstone: shapeTombstone(context.actor, await readTombstone(context, request.accessReviewId)) }),
  list: async (context, _request, call) => {
    const { rows, nextPageToken } = await readPage(call, (after, limit) => readTombstones(context, after, limit));
    return { list: rows.map((row) => shapeTombstone(context.actor, row)), nextPageToken };
  },
});

/** Services of the record of a review. */
export const recordServices = [reviewService, setupService, ownerService, tombstoneService];
