/**
 * The document of a template: its writable members in canonical form, what is read from it, and the review that it describes.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { AccessReviewTemplateSchema } from '../../../gen/c1/api/accessreview/v1/access_review_template_pb.js';
import { asObject } from '../../../lib/json.ts';
import { canonicalise } from '../../../wire/canonical.ts';
import { type ReviewSettings, templateMembers } from '../../reviews/index.ts';
import type { Frequency, Recurrence } from './recurrence.ts';

/** The annotation that names the time zone of a schedule. */
export const zoneAnnotation = 'countersign/time_zone';

/** The document of what was sent or merged: canonical, its name trimmed, without the time of the next review, which is computed. */
export function templateDocument(json: JsonObject): JsonObject {
  const { nextScheduledCampaignAt: _computed, ...document } = canonicalise(AccessReviewTemplateSchema, json);
  return { ...document, displayName: memberText(document, 'displayName').trim() };
}

/** A text member, empty where it is not set. */
export function memberText(document: JsonObject, member: string): string {
  const value = document[member];
  return typeof value === 'string' ? value : '';
}

/** The members of a review that a template describes, by the names they have there; dates and the link to the template are not among them. */
export function reviewMembersOf(document: JsonObject): ReviewSettings {
  return Object.fromEntries(templateMembers.flatMap(([member, name]) => (document[name] === undefined ? [] : [[member, document[name]]])));
}

/** The members of a template that a review says, by the names they have there. */
export function setupMembers(review: ReviewSettings): JsonObject {
  return Object.fromEntries(templateMembers.flatMap(([member, name]) => (review[member] === undefined ? [] : [[name, review[member]]])));
}

/** The time zone that the template names itself; undefined where it names none. */
export function ownZoneOf(document: JsonObject): string | undefined {
  return memberText(asObject(document.annotations), zoneAnnotation) || undefined;
}

/** Time a review of the template may take, in milliseconds; undefined where it says nothing. */
export function reviewDuration(document: JsonObject): number | undefined {
  const seconds = Number.parseFloat(memberText(document, 'accessReviewDuration'));
  return Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1000) : undefined;
}

const frequencies: Readonly<Record<string, Frequency>> = {
  FREQUENCY_DAILY: 'DAILY',
  FREQUENCY_WEEKLY: 'WEEKLY',
  FREQUENCY_MONTHLY: 'MONTHLY',
  FREQUENCY_YEARLY: 'YEARLY',
};

/** The rule of the schedule in this time zone; undefined where there is no rule, or none with a start. */
export function readRecurrence(document: JsonObject, zone: string): Recurrence | undefined {
  const rule = asObject(document.recurrenceRule);
  const startDate = memberText(rule, 'startDate');
  if (startDate === '') {
    return undefined;
  }
  const endDate = memberText(rule, 'endDate');
  return {
    frequency: frequencies[memberText(rule, 'frequency')] ?? 'NONE',
    interval: Number(rule.interval ?? 0) || 1,
    startAt: new Date(startDate),
    endAt: endDate === '' ? undefined : new Date(endDate),
    occurrences: typeof rule.occurrences === 'number' ? rule.occurrences : undefined,
    zone,
  };
}
