/**
 * Making a review of a template: its members, its lists, its dates and its owners. When that happens is for others.
 */
import { type Context, inTransaction } from '../../../context.ts';
import { asUtcMs, wallTimeAt } from '../../../lib/wall-time.ts';
import { timestamp } from '../../../wire/timestamps.ts';
import { insertDraft, refuseViolations, type ReviewRow, listViolations as listReviewViolations } from '../../reviews/index.ts';
import {
  type TemplateRow,
  type TemplateSettings,
  reviewDuration,
  listChosenEntitlements,
  listChosenResourceTypes,
  requireLockedTemplate,
  reviewMembersOf,
  updateTemplate,
  templateZone,
} from '../record/index.ts';

/** From the making of a review to its start by itself: the time in which its owners look it over. */
const startAfterMs = 48 * 3_600_000;

/** Longest name of a template that a review's name repeats; the rest is for the date. */
const maxRepeatedName = 900;

/** Times a template's review made at a moment starts and is due; undefined where it does not, or has no due date. */
export function datesOf(document: TemplateSettings, at: Date): { startAt: Date | undefined; dueAt: Date | undefined } {
  const startAt = document.autoStartCampaign === true ? new Date(at.getTime() + startAfterMs) : undefined;
  const duration = reviewDuration(document);
  return { startAt, dueAt: duration === undefined ? undefined : new Date((startAt ?? at).getTime() + duration) };
}

/** The same of a review that starts as soon as it is made. */
function datesAtOnce(document: TemplateSettings, at: Date): { startAt: Date; dueAt: Date | undefined } {
  const duration = reviewDuration(document);
  return { startAt: at, dueAt: duration === undefined ? undefined : new Date(at.getTime() + duration) };
}

/** The date there, as 2026-01-31. */
function dateIn(at: Date, zone: string): string {
  return new Date(asUtcMs(wallTimeAt(at, zone))).toISOString().slice(0, 10);
}

/** Input of a review beside what its template says. */
export interface Making {
  /** The moment that counts: of the occurrence, or now. */
  readonly at: Date;
  readonly createdById: string;
  /** Instead of the template's name and the date. */
  readonly displayName?: string;
  /** People who changed: it asks about them alone and starts at once. `whom` stands in its name. */
  readonly triggeredFor?: { readonly people: readonly string[]; readonly whom: string };
}

/** Makes a draft of a locked template in the open transaction, and counts it. */
export async function makeReview(context: Context, template: TemplateRow, making: Making): Promise<ReviewRow> {
  const { at, createdById, displayName, triggeredFor } = making;
  const { document } = template;
  const { startAt, dueAt } = triggeredFor === undefined ? datesOf(document, at) : datesAtOnce(document, at);
  const date = dateIn(at, await templateZone(context, document));
  const name = (document.displayName ?? '').slice(0, maxRepeatedName);
  const review = await insertDraft(
    context,
    {
      ...reviewMembersOf(document),
      displayName: displayName ?? `${name}, ${triggeredFor === undefined ? date : `${triggeredFor.whom}, ${date}`}`,
      accessReviewTemplateId: template.id,
      ...(triggeredFor === undefined
        ? {}
        : { autoStartCampaign: true, inclusionScope: { ...document.inclusionScope, userIds: [...triggeredFor.people] } }),
      ...(startAt === undefined ? {} : { scheduledStartDate: timestamp(startAt) ?? '' }),
      ...(dueAt === undefined ? {} : { completionDate: timestamp(dueAt) ?? '' }),
    },
    {
      ownerIds: template.ownerIds,
      createdById,
      triggered: triggeredFor !== undefined,
      scopeListsOf: template.id,
      entitlements: await listChosenEntitlements(context, template.id),
      resourceTypes: await listChosenResourceTypes(context, template.id),
    },
  );
  await updateTemplate(context, template.id, { reviewsMade: template.reviewsMade + 1 }, 'schedule');
  return review;
}

/** Makes a draft of a template now, for the caller, and returns it. INVALID_ARGUMENT for a name that a review cannot have. */
export function createReviewFromTemplate(context: Context, templateId: string, displayName: string): Promise<ReviewRow> {
  return inTransaction(context, async (inside) => {
    const template = await requireLockedTemplate(inside, templateId);
    const name = displayName.trim();
    refuseViolations(name === '' ? [] : listReviewViolations({ displayName: name }, '').filter(({ field }) => field === 'displayName'));
    return makeReview(inside, template, {
      at: inside.now,
      createdById: inside.actor.userId,
      ...(name === '' ? {} : { displayName: name }),
    });
  });
}
