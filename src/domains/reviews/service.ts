/**
 * The contract's services about the record of a review: each method calls one rule and shapes the reply. What runs a review is in
 * service-run.ts.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import {
  AccessReviewService,
  AccessReviewServiceCreateResponseSchema,
  AccessReviewServiceDeleteResponseSchema,
  AccessReviewServiceGetResponseSchema,
  AccessReviewServiceListResponseSchema,
  AccessReviewServiceUpdateResponseSchema,
  AccessReviewSetScopeByResourceTypeResponseSchema,
} from '../../gen/c1/api/accessreview/v1/access_review_service_pb.js';
import {
  AccessReviewSetupEntitlementAndScopeService,
  AccessReviewSetupEntitlementAndScopeServiceSetResponseSchema,
} from '../../gen/c1/api/accessreview/v1/access_review_setup_entitlement_and_scope_service_pb.js';
import {
  ReviewOwnerService,
  ReviewOwnerServiceListOwnersResponseSchema,
  ReviewOwnerServiceSetOwnersResponseSchema,
  ReviewTombstoneService,
  ReviewTombstoneServiceGetResponseSchema,
  ReviewTombstoneServiceListResponseSchema,
} from '../../gen/countersign/v1/review_pb.js';
import type { Context } from '../../context.ts';
import { pageOf } from '../../wire/page.ts';
import { shape } from '../../wire/reply.ts';
import { type Call, implement } from '../../wire/service.ts';
import { createReview } from './create.ts';
import { deleteReview } from './delete.ts';
import { setupAppIds, textOf } from './document.ts';
import { readReviews } from './list.ts';
import { readOwners, setOwners } from './owners.ts';
import { requireSight } from './permit.ts';
import { listPossible } from './possible.ts';
import { readSetup, type Setup, setEntitlements, setResourceTypes } from './setup.ts';
import type { ReviewRow } from './store.ts';
import { listSetupAppIds } from './store-setup.ts';
import { readTombstone, readTombstones } from './tombstones.ts';
import { changeReview } from './update.ts';
import { noPath, shapeOwner, shapeReviewView, shapeReviewViewForReviewers, shapeTombstone } from './view.ts';
import { expandSetup, pageSetup, shapeSetupEntitlement } from './view-setup.ts';

/** The view of one review with what was asked to be expanded: paths policy_id, created_by_id, access_review_template_id, app_ids. */
async function viewReview(context: Context, call: Call, row: ReviewRow, paths: readonly string[] | undefined) {
  const wantsApps = paths?.some((path) => ['app_ids', 'appIds', '*'].includes(path)) === true;
  const wanted = [
    { path: 'policy_id', type: 'c1.api.policy.v1.Policy', ids: [textOf(row.document, 'policyId')].filter((id) => id !== '') },
    { path: 'created_by_id', type: 'c1.api.user.v1.User', ids: [row.createdById].filter((id) => id !== '') },
    {
      path: 'access_review_template_id',
      type: 'c1.api.accessreview.v1.AccessReviewTemplate',
      ids: [textOf(row.document, 'accessReviewTemplateId')].filter((id) => id !== ''),
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
    return shape(AccessReviewServiceCreateResponseSchema, await viewReview(context, call, review, request.expandMask?.paths));
  },
  get: async (context, request, call) => {
    const { review, sight } = await requireSight(context, request.id);
    const view =
      sight === 'all'
        ? await viewReview(context, call, review, undefined)
        : { accessReview: shapeReviewViewForReviewers(review), expanded: [] };
    return shape(AccessReviewServiceGetResponseSchema, view);
  },
  list: async (context, _request, call) => {
    const { rows, nextPageToken } = await pageOf(
      call,
      (after, limit) => readReviews(context, after, limit),
      (row) => row.id,
    );
    const possible = await listPossible(context, rows);
    const list = rows.map((row) => shapeReviewView(context.actor, row, possible.get(row.id), noPath));
    return shape(AccessReviewServiceListResponseSchema, { list, nextPageToken });
  },
  update: async (context, request, call) => {
    const review = await changeReview(context, request.id, (call.sent.accessReview ?? {}) as JsonObject, call.mask);
    return shape(AccessReviewServiceUpdateResponseSchema, await viewReview(context, call, review, request.expandMask?.paths));
  },
  delete: async (context, request) => {
    await deleteReview(context, request.id, request.reason);
    return shape(AccessReviewServiceDeleteResponseSchema, {});
  },
  setCampaignScopeByResourceType: async (context, request, call) => {
    const chosen = request.resourceTypeSelections.map(({ appId, resourceTypeId }) => ({ appId, resourceTypeId }));
    await setResourceTypes(context, request.accessReviewId, chosen, call.sent.scopeV2 as JsonObject | undefined);
    return shape(AccessReviewSetScopeByResourceTypeResponseSchema, {});
  },
});

async function viewSetup(context: Context, call: Call, { review, list }: Setup, paths: readonly string[] | undefined) {
  const { expanded, pathOf } = await expandSetup(call, list, paths);
  return {
    expanded,
    list: list.map((row) => shapeSetupEntitlement(context.tenantId, review.id, row, pathOf)),
    scopeV2: review.document.scopeV2 as never,
  };
}

const setupService = implement(AccessReviewSetupEntitlementAndScopeService, {
  getCampaignScopeAndEntitlements: async (context, request, call) => {
    const { setup, nextPageToken } = await pageSetup(call, (after, limit) => readSetup(context, request.accessReviewId, after, limit));
    return shape(AccessReviewSetupEntitlementAndScopeServiceSetResponseSchema, {
      ...(await viewSetup(context, call, setup, undefined)),
      nextPageToken,
    });
  },
  setCampaignScopeAndEntitlements: async (context, request, call) => {
    const chosen = request.entitlements.map(({ appId, appEntitlementId }) => ({ appId, entitlementId: appEntitlementId }));
    const setup = await setEntitlements(context, request.accessReviewId, chosen, call.sent.scopeV2 as JsonObject | undefined);
    return shape(
      AccessReviewSetupEntitlementAndScopeServiceSetResponseSchema,
      await viewSetup(context, call, setup, request.expandMask?.paths),
    );
  },
});

const ownerService = implement(ReviewOwnerService, {
  listOwners: async (context, request, call) => {
    const { rows, nextPageToken } = await pageOf(
      call,
      (after, limit) => readOwners(context, request.accessReviewId, after, limit),
      (row) => row.userId,
    );
    return shape(ReviewOwnerServiceListOwnersResponseSchema, { list: rows.map(shapeOwner), nextPageToken });
  },
  setOwners: async (context, request) =>
    shape(ReviewOwnerServiceSetOwnersResponseSchema, {
      list: (await setOwners(context, request.accessReviewId, request.userIds)).map(shapeOwner),
    }),
});

const tombstoneService = implement(ReviewTombstoneService, {
  get: async (context, request) =>
    shape(ReviewTombstoneServiceGetResponseSchema, {
      tombstone: shapeTombstone(context.actor, await readTombstone(context, request.accessReviewId)),
    }),
  list: async (context, _request, call) => {
    const { rows, nextPageToken } = await pageOf(
      call,
      (after, limit) => readTombstones(context, after, limit),
      (row) => row.id,
    );
    return shape(ReviewTombstoneServiceListResponseSchema, { list: rows.map((row) => shapeTombstone(context.actor, row)), nextPageToken });
  },
});

/** What the record of a review serves. */
export const recordServices = [reviewService, setupService, ownerService, tombstoneService];
