/**
 * How reviews, their owners and their chosen entitlements look outside. Which a caller may see is decided by the rules.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import {
  type AccessReviewJson,
  AccessReviewSchema,
  AccessReviewSetupEntitlementSchema,
  type AccessReviewSetupEntitlementViewJson,
  AccessReviewSetupEntitlementViewSchema,
  AccessReviewTombstoneSchema,
  type AccessReviewViewJson,
  AccessReviewViewSchema,
} from '../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { ActorObjectPermissionsSchema } from '../../gen/c1/api/iam/v1/iam_pb.js';
import { ReviewOwnerSchema, type ReviewOwnerViewJson, ReviewOwnerViewSchema } from '../../gen/countersign/v1/review_pb.js';
import type { Actor } from '../../context.ts';
import { shape, timestamp } from '../../wire/reply.ts';
import { changeableGroups, stageOf } from './changeable.ts';
import { mayDeleteReview } from './lifecycle.ts';
import { mayManageReview } from './permit.ts';
import type { ReviewRow } from './store.ts';
import type { OwnerRow } from './store-owners.ts';
import type { SetupEntitlementRow } from './store-setup.ts';

/** The place of an expanded object, or '' where it was not expanded. */
export type PathOf = (path: string, id: string) => string;

/** Nothing expanded. */
export const noPath: PathOf = () => '';

/** What the server computes from prepare on; a draft answers what was stored in it. */
function computedMembers(row: ReviewRow): JsonObject {
  if (row.state === 'DRAFT') {
    return {};
  }
  return {
    scopingVersion: String(row.scopingVersion),
    expectedTicketCount: row.expectedTicketCount ?? 0,
    // Nothing that is imported can say how old its source is.
    hasAccuracySupport: false,
  };
}

/** A review as c1.api.accessreview.v1.AccessReview: what was written, and what the server knows. */
export function shapeReview(row: ReviewRow): AccessReviewJson {
  return shape(AccessReviewSchema, {
    ...(row.document as AccessReviewJson),
    ...(computedMembers(row) as AccessReviewJson),
    id: row.id,
    state: `ACCESS_REVIEW_STATE_${row.state}`,
    createdById: row.createdById,
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
    startedAt: timestamp(row.startedAt),
    closedAt: timestamp(row.closedAt),
    connectorSourcesFrozenAt: timestamp(row.sourcesFrozenAt),
  });
}

/** A review with what this caller may do to it and where related objects stand among the expanded ones. */
export function shapeReviewView(actor: Actor, row: ReviewRow, pathOf: PathOf): AccessReviewViewJson {
  return shape(AccessReviewViewSchema, {
    accessReview: shapeReview(row),
    createdByUserPath: pathOf('created_by_id', row.createdById),
    policyPath: pathOf('policy_id', String(row.document.policyId ?? '')),
    objectPermissions: shape(ActorObjectPermissionsSchema, {
      read: true,
      edit: mayManageReview(actor, row) && changeableGroups[stageOf(row)].length > 0,
      delete: mayDeleteReview(actor, row),
    }),
    tombstone:
      row.state === 'DELETED'
        ? shape(AccessReviewTombstoneSchema, {
            deletedAt: timestamp(row.deletedAt),
            deletedById: row.deletedById ?? '',
            reason: row.deleteReason,
          })
        : undefined,
  });
}

/** An owner of a review. */
export function shapeOwner(row: OwnerRow): ReviewOwnerViewJson {
  return shape(ReviewOwnerViewSchema, { owner: shape(ReviewOwnerSchema, row) });
}

/** A chosen entitlement of a review. */
export function shapeSetupEntitlement(
  tenantId: string,
  reviewId: string,
  row: SetupEntitlementRow,
  pathOf: PathOf,
): AccessReviewSetupEntitlementViewJson {
  return shape(AccessReviewSetupEntitlementViewSchema, {
    accessReviewEntitlement: shape(AccessReviewSetupEntitlementSchema, {
      accessReviewId: reviewId,
      appEntitlementId: row.entitlementId,
      appId: row.appId,
      appResourceId: row.resourceId,
      appResourceTypeId: row.resourceTypeId,
      createdAt: timestamp(row.createdAt),
      customPolicyId: row.customPolicyId,
      policyId: row.policyId,
      tenantId,
      updatedAt: timestamp(row.updatedAt),
    }),
    appPath: pathOf('app_id', row.appId),
    entitlementPath: pathOf('app_entitlement_id', row.entitlementId),
    policyPath: pathOf('policy_id', row.policyId),
  });
}
