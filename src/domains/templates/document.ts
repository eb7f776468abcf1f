/**
 * The document of a template: its writable members in canonical form, what is read from it, and the review that it describes.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { AccessReviewTemplateSchema } from '../../gen/c1/api/accessreview/v1/access_review_template_pb.js';
import { asObject } from '../../lib/json.ts';
import { canonicalise } from '../../wire/canonical.ts';
import type { Frequency, Recurrence } from './recurrence.ts';

/** The annotation that names the time zone of a schedule. */
export const zoneAnnotation = 'countersign/time_zone';

/** The members that a review takes over from its template as they are. */
const sharedMembers = [
  'accuracyIssueAction',
  'autoCloseCampaign',
  'autoCloseDecision',
  'autoGenerateReport',
  'autoResolve',
  'autoStartCampaign',
  'columnConfig',
  'defaultView',
  'description',
  'displayName',
  'exclusionScope',
  'exemptCertifiedAccessConflicts',
  'inclusionScope',
  'multiApp',
  'notificationConfig',
  'policyId',
  'reviewInstructions',
  'reviewerAttributeConfig',
  'scopeType',
  'signatureConfig',
  'usePolicyOverride',
] as const;

/** The document of what was sent or merged: canonical, its name trimmed, without the time of the next review, which is computed. */
export function documentOf(json: JsonObject): JsonObject {
  const { nextScheduledCampaignAt: _computed, ...document } = canonicalise(AccessReviewTemplateSchema, json);
  return { ...document, displayName: textOf(document, 'displayName').trim() };
}

/** A text member, empty where it is not set. */
export function textOf(document: JsonObject, member: string): string {
  const value = document[member];
  return typeof value === 'string' ? value : '';
}

/** The members of a review that a template describes, by the names they have there; dates and the link to the template are not among them. */
export function reviewMembersOf(document: JsonObject): JsonObject {
  const members: JsonObject = {};
  for (const member of sharedMembers) {
    const value = document[member];
    if (value !== undefined) {
      members[member] = value;
    }
  }
  return document.scope === undefined ? members : { ...members, scopeV2: document.scope };
}

/** The members of a template that a review says, by the names they have there. */
export function templateMembersOf(reviewDocument: JsonObject): JsonObject {
  const members: JsonObject = {};
  for (const member of sharedMembers) {
    const value = reviewDocument[member];
    if (value !== undefined) {
      members[member] = value;
    }
  }
  return reviewDocument.scopeV2 === undefined ? members : { ...members, scope: reviewDocument.scopeV2 };
}

/** The time zone that the template names itself; undefined where it names none. */
export function ownZoneOf(document: JsonObject): string | undefined {
  return textOf(asObject(document.annotations), zoneAnnotation) || undefined;
}

/** How long a review of the template may take, in milliseconds; undefined where it says nothing. */
export function durationOf(document: JsonObject): number | undefined {
  const seconds = Number.parseFloat(textOf(document, 'accessReviewDuration'));
  return Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1000) : undefined;
}

const frequencies: Readonly<Record<string, Frequency>> = {
  FREQUENCY_DAILY: 'DAILY',
  FREQUENCY_WEEKLY: 'WEEKLY',
  FREQUENCY_MONTHLY: 'MONTHLY',
  FREQUENCY_YEARLY: 'YEARLY',
};

/** The rule of the schedule in this time zone; undefined where there is no rule, or none with a start. */
export function recurrenceOf(document: JsonObject, zone: string): Recurrence | undefined {
  const rule = asObject(document.recurrenceRule);
  const startDate = textOf(rule, 'startDate');
  if (startDate === '') {
    return undefined;
  }
  const endDate = textOf(rule, 'endDate');
  return {
    frequency: frequencies[textOf(rule, 'frequency')] ?? 'NONE',
    interval: Number(rule.interval ?? 0) || 1,
    startAt: new Date(startDate),
    endAt: endDate === '' ? undefined : new Date(endDate),
    occurrences: typeof rule.occurrences === 'number' ? rule.occurrences : undefined,
    zone,
  };
}
