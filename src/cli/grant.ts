/** Who has access to what in an app, and who had: read from the server, and printed as it comes, since an app may have a million grants. */
import type { Command } from 'commander';
import { type GrantJson, GrantService } from '../gen/countersign/v1/grants_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { findApp, findPerson } from './find.ts';
import { type CommandIo, writeLines } from './io.ts';

interface GrantOptions extends ConnectOptions {
  readonly app: string;
  readonly user?: string;
  readonly ended?: boolean;
}

/** Adds `grant list`. */
export function addGrantCommands(program: Command, io: CommandIo): void {
  const group = program.command('grant').description('who has access to what, since when and until when');
  withConnection(group.command('list').description('list the grants of an app, one a line, cells separated by tabs'))
    .requiredOption('--app <app>', 'name or id of the app')
    .option('--user <person>', 'only those of the accounts of this person: mail address or id')
    .option('--ended', 'include those that ended')
    .action((options: GrantOptions) => runList(io, options));
}

async function runList(io: CommandIo, options: GrantOptions): Promise<void> {
  const client = connect(io, options);
  const app = await findApp(client, options.app);
  const request = {
    appId: app.id,
    ...(options.user === undefined ? {} : { userId: (await findPerson(client, options.user)).id }),
    ...(options.ended === true ? { includeEnded: true } : {}),
  };
  const asJson = options.json === true;
  if (!asJson) {
    writeLines(io.stdout, ['ACCOUNT', 'OWNER', 'ENTITLEMENT', 'HOW', 'APPEARED', 'UNTIL', 'ENDED', 'LAST USED'].join('\t'));
  }
  let count = 0;
  for await (const { grant } of client.pages(GrantService.method.list, request)) {
    if (grant !== undefined) {
      io.stdout.write(asJson ? `${count === 0 ? '[\n' : ',\n'}${JSON.stringify(grant)}` : `${lineOf(grant)}\n`);
      count++;
    }
  }
  if (asJson) {
    io.stdout.write(count === 0 ? '[]\n' : '\n]\n');
  }
}

function lineOf(grant: GrantJson): string {
  const cells = [
    grant.account?.displayName,
    grant.owner?.email,
    grant.entitlement?.displayName,
    howOf(grant),
    grant.appearedAt,
    grant.deprovisionAt,
    grant.endedAt,
    grant.lastUsedAt,
  ];
  // A name from a source may hold anything; a cell stays one.
  return cells.map((cell) => (cell ?? '').replace(/[\p{Cc}]/gu, ' ')).join('\t');
}

function howOf(grant: GrantJson): string {
  const count = grant.paths?.length ?? 0;
  const inherited = count === 0 ? [] : [`inherited ${count === 1 ? 'one way' : `${count} ways`}`];
  return [...(grant.isDirect === true ? ['direct'] : []), ...inherited].join(', ');
}
