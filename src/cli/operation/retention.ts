/** `countersign retention show|set`: how long reports, events and reviews are kept, through the API. */
import { type RetentionJson, RetentionService } from '../../gen/countersign/v1/retention_pb.js';
import type { Commands } from '../frame/commands.ts';
import { UsageError } from '../frame/io.ts';

/** Adds `retention show` and `retention set`. */
export function addRetentionCommands(group: Commands): void {
  group.call('show', {
    description: 'show how long reports, events and reviews are kept',
    method: RetentionService.method.get,
    text: describe,
  });

  group.call('set', {
    description: 'set how long reports, events and reviews are kept',
    options: {
      '--report-days <days>': 'remove the file of a report after so many days',
      '--event-years <years>': 'remove the content of events after so many years; 0 keeps it for ever',
      '--review-years <years>': 'remove the content of a review so many years after its close',
    },
    method: RetentionService.method.update,
    request: ({ reportDays, eventYears, reviewYears }) => {
      if (reportDays === undefined && eventYears === undefined && reviewYears === undefined) {
        throw new UsageError('give --report-days, --event-years or --review-years');
      }
      return {
        retention: {
          ...(reportDays !== undefined && { reportDays: readNumber('--report-days', reportDays) }),
          ...(eventYears !== undefined && { eventYears: readNumber('--event-years', eventYears) }),
          ...(reviewYears !== undefined && { reviewYears: readNumber('--review-years', reviewYears) }),
        },
      };
    },
    text: ({ retention = {}, request }) => [
      ...describe(retention),
      ...(request === undefined ? [] : [`A shorter time waits for another Super Administrator to confirm it: request ${request.id}.`]),
    ],
  });
}

function readNumber(option: string, text: string): number {
  if (!/^\d{1,6}$/.test(text)) {
    throw new UsageError(`${option} must be a whole number, not "${text}"`);
  }
  return Number(text);
}

function describe({ reportDays = 0, eventYears = 0, reviewYears = 0, minimumEventYears = 0 }: RetentionJson): string[] {
  return [
    `files of reports     ${reportDays} days`,
    `content of events    ${eventYears === 0 ? 'for ever' : `${eventYears} years`} (the operator permits ${minimumEventYears} or more)`,
    `content of reviews   ${reviewYears} years from their close`,
  ];
}
