/** `countersign retention show|set`: how long reports and events are kept, through the API. */
import type { Command } from 'commander';
import { type RetentionJson, RetentionService } from '../gen/countersign/v1/retention_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { type CommandIo, UsageError, writeJson, writeLines } from './io.ts';

/** Adds `retention show` and `retention set`. */
export function addRetentionCommands(program: Command, io: CommandIo): void {
  const group = program.command('retention').description('how long reports and events are kept');

  withConnection(group.command('show').description('show how long reports and events are kept')).action(async (options: ConnectOptions) => {
    const { retention = {} } = await connect(io, options).call(RetentionService.method.get, {});
    show(io, options, retention);
  });

  withConnection(group.command('set').description('set how long reports and events are kept'))
    .option('--report-days <days>', 'remove the file of a report after so many days')
    .option('--event-years <years>', 'remove the content of events after so many years; 0 keeps it for ever')
    .action(async (options: ConnectOptions & { reportDays?: string; eventYears?: string }) => {
      const change = {
        ...(options.reportDays === undefined ? {} : { reportDays: readNumber('--report-days', options.reportDays) }),
        ...(options.eventYears === undefined ? {} : { eventYears: readNumber('--event-years', options.eventYears) }),
      };
      if (Object.keys(change).length === 0) {
        throw new UsageError('give --report-days, --event-years or both');
      }
      const { retention = {} } = await connect(io, options).call(RetentionService.method.update, { retention: change });
      show(io, options, retention);
    });
}

function readNumber(option: string, text: string): number {
  if (!/^\d{1,6}$/.test(text)) {
    throw new UsageError(`${option} must be a whole number, not "${text}"`);
  }
  return Number(text);
}

function show(io: CommandIo, options: ConnectOptions, retention: RetentionJson): void {
  if (options.json === true) {
    writeJson(io.stdout, retention);
    return;
  }
  const { reportDays = 0, eventYears = 0, minimumEventYears = 0 } = retention;
  writeLines(
    io.stdout,
    `files of reports     ${reportDays} days`,
    `content of events    ${eventYears === 0 ? 'for ever' : `${eventYears} years`} (the operator permits ${minimumEventYears} or more)`,
  );
}
