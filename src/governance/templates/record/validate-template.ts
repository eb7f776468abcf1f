/**
 * Faults in the content of a template as such: all that would be wrong with a review made of it, and its schedule. Ids in it are not looked up:
 * they are stored as sent and checked when a review of it is previewed or prepared.
 */
import type { FieldViolation } from '../../../errors.ts';
import { isTimeZone } from '../../../lib/wall-time.ts';
import { readSettings as reviewDocumentOf, listViolations as listReviewViolations } from '../../reviews/index.ts';
import { reviewMembersOf, zoneAnnotation } from './document.ts';
import type { TemplateSettings } from './members.ts';
import { maxInterval } from './recurrence.ts';

/** Annotations that belong to the public product. */
const reservedPrefix = 'c1/';

const maxAnnotations = 100;
const maxKeyLength = 256;
const maxValueLength = 10_000;

/** Longest time from start to due date: ten years. */
const maxDurationSeconds = 3_650 * 86_400;

function listAnnotationViolations(document: TemplateSettings, field: string): FieldViolation[] {
  const annotations = Object.entries(document.annotations ?? {});
  const found: FieldViolation[] = [];
  if (annotations.length > maxAnnotations) {
    found.push({ field, description: `must have at most ${maxAnnotations} entries, not ${annotations.length}` });
  }
  for (const [key, value] of annotations.slice(0, maxAnnotations)) {
    const named = JSON.stringify(key.slice(0, 64));
    if (key === '' || key.length > maxKeyLength) {
      found.push({ field, description: `the key ${named} must have 1 to ${maxKeyLength} characters` });
    }
    if (key.startsWith(reservedPrefix)) {
      found.push({ field, description: `${named} is reserved: choose a key that does not begin with ${reservedPrefix}` });
    }
    if (value.length > maxValueLength) {
      found.push({ field, description: `the value of ${named} must have at most ${maxValueLength} characters` });
    }
    if (key === zoneAnnotation && !isTimeZone(value)) {
      found.push({ field, description: `${zoneAnnotation} must be the name of a time zone such as Europe/Berlin` });
    }
  }
  return found;
}

function listRuleViolations({ recurrenceRule, isCampaignScheduleEnabled }: TemplateSettings, prefix: string): FieldViolation[] {
  const found: FieldViolation[] = [];
  const { interval = 0, occurrences = 1, startDate = '', endDate = '' } = recurrenceRule ?? {};
  if (interval < 0 || interval > maxInterval) {
    found.push({ field: `${prefix}recurrenceRule.interval`, description: `must be from 0 (as 1) to ${maxInterval}` });
  }
  if (occurrences < 1) {
    found.push({
      field: `${prefix}recurrenceRule.occurrences`,
      description: 'must be at least 1; leave it out for a schedule without end',
    });
  }
  if (endDate !== '' && startDate !== '' && new Date(endDate) < new Date(startDate)) {
    found.push({ field: `${prefix}recurrenceRule.endDate`, description: 'must not be before startDate' });
  }
  if (isCampaignScheduleEnabled === true && startDate === '') {
    const missing = recurrenceRule === undefined ? 'recurrenceRule' : 'recurrenceRule.startDate';
    found.push({
      field: `${prefix}${missing}`,
      description: 'must be set while isCampaignScheduleEnabled is true: the schedule has to begin somewhere',
    });
  }
  return found;
}

/** Everything that is wrong with a template's document (canonical form); `prefix` stands before the paths. */
export function listViolations(document: TemplateSettings, prefix: string): FieldViolation[] {
  const ofReview = listReviewViolations(reviewDocumentOf(reviewMembersOf(document)), '').map(({ field, description }) => ({
    field: `${prefix}${field.replace(/^scopeV2\b/, 'scope')}`,
    description,
  }));
  const duration = Number.parseFloat(document.accessReviewDuration || '0');
  return [
    ...ofReview,
    ...listAnnotationViolations(document, `${prefix}annotations`),
    ...(duration < 0 || duration > maxDurationSeconds
      ? [{ field: `${prefix}accessReviewDuration`, description: `must be from "0s" (no due date) to "${maxDurationSeconds}s"` }]
      : []),
    ...listRuleViolations(document, prefix),
  ];
}
