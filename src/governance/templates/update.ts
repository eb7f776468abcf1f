/**
 * Changing a template: which members are set, and the event that says so. Reviews that were made of it stay as they are.
 */
import { shape } from '../../wire/reply.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { FieldViolation } from '../../errors.ts';
import { type AccessReviewTemplateJson, AccessReviewTemplateSchema } from '../../gen/c1/api/accessreview/v1/access_review_template_pb.js';
import { compareDocuments } from '../../lib/compare-documents.ts';
import { applyUpdate } from '../../wire/mask.ts';
import { serverOwnedNames } from '../../wire/plan.ts';
import { recordEvent, refuseStale } from '../../foundation/audit/index.ts';
import { forEvent, listWiderInTemplate, refuseExempting, refuseViolations, refuseWider } from '../reviews/index.ts';
import {
  type TemplateRow,
  type TemplateSettings,
  changesSchedule,
  isOfSchedule,
  templateDocument,
  findTemplate,
  listViolations,
  noSuchTemplate,
  ownZoneOf,
  requireLockedTemplate,
  restartSchedule,
  shapeTemplate,
  updateTemplate,
} from './record/index.ts';

/** Place of the template in the request; before the paths of what is wrong with it. */
const prefix = 'accessReviewTemplate.';

const nextMember = 'nextScheduledCampaignAt';

/** Names of what the server alone sets. */
const serverMembers = serverOwnedNames(AccessReviewTemplateSchema);

/** True if a value says the same as the one that stands, however a time in it is written. */
function isSame(sent: unknown, stands: unknown): boolean {
  return (
    sent === stands ||
    (typeof stands === 'string' && Number.isFinite(Date.parse(stands)) && Date.parse(String(sent)) === Date.parse(stands))
  );
}

/**
 * The mask without members of the server that stand beside others and echo what stands, or are absent: programs that manage templates send what they
 * read, and name all of it. A mask of nothing else asks for them, which is refused.
 */
function withoutEchoes(
  template: TemplateRow,
  sent: AccessReviewTemplateJson,
  mask: readonly string[] | undefined,
): readonly string[] | undefined {
  const isOwn = (path: string): path is keyof AccessReviewTemplateJson => serverMembers.has(path);
  if (mask === undefined || mask.every(isOwn) || !mask.some(isOwn)) {
    return mask;
  }
  const read = shape(AccessReviewTemplateSchema, shapeTemplate(template));
  return mask.filter((path) => !isOwn(path) || (sent[path] !== undefined && !isSame(sent[path], read[path])));
}

const startOf = ({ recurrenceRule }: TemplateSettings): number => Date.parse(recurrenceRule?.startDate ?? '');

/**
 * The time to which an update moves the next review; undefined where it moves none. Programs that manage templates put the member into every mask and send
 * what they read, or nothing. What stands already asks for no change. Beside other members neither does a time that is absent or has passed, nor any
 * time where the schedule is off or its start is moved by the rule itself.
 */
function wantedNext(
  now: Date,
  { nextAt, document: before }: TemplateRow,
  sent: AccessReviewTemplateJson,
  { mask, merged }: { readonly mask: readonly string[] | undefined; readonly merged: AccessReviewTemplateJson },
): string | undefined {
  if (mask?.includes(nextMember) !== true) {
    return undefined;
  }
  const isAlone = mask.length === 1;
  const wanted = sent[nextMember] ?? '';
  if (wanted === '') {
    return isAlone && before.isCampaignScheduleEnabled === true ? wanted : undefined;
  }
  const time = Date.parse(wanted);
  const isOff = merged.isCampaignScheduleEnabled !== true;
  const isMoved = merged.recurrenceRule !== undefined && startOf(merged) !== startOf(before);
  const isEcho = time === nextAt?.getTime() || (!isAlone && (time <= now.getTime() || isOff || isMoved));
  return isEcho ? undefined : wanted;
}

/** The document after the update. A mask that names another time of the next review moves the start of the schedule there. */
function merge(now: Date, template: TemplateRow, sent: AccessReviewTemplateJson, whole: readonly string[] | undefined): TemplateSettings {
  const before = template.document;
  const mask = withoutEchoes(template, sent, whole);
  const merged: AccessReviewTemplateJson = applyUpdate(AccessReviewTemplateSchema, before, sent, mask);
  if (mask !== undefined && sent.scopeType === undefined && before.scopeType !== undefined) {
    // It is fixed at creation, so to leave it out asks for no change.
    merged.scopeType = before.scopeType;
  }
  const startDate = wantedNext(now, template, sent, { mask: whole, merged });
  if (startDate === undefined) {
    return templateDocument(merged);
  }
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
  return templateDocument({ ...merged, recurrenceRule: { ...merged.recurrenceRule, startDate } });
}

/**
 * Changes what the mask names (what was sent, where there is no mask) and returns the template as it is then. Two updates of different members both
 * hold: the row is locked while the document is merged. A change of the schedule begins it anew. NOT_FOUND and PERMISSION_DENIED as for any template;
 * INVALID_ARGUMENT with everything that is wrong. An update that changes nothing writes nothing.
 */
export function changeTemplate(
  context: Context,
  id: string,
  sent: AccessReviewTemplateJson,
  mask: readonly string[] | undefined,
): Promise<TemplateRow> {
  return inTransaction(context, async (inside) => {
    const template = await requireLockedTemplate(inside, id);
    const document = merge(inside.now, template, sent, mask);
    const { fields: changed } = compareDocuments(template.document, document);
    if (changed.length === 0) {
      return template;
    }
    await refuseStale(inside, {
      member: 'accessReviewTemplate',
      targetId: id,
      kinds: ['template.updated', 'template.scope_changed'],
      before: template.document,
      fields: changed,
    });
    const isZoneMoved = ownZoneOf(document) !== ownZoneOf(template.document);
    const wider = [
      ...listWiderInTemplate(template.document, document),
      ...(document.isCampaignScheduleEnabled === true ? changed.filter(isOfSchedule) : []),
      ...(isZoneMoved && document.isCampaignScheduleEnabled === true ? ['annotations'] : []),
    ];
    refuseWider(
      inside.actor,
      wider.map((member) => `${prefix}${member}`),
    );
    refuseExempting(inside.actor, template.document, document, prefix);
    refuseViolations([
      ...(changed.includes('scopeType') ? [{ field: `${prefix}scopeType`, description: 'is fixed at creation' }] : []),
      ...listViolations(document, prefix),
    ]);
    const restarts = changesSchedule(changed, isZoneMoved);
    await updateTemplate(inside, id, { document, ...(restarts ? await restartSchedule(inside, template, document) : {}) });
    await recordEvent(inside, {
      kind: 'template.updated',
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
