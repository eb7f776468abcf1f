/**
 * How templates and their chosen entitlements look outside. Which a caller may see is decided by the rules.
 */
import {
  type AccessReviewTemplateJson,
  AccessReviewTemplateSchema,
  AccessReviewTemplateSetupEntitlementSchema,
  type AccessReviewTemplateSetupEntitlementViewJson,
  AccessReviewTemplateSetupEntitlementViewSchema,
} from '../../gen/c1/api/accessreview/v1/access_review_template_pb.js';
import { shape, timestamp } from '../../wire/reply.ts';
import { type PathOf, type SetupEntitlementRow, shapeSetupFields, shapeSetupPaths } from '../reviews/index.ts';
import type { TemplateRow } from './store.ts';

/** A template as c1.api.accessreview.v1.AccessReviewTemplate: what was written, and what the server knows. */
export function shapeTemplate(row: TemplateRow): AccessReviewTemplateJson {
  return shape(AccessReviewTemplateSchema, {
    ...(row.document as AccessReviewTemplateJson),
    id: row.id,
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
    nextScheduledCampaignAt: timestamp(row.nextAt),
    occurrences: row.reviewsMade,
  });
}

/** A chosen entitlement of a template. */
export function shapeTemplateEntitlement(
  tenantId: string,
  templateId: string,
  row: SetupEntitlementRow,
  pathOf: PathOf,
): AccessReviewTemplateSetupEntitlementViewJson {
  return shape(AccessReviewTemplateSetupEntitlementViewSchema, {
    accessReviewTemplateEntitlement: shape(AccessReviewTemplateSetupEntitlementSchema, {
      ...shapeSetupFields(row),
      accessReviewTemplateId: templateId,
      tenantId,
    }),
    ...shapeSetupPaths(row, pathOf),
  });
}
