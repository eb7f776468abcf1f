/**
 * The dates at which something happens to a review by itself, as its document says. What happens then is in timers.ts.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { textOf } from './document.ts';

function findDate(document: JsonObject, flag: string, member: string): Date | undefined {
  const text = textOf(document, member);
  return document[flag] === true && text !== '' ? new Date(text) : undefined;
}

/** When a review starts by itself: its scheduledStartDate, if autoStartCampaign is on. */
export function findScheduledStart(document: JsonObject): Date | undefined {
  return findDate(document, 'autoStartCampaign', 'scheduledStartDate');
}

/** When a review closes by itself: its completionDate, if autoCloseCampaign is on. */
export function findScheduledClose(document: JsonObject): Date | undefined {
  return findDate(document, 'autoCloseCampaign', 'completionDate');
}

/** Whether a date has come. */
export function hasCome(date: Date | undefined, now: Date): boolean {
  return date !== undefined && date.getTime() <= now.getTime();
}
