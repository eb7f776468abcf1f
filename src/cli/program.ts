/**
 * The command line as a function: arguments in, exit code out, so that tests run it in their own process. Exit codes: 0 fine,
 * 1 refused or failed, 2 wrong usage. Each command group stands in its own file.
 */
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { addAccountCommands } from './account.ts';
import { addAppCommands } from './app.ts';
import { addCredentialCommands } from './credential.ts';
import { addDeliveryCommands } from './delivery.ts';
import { addDemoCommand } from './demo.ts';
import { addEventCommands } from './event.ts';
import { addGrantCommands } from './grant.ts';
import { addIdentityCommands } from './identity.ts';
import { addImportCommands } from './import.ts';
import { type CommandIo, reportError, writeJson } from './io.ts';
import { addMigrateCommand } from './migrate.ts';
import { addPrincipalCommands } from './principal.ts';
import { addReviewCommands } from './review.ts';
import { addScimCommands } from './scim.ts';
import { addSearchCommand } from './search.ts';
import { addServeCommand } from './serve.ts';
import { addSourceCommands } from './source.ts';
import { addSyncCommands } from './sync.ts';
import { addTenantCommands } from './tenant.ts';
import { addUserCommands } from './user.ts';

/** Runs the command line with the arguments after `countersign` and returns the exit code. */
export async function runCommand(args: readonly string[], io: CommandIo): Promise<number> {
  const asJson = args.includes('--json');
  const program = buildProgram(io, asJson);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      return reportError(io, error, asJson);
    }
    if (error.code === 'commander.helpDisplayed' || error.code === 'commander.version') {
      return 0;
    }
    if (asJson) {
      const message = error.code === 'commander.help' ? 'a command is missing; try --help' : error.message.replace(/^error: /, '');
      writeJson(io.stderr, { error: { code: 'USAGE', message } });
    }
    return 2;
  }
}

function buildProgram(io: CommandIo, asJson: boolean): Command {
  const program = new Command('countersign')
    .description('Self-hosted access reviews: who has access to what, is it still right, and who said so.')
    .version(readVersion(), '--version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => {
        if (!asJson) {
          io.stderr.write(text);
        }
      },
      outputError: (text, write) => write(text.replace(/^error: /, 'countersign: ')),
    })
    .showSuggestionAfterError()
    .enablePositionalOptions();
  addServeCommand(program, io);
  addDemoCommand(program, io);
  addMigrateCommand(program, io);
  addTenantCommands(program, io);
  addCredentialCommands(program, io);
  addUserCommands(program, io);
  addPrincipalCommands(program, io);
  addSearchCommand(program, io);
  addAppCommands(program, io);
  addAccountCommands(program, io);
  addGrantCommands(program, io);
  addIdentityCommands(program, io);
  addImportCommands(program, io);
  addSyncCommands(program, io);
  addSourceCommands(program, io);
  addScimCommands(program, io);
  addReviewCommands(program, io);
  addDeliveryCommands(program, io);
  addEventCommands(program, io);
  return program;
}

/** The version in package.json. */
export function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
