/** Reviews and their owners as clients see them. Which a caller may see is decided by the rules. Their chosen entitlements are in view-setup.ts. */
import { type AccessReview, AccessReviewSchema, type AccessReviewView } from '../../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import type { ReviewOwnerView, ReviewTombstone } from '../../../gen/countersign/v1/review_pb.js';
import type { Actor } from '../../../context.ts';
import { keptRow, type Row, unset } from '../../../wire/row.ts';
import {
  type OwnerRow,
  pickMembers,
  type ReviewRow,
  changeableGroups,
  mayDeleteReview,
  mayManageReview,
  changeStage,
} from '../record/index.ts';
import type { Possible } from './possible.ts';

/** The place of an expanded object, or '' where it was not expanded. */
export type PathOf = (path: string, id: string) => string;

/** Nothing expanded. */
export const noPath: PathOf = () => '';

/** Members that the server computes from prepare on; a draft answers what was stored in it. */
function computedMembers(row: ReviewRow) {
  if (row.state === 'DRAFT') {
    return {};
  }
  return {
    scopingVersion: row.scopingVersion,
    expectedTicketCount: row.expectedTicketCount,
    hasAccuracySupport: row.accuracy?.supported === true,
  };
}

/** A review as c1.api.accessreview.v1.AccessReview: what was written, and what the server knows. */
export function shapeReview(row: ReviewRow): Row<AccessReview> {
  return {
    ...keptRow(AccessReviewSchema, row.document),
    ...computedMembers(row),
    id: row.id,
    state: row.state,
    createdById: row.createdById,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    startedAt: row.startedAt,
    closedAt: row.closedAt,
    emptiedAt: row.emptiedAt,
    legalHold: row.legalHold,
    connectorSourcesFrozenAt: row.sourcesFrozenAt,
    errorState: row.errorState === 'SELECTION_QUOTA' ? 'SELECTION_QUOTA_EXCEED_ERROR' : 'UNSPECIFIED',
    campaignHealth: row.watchedAt && { checkedAt: row.watchedAt, phantomLockedCount: 0 },
    campaignInsights: row.insights === '' ? undefined : { markdown: row.insights },
  };
}

/** A review as its reviewers read it: what they are asked and until when. Everything else looks as if it were not set. */
export function shapeReviewForReviewers(row: ReviewRow): Row<AccessReview> {
  return {
    ...(pickMembers(row.document, ({ reviewers }) => reviewers) as Row<AccessReview>),
    id: row.id,
    state: row.state,
    startedAt: row.startedAt,
    closedAt: row.closedAt,
  };
}

/** The same as a view, with the permission to read alone. */
export function shapeReviewViewForReviewers(row: ReviewRow): Row<AccessReviewView> {
  return {
    accessReview: shapeReviewForReviewers(row),
    objectPermissions: { read: true, edit: false, delete: false, extra: {} },
    ...unset('createdByUserPath', 'policyPath'),
  };
}

/** A review with what this caller may do to it and where related objects stand among the expanded ones. */
export function shapeReviewView(actor: Actor, row: ReviewRow, possible: Possible | undefined, pathOf: PathOf): Row<AccessReviewView> {
  return {
    accessReview: shapeReview(row),
    createdByUserPath: pathOf('created_by_id', row.createdById),
    policyPath: pathOf('policy_id', row.document.policyId ?? ''),
    objectPermissions: {
      read: true,
      edit: mayManageReview(actor, row) && changeableGroups[changeStage(row)].length > 0,
      delete: mayDeleteReview(actor, row),
      extra: possible,
    },
  };
}

/** Shapes what a deleted review leaves. */
export function shapeTombstone(actor: Actor, row: ReviewRow): Row<ReviewTombstone> {
  return { ...row, accessReview: shapeReviewView(actor, row, undefined, noPath), reason: row.deleteReason };
}

/** An owner of a review. */
export function shapeOwner(row: OwnerRow): Row<ReviewOwnerView> {
  return { owner: row };
}
