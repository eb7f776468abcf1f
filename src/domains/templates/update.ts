/**
 * Changing a template: which members are set, and the event that says so. Reviews that were made of it stay as they are.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { type Context, inTransaction } from '../../context.ts';
import type { FieldViolation } from '../../errors.ts';
import { AccessReviewTemplateSchema } from '../../gen/c1/api/accessreview/v1/access_review_template_pb.js';
import { compareDocuments } from '../../lib/compare-documents.ts';
import { asObject } from '../../lib/json.ts';
import { applyUpdate } from '../../wire/mask.ts';
import { recordEvent } from '../audit/index.ts';
import { forEvent, refuseViolations } from '../reviews/index.ts';
import { documentOf, ownZoneOf, textOf } from './document.ts';
import { noSuchTemplate, requireLockedTemplate } from './permit.ts';
import { changesSchedule, restartSchedule } from './schedule.ts';
import { findTemplate, type TemplateRow, updateTemplate } from './store.ts';
import { listViolations } from './validate-template.ts';

/** Where the template stands in the request; before the paths of what is wrong with it. */
const prefix = 'accessReviewTemplate.';

/** The document after the update. A mask that names the time of the next review moves the start of the schedule there. */
function merge(before: JsonObject, sent: JsonObject, mask: readonly string[] | undefined): JsonObject {
  const merged = applyUpdate(AccessReviewTemplateSchema, before, sent, mask);
  if (mask?.includes('*') === true && sent.scopeType === undefined && before.scopeType !== undefined) {
    merged.scopeType = before.scopeType;
  }
  if (mask?.includes('nextScheduledCampaignAt') !== true) {
    return documentOf(merged);
  }
  const startDate = textOf(sent, 'nextScheduledCampaignAt');
  const violations: FieldViolation[] = [];
  if (startDate === '') {
    violations.push({
      field: `${prefix}nextScheduledCampaignAt`,
      description: 'must be a time; set isCampaignScheduleEnabled to false for none',
    });
  }
  if (merged.recurrenceRule === undefined) {
    violations.push({ field: `${prefix}recurrenceRule`, description: 'must be set, so that its start can be moved' });
  }
  refuseViolations(violations);
  return documentOf({ ...merged, recurrenceRule: { ...asObject(merged.recurrenceRule), startDate } });
}

/**
 * Changes what the mask names (what was sent, where there is no mask) and returns the template as it is then. Two updates of different members both
 * hold: the row is locked while the document is merged. A change of the schedule begins it anew. NOT_FOUND and PERMISSION_DENIED as for any template;
 * INVALID_ARGUMENT with everything that is wrong. An update that changes nothing writes nothing.
 */
export function changeTemplate(context: Context, id: string, sent: JsonObject, mask: readonly string[] | undefined): Promise<TemplateRow> {
  return inTransaction(context, async (inside) => {
    const template = await requireLockedTemplate(inside, id);
    const document = merge(template.document, sent, mask);
    const { fields: changed } = compareDocuments(template.document, document);
    if (changed.length === 0) {
      return template;
    }
    refuseViolations([
      ...(changed.includes('scopeType') ? [{ field: `${prefix}scopeType`, description: 'is fixed at creation' }] : []),
      ...listViolations(document, prefix),
    ]);
    const restarts = changesSchedule(changed, ownZoneOf(document) !== ownZoneOf(template.document));
    await updateTemplate(inside, id, { document, ...(restarts ? await restartSchedule(inside, template, document) : {}) });
    await recordEvent(inside, {
      kind: 'template.updated',
      targetType: 'access_review_template',
      targetId: id,
      data: {
        fields: changed,
        from: Object.fromEntries(changed.map((member) => [member, forEvent(template.document[member])])),
        to: Object.fromEntries(changed.map((member) => [member, forEvent(document[member])])),
      },
    });
    const after = await findTemplate(inside, id);
    if (after === undefined) {
      throw noSuchTemplate();
    }
    return after;
  });
}
