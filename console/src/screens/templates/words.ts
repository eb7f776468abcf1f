/** Schedule of a template, in words. */
import type { ReplyOf } from '~/data/query.ts';
import { text } from '~/text/text.ts';

export type Template = NonNullable<ReplyOf<'AccessReviewTemplateService.Get'>['accessReviewTemplate']>;
export type Frequency = NonNullable<NonNullable<Template['recurrenceRule']>['frequency']>;

/** Puts the schedule in words. */
export function scheduleWords({ isCampaignScheduleEnabled, recurrenceRule }: Template): string {
  const count = recurrenceRule?.interval || 1;
  if (isCampaignScheduleEnabled !== true) {
    return text('templates.noSchedule');
  }
  switch (recurrenceRule?.frequency) {
    case 'FREQUENCY_DAILY':
      return text('templates.everyDay', { count });
    case 'FREQUENCY_WEEKLY':
      return text('templates.everyWeek', { count });
    case 'FREQUENCY_MONTHLY':
      return text('templates.everyMonth', { count });
    case 'FREQUENCY_YEARLY':
      return text('templates.everyYear', { count });
    default:
      return text('templates.once');
  }
}

/** The days of a duration such as `1209600s`; 0 for none. */
export function durationDays(duration: string | undefined): number {
  return Math.round(Number((duration ?? '0s').replace(/s$/, '')) / 86_400);
}
