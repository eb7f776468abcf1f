/** `countersign app list` and `app owner ...`: the apps of the inventory and their owners, through the API. */
import type { Command } from 'commander';
import { AppService } from '../gen/c1/api/app/v1/app_service_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import type { CommandIo } from './io.ts';
import { listAll, showList } from './list.ts';
import { addOwnerCommands } from './owner.ts';

/** Adds `app list` and the commands about owners of apps. */
export function addAppCommands(program: Command, io: CommandIo): void {
  const group = program.command('app').description('apps, and their owners');

  withConnection(group.command('list').description('list apps with their number of accounts'))
    .option('--query <text>', 'only those whose name, description or id contains this')
    .action(async (options: ConnectOptions & { query?: string }) => {
      const client = connect(io, options);
      const pages =
        options.query === undefined
          ? client.pages(AppService.method.list, {})
          : client.pages(AppService.method.search, { query: options.query });
      showList(io, options, await listAll(pages), ['ID', 'ACCOUNTS', 'KEPT', 'NAME'], (app) => [
        app.id ?? '',
        app.userCount ?? '0',
        app.isManuallyManaged === true ? 'manual' : 'by files',
        app.displayName ?? '',
      ]);
    });

  addOwnerCommands(group, io, 'app');
}
