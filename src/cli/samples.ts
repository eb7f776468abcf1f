/** `countersign samples show|remove`: the sample company, whether the demo loaded it or the console, through the API. */
import type { Command } from 'commander';
import { SampleService } from '../gen/countersign/v1/samples_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { type CommandIo, UsageError, writeJson, writeLines } from './io.ts';

/** Adds `samples show` and `samples remove`. */
export function addSamplesCommands(program: Command, io: CommandIo): void {
  const group = program.command('samples').description('the sample company');

  withConnection(
    group.command('show').description('show what is there of the sample company, and what stands in the way of its removal'),
  ).action(async (options: ConnectOptions) => {
    const { sampleCompany = {} } = await connect(io, options).call(SampleService.method.get, {});
    if (options.json === true) {
      writeJson(io.stdout, sampleCompany);
      return;
    }
    const { obstacles = [] } = sampleCompany;
    writeLines(io.stdout, isEmpty(sampleCompany) ? 'No samples are loaded.' : `Loaded: ${countsOf(sampleCompany)}.`, ...obstacles);
  });

  withConnection(group.command('remove').description('remove the sample company: its people, apps, conflict monitor and review'))
    .option('--yes', 'remove it; without this nothing is removed')
    .action(async (options: ConnectOptions & { readonly yes?: boolean }) => {
      if (options.yes !== true) {
        throw new UsageError('removing the samples cannot be undone: repeat it with --yes');
      }
      const removed = await connect(io, options).call(SampleService.method.remove, {});
      if (options.json === true) {
        writeJson(io.stdout, removed);
        return;
      }
      writeLines(io.stdout, `Removed: ${countsOf(removed)}. Closed reviews and the system log stay.`);
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
const countsOf = ({ people = 0, apps = 0, accessReviews = 0, conflictMonitors = 0 }: Counts): string =>
  [
    people === 1 ? '1 person' : `${people} people`,
    severalOf(apps, 'app'),
    severalOf(accessReviews, 'review'),
    severalOf(conflictMonitors, 'conflict monitor'),
  ].join(', ');

const severalOf = (count: number, word: string): string => (count === 1 ? `1 ${word}` : `${count} ${word}s`);
