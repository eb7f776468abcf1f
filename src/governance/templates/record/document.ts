/**
 * The document of a template: its writable members in canonical form, what is read from it, and the review that it describes.
 */
import {
  type AccessReviewTemplateJson,
  AccessReviewTemplateSchema,
  type RecurrenceRuleFrequencyJson,
} from '../../../gen/c1/api/accessreview/v1/access_review_template_pb.js';
import { canonicalise } from '../../../wire/canonical.ts';
import { type ReviewSettings, templateMembers } from '../../reviews/index.ts';
import type { TemplateSettings } from './members.ts';
import type { Frequency, Recurrence } from './recurrence.ts';

/** The annotation that names the time zone of a schedule. */
export const zoneAnnotation = 'countersign/time_zone';

/** The document of what was sent or merged: canonical, its name trimmed, without the time of the next review, which is computed. */
export function templateDocument(json: AccessReviewTemplateJson): TemplateSettings {
  const { nextScheduledCampaignAt: _computed, ...document }: AccessReviewTemplateJson = canonicalise(AccessReviewTemplateSchema, json);
  return { ...document, displayName: (document.displayName ?? '').trim() };
}

/** The members of a review that a template describes, by the names they have there; dates and the link to the template are not among them. */
export function reviewMembersOf(document: TemplateSettings): ReviewSettings {
  return Object.fromEntries(templateMembers.flatMap(([member, name]) => (document[name] === undefined ? [] : [[member, document[name]]])));
}

/** The members of a template that a review says, by the names they have there. */
export function setupMembers(review: ReviewSettings): TemplateSettings {
  return Object.fromEntries(templateMembers.flatMap(([member, name]) => (review[member] === undefined ? [] : [[name, review[member]]])));
}

/** The time zone that the template names itself; undefined where it names none. */
export function ownZoneOf({ annotations }: TemplateSettings): string | undefined {
  return annotations?.[zoneAnnotation] || undefined;
}

/** Time a review of the template may take, in milliseconds; undefined where it says nothing. */
export function reviewDuration(document: TemplateSettings): number | undefined {
  const seconds = Number.parseFloat(document.accessReviewDuration ?? '');
  return Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1000) : undefined;
}

const frequencies: Readonly<Record<RecurrenceRuleFrequencyJson, Frequency>> = {
  FREQUENCY_UNSPECIFIED: 'NONE',
  FREQUENCY_NONE: 'NONE',
  FREQUENCY_DAILY: 'DAILY',
  FREQUENCY_WEEKLY: 'WEEKLY',
  FREQUENCY_MONTHLY: 'MONTHLY',
  FREQUENCY_YEARLY: 'YEARLY',
};

/** The rule of the schedule in this time zone; undefined where there is no rule, or none with a start. */
export function readRecurrence({ recurrenceRule: rule = {} }: TemplateSettings, zone: string): Recurrence | undefined {
  const { startDate = '', endDate = '', frequency = 'FREQUENCY_NONE' } = rule;
  if (startDate === '') {
    return undefined;
  }
  return {
    frequency: frequencies[frequency],
    interval: rule.interval || 1,
    startAt: new Date(startDate),
    endAt: endDate === '' ? undefined : new Date(endDate),
    occurrences: rule.occurrences,
    zone,
  };
}
