/** The schedule of a template as `template schedule` takes it and `template show` says it. */
import type { AccessReviewTemplateJson, RecurrenceRuleFrequencyJson } from '../../gen/c1/api/accessreview/v1/access_review_template_pb.js';
import { UsageError } from '../frame/io.ts';

/** Input of `template schedule`. */
export interface ScheduleOptions {
  readonly every?: string;
  readonly interval?: string;
  readonly start?: string;
  readonly until?: string;
  readonly times?: string;
  readonly zone?: string;
  readonly off?: boolean;
}

/** The annotation that names the time zone. */
const zoneAnnotation = 'countersign/time_zone';

const frequencies: Readonly<Record<string, RecurrenceRuleFrequencyJson>> = {
  day: 'FREQUENCY_DAILY',
  week: 'FREQUENCY_WEEKLY',
  month: 'FREQUENCY_MONTHLY',
  year: 'FREQUENCY_YEARLY',
};

function readNumber(option: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) {
    throw new UsageError(`${option} must be a whole number from 1, not "${text}"`);
  }
  return Number(text);
}

/** The fields to change: the whole rule, since an end that is not said is none. The start stays where none is given. */
export function readSchedule(options: ScheduleOptions, template: AccessReviewTemplateJson): AccessReviewTemplateJson {
  if (options.off === true) {
    return { isCampaignScheduleEnabled: false };
  }
  const frequency = options.every === undefined ? 'FREQUENCY_NONE' : frequencies[options.every];
  if (frequency === undefined) {
    throw new UsageError(`--every must be one of ${Object.keys(frequencies).join(', ')}, not "${options.every}"`);
  }
  if (options.until !== undefined && options.times !== undefined) {
    throw new UsageError('--until and --times exclude each other: give one of them');
  }
  const startDate = options.start ?? template.recurrenceRule?.startDate;
  if (startDate === undefined) {
    throw new UsageError('the schedule has to begin somewhere: give --start');
  }
  return {
    isCampaignScheduleEnabled: true,
    recurrenceRule: {
      frequency,
      interval: readNumber('--interval', options.interval ?? '1'),
      startDate,
      ...(options.until === undefined ? {} : { endDate: options.until }),
      ...(options.times === undefined ? {} : { occurrences: readNumber('--times', options.times) }),
    },
    ...(options.zone === undefined ? {} : { annotations: { ...template.annotations, [zoneAnnotation]: options.zone } }),
  };
}

/** The schedule in words. */
export function sayRule({ isCampaignScheduleEnabled, recurrenceRule, annotations }: AccessReviewTemplateJson): string {
  if (isCampaignScheduleEnabled !== true || recurrenceRule === undefined) {
    return 'off';
  }
  const { frequency, interval = 0, startDate = '', endDate, occurrences } = recurrenceRule;
  const unit = Object.entries(frequencies).find(([, name]) => name === frequency)?.[0];
  const often = unit === undefined ? 'once' : interval > 1 ? `every ${interval} ${unit}s` : `every ${unit}`;
  const zone = annotations?.[zoneAnnotation];
  return [
    `${often} from ${startDate}`,
    ...(endDate === undefined ? [] : [`until ${endDate}`]),
    ...(occurrences === undefined ? [] : [`${occurrences} times`]),
    ...(zone === undefined ? [] : [`in ${zone}`]),
  ].join(', ');
}
