/**
 * How reviews and their owners look outside. Which a caller may see is decided by the rules. Their chosen entitlements are in view-setup.ts.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import {
  type AccessReviewJson,
  AccessReviewSchema,
  type AccessReviewViewJson,
  AccessReviewViewSchema,
  CampaignHealthSnapshotSchema,
  CampaignInsightsSchema,
} from '../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { ActorObjectPermissionsSchema } from '../../gen/c1/api/iam/v1/iam_pb.js';
import {
  ReviewOwnerSchema,
  type ReviewOwnerViewJson,
  ReviewOwnerViewSchema,
  type ReviewTombstoneJson,
  ReviewTombstoneSchema,
} from '../../gen/countersign/v1/review_pb.js';
import type { Actor } from '../../context.ts';
import { shape, timestamp } from '../../wire/reply.ts';
import { changeableGroups, stageOf } from './changeable.ts';
import { mayDeleteReview } from './lifecycle.ts';
import { mayManageReview } from './permit.ts';
import type { Possible } from './possible.ts';
import type { ReviewRow } from './store.ts';
import type { OwnerRow } from './store-owners.ts';

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
    hasAccuracySupport: row.accuracy?.supported === true,
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
    errorState:
      row.errorState === 'SELECTION_QUOTA'
        ? 'ACCESS_REVIEW_ERROR_STATE_SELECTION_QUOTA_EXCEED_ERROR'
        : 'ACCESS_REVIEW_ERROR_STATE_UNSPECIFIED',
    ...(row.watchedAt === null
      ? {}
      : { campaignHealth: shape(CampaignHealthSnapshotSchema, { checkedAt: timestamp(row.watchedAt), phantomLockedCount: 0 }) }),
    ...(row.insights === '' ? {} : { campaignInsights: shape(CampaignInsightsSchema, { markdown: row.insights }) }),
  });
}

/** The members of the document that reviewers need. */
const reviewerMembers = [
  'displayName',
  'description',
  'reviewInstructions',
  'completionDate',
  'signatureConfig',
  'columnConfig',
  'defaultView',
  'reviewerAttributeConfig',
] as const;

/** A review as its reviewers read it: what they are asked and until when. Everything else looks as if it were not set. */
export function shapeReviewForReviewers(row: ReviewRow): AccessReviewJson {
  const members = Object.fromEntries(
    reviewerMembers.map((member) => [member, row.document[member]]).filter(([, value]) => value !== undefined),
  );
  return shape(AccessReviewSchema, {
    ...(members as AccessReviewJson),
    id: row.id,
    state: `ACCESS_REVIEW_STATE_${row.state}`,
    startedAt: timestamp(row.startedAt),
    closedAt: timestamp(row.closedAt),
  });
}

/** The same as a view, with the permission to read alone. */
export function shapeReviewViewForReviewers(row: ReviewRow): AccessReviewViewJson {
  return shape(AccessReviewViewSchema, {
    accessReview: shapeReviewForReviewers(row),
    objectPermissions: shape(ActorObjectPermissionsSchema, { read: true, edit: false, delete: false }),
  });
}

/** A review with what this caller may do to it and where related objects stand among the expanded ones. */
export function shapeReviewView(actor: Actor, row: ReviewRow, possible: Possible | undefined, pathOf: PathOf): AccessReviewViewJson {
  return shape(AccessReviewViewSchema, {
    accessReview: shapeReview(row),
    createdByUserPath: pathOf('created_by_id', row.createdById),
    policyPath: pathOf('policy_id', String(row.document.policyId ?? '')),
    objectPermissions: shape(ActorObjectPermissionsSchema, {
      read: true,
      edit: mayManageReview(actor, row) && changeableGroups[stageOf(row)].length > 0,
      delete: mayDeleteReview(actor, row),
      extra: { ...possible },
    }),
  });
}

/** What a deleted review leaves. */
export function shapeTombstone(actor: Actor, row: ReviewRow): ReviewTombstoneJson {
  return shape(ReviewTombstoneSchema, {
    accessReview: shapeReviewView(actor, row, undefined, noPath),
    deletedAt: timestamp(row.deletedAt),
    deletedById: row.deletedById ?? '',
    reason: row.deleteReason,
  });
}

/** An owner of a review. */
export function shapeOwner(row: OwnerRow): ReviewOwnerViewJson {
  return shape(ReviewOwnerViewSchema, { owner: shape(ReviewOwnerSchema, row) });
}
