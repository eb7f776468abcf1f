/** `countersign user sign-in-link <person>`: a link that signs a person in once, through the API; `--local`, past the API, is in sign-in-link-local.ts. */
import type { Command } from 'commander';
import { SignInLinkService } from '../gen/countersign/v1/sessions_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { findPerson } from './find.ts';
import { type CommandIo, UsageError, writeJson, writeLines } from './io.ts';
import { type LocalOptions, withDatabase } from './local-database.ts';

interface LinkOptions extends ConnectOptions, LocalOptions {
  readonly local?: boolean;
  readonly tenantHost?: string;
}

/** What is printed. */
export interface PrintedLink {
  readonly url: string;
  readonly expiresAt: string;
}

/** Adds `user sign-in-link` to the group of users. */
export function addSignInLink(group: Command, io: CommandIo): void {
  withDatabase(withConnection(group.command('sign-in-link').description('print a link that signs a person in once, within 10 minutes')))
    .argument('<person>', 'mail address or id; with --local the mail address')
    .option('--local', 'work on the database itself: for an administrator who cannot sign in')
    .option('--tenant-host <host>', 'with --local: the tenant, if there are several')
    .action(async (person: string, options: LinkOptions) => {
      if (options.tenantHost !== undefined && options.local !== true) {
        throw new UsageError('--tenant-host goes with --local');
      }
      const made = options.local === true ? await printLocal(io, person, options) : await printThroughApi(io, person, options);
      if (options.json === true) {
        writeJson(io.stdout, made);
        return;
      }
      writeLines(io.stdout, made.url, `It works once, until ${made.expiresAt}.`);
    });
}

async function printThroughApi(io: CommandIo, who: string, options: ConnectOptions): Promise<PrintedLink> {
  const client = connect(io, options);
  const { id = '' } = await findPerson(client, who);
  const { url = '', expiresAt = '' } = await client.call(SignInLinkService.method.print, { userId: id });
  return { url, expiresAt };
}

async function printLocal(io: CommandIo, email: string, options: LinkOptions): Promise<PrintedLink> {
  const { printLocalLink } = await import('./sign-in-link-local.ts');
  return printLocalLink(io, options, email, options.tenantHost);
}
