/** `countersign samples show|remove`: the sample company, whether the demo loaded it or the console, through the API. */
import { SampleService } from '../../gen/countersign/v1/samples_pb.js';
import type { Commands } from '../frame/commands.ts';
import { UsageError } from '../frame/io.ts';

/** Adds `samples show` and `samples remove`. */
export function addSamplesCommands(group: Commands): void {
  group.call('show', {
    description: 'show what is there of the sample company, and what stands in the way of its removal',
    method: SampleService.method.get,
    text: (company) => [isEmpty(company) ? 'No samples are loaded.' : `Loaded: ${sayCounts(company)}.`, ...(company.obstacles ?? [])],
  });

  group.call('remove', {
    description: 'remove the sample company: its people, apps, conflict monitor and review',
    options: {
      '--yes': {
        text: 'remove it; without this nothing is removed',
        otherwise: () => new UsageError('removing the samples cannot be undone: repeat it with --yes'),
      },
    },
    method: SampleService.method.remove,
    text: (removed) => `Removed: ${sayCounts(removed)}. Closed reviews and the system log stay.`,
  });
}

interface Counts {
  readonly people?: number;
  readonly apps?: number;
  readonly accessReviews?: number;
  readonly conflictMonitors?: number;
}

const isEmpty = ({ people = 0, apps = 0, accessReviews = 0, conflictMonitors = 0 }: Counts): boolean =>
  people + apps + accessReviews + conflictMonitors === 0;

/** “60 people, 5 apps, 1 review, 1 conflict monitor”. */
const sayCounts = ({ people = 0, apps = 0, accessReviews = 0, conflictMonitors = 0 }: Counts): string =>
  [
    people === 1 ? '1 person' : `${people} people`,
    severalOf(apps, 'app'),
    severalOf(accessReviews, 'review'),
    severalOf(conflictMonitors, 'conflict monitor'),
  ].join(', ');

const severalOf = (count: number, word: string): string => (count === 1 ? `1 ${word}` : `${count} ${word}s`);
