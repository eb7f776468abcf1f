/** Templates and chosen entitlements as clients see them. Which a caller may see is decided by the rules. */
import {
  type AccessReviewTemplate,
  AccessReviewTemplateSchema,
  type AccessReviewTemplateSetupEntitlementView,
} from '../../../gen/c1/api/accessreview/v1/access_review_template_pb.js';
import { keptRow, type Row, unset } from '../../../wire/row.ts';
import { type PathOf, shapeSetupFields, shapeSetupPaths } from '../../reviews/index.ts';
import type { SetupEntitlementRow } from '../../snapshots/index.ts';
import type { TemplateRow } from './store.ts';

/** A template as c1.api.accessreview.v1.AccessReviewTemplate: what was written, and what the server knows. */
export function shapeTemplate(row: TemplateRow): Row<AccessReviewTemplate> {
  return {
    ...keptRow(AccessReviewTemplateSchema, row.document),
    ...row,
    nextScheduledCampaignAt: row.nextAt,
    occurrences: row.reviewsMade,
    ...unset('deletedAt'),
  };
}

/** A chosen entitlement of a template. */
export function shapeTemplateEntitlement(
  tenantId: string,
  templateId: string,
  row: SetupEntitlementRow,
  pathOf: PathOf,
): Row<AccessReviewTemplateSetupEntitlementView> {
  return {
    accessReviewTemplateEntitlement: { ...shapeSetupFields(row), accessReviewTemplateId: templateId, tenantId },
    ...shapeSetupPaths(row, pathOf),
  };
}
