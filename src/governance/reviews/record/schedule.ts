/**
 * The dates at which something happens to a review by itself, as its document says. What happens then is in timers.ts.
 */
import type { ReviewSettings } from './members.ts';

const dateOf = (text: string | undefined): Date | undefined => (text ? new Date(text) : undefined);

/** Finds when a review starts by itself: its scheduledStartDate, if autoStartCampaign is on. */
export function findScheduledStart({ autoStartCampaign, scheduledStartDate }: ReviewSettings): Date | undefined {
  return autoStartCampaign === true ? dateOf(scheduledStartDate) : undefined;
}

/** True if a date has come. */
export function hasCome(date: Date | undefined, now: Date): boolean {
  return date !== undefined && date.getTime() <= now.getTime();
}
