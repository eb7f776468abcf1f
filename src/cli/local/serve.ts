/** `countersign serve`: the service itself, from its options to its orderly end. What is put together is in app.ts. */
import { readdir } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import type { Commands } from '../frame/commands.ts';
import { pino } from 'pino';
import { type App, startApp } from '../../app.ts';
import { ConfigError, plainPortOf, readConfig, type ServeConfig } from '../../config/read-config.ts';
import { type OptionSpec, serveOptions, variableName } from '../../config/serve-options.ts';
import type { Logger } from '../../context.ts';
import { hostBaseUrl, readHost } from '../../foundation/tenants/index.ts';
import { requireDataDirectory } from './database.ts';
import { type BootstrapCredential, bootstrapEmptyDatabase, writeBootstrapFile } from './bootstrap.ts';
import { type CommandIo, CommandFailure, writeLines } from '../frame/io.ts';
import { guardStop } from './guard-stop.ts';
import { createLogDestination } from './log-destination.ts';

/** Adds `serve`. */
export function addServeCommand({ parent: program, io }: Commands): void {
  const command = program.command('serve').description('run the service; on an empty database it makes the first tenant');
  for (const option of serveOptions as readonly OptionSpec[]) {
    const given = option.fallback ? `; default ${option.fallback}` : '';
    const variables = [variableName(option.flag), ...(option.otherVariable === undefined ? [] : [option.otherVariable])].join(' or ');
    command.addOption(new Option(`--${option.flag} <${option.value.toLowerCase()}>`, `${option.description} (${variables}${given})`));
  }
  command.action(async (_options: object, self: Command) => {
    const flags: Record<string, string | undefined> = {};
    for (const { flag } of serveOptions) {
      flags[flag] = self.getOptionValue(flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()));
    }
    const config = readConfig(flags, io.env);
    requireHost(config.tenantHost);
    if (config.databaseUrl === undefined) {
      await requireDataDirectory(io, flags['data-dir']);
    }
    await runServer(io, config);
  });
}

/** Said before anything is made: an address in place of a host is an easy slip. */
function requireHost(host: string | undefined): void {
  if (host !== undefined && readHost(host) === undefined) {
    throw new ConfigError([
      `--tenant-host must be a host alone, with its port if clients use one, such as reviews.example.com or localhost:8080, not "${host}"`,
    ]);
  }
}

async function runServer(io: CommandIo, config: ServeConfig): Promise<void> {
  const log = pino(
    { level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: (level) => ({ level }) } },
    createLogDestination(),
  );
  await warnOfMissingFolders(config, log);
  const stopGuarding = guardStop(io.signal, log);
  try {
    await serve(io, config, log);
  } finally {
    stopGuarding();
  }
}

/** A folder may be mounted later, so that the start goes on; a misspelt one would be found where somebody needs what is in it. */
async function warnOfMissingFolders(config: ServeConfig, log: Logger): Promise<void> {
  const folders = { 'import-dir': config.importDir, 'secrets-dir': config.secretsDir, 'checkpoint-dir': config.checkpointDir };
  for (const [flag, folder] of Object.entries(folders)) {
    if (folder !== undefined) {
      await readdir(folder).catch((error: unknown) =>
        log.warn({ folder }, `--${flag} cannot be read: ${error instanceof Error ? error.message : String(error)}`),
      );
    }
  }
}

async function serve(io: CommandIo, config: ServeConfig, log: Logger): Promise<void> {
  let first: BootstrapCredential | undefined;
  const app = await startApp(config, {
    log,
    beforeListening: async (database) => {
      const host = config.tenantHost ?? `localhost:${config.port}`;
      const tenant = {
        host,
        baseUrl:
          config.publicUrl?.replace('{host}', host) ??
          (config.tls === undefined ? hostBaseUrl(host, plainPortOf(config)) : `https://${host}`),
        displayName: '',
        adminEmail: config.adminEmail,
        secretLabel: config.secretLabel,
      };
      const { bootstrapFile } = config;
      first = await bootstrapEmptyDatabase({ database, now: new Date(), log }, tenant, async (credential) => {
        if (bootstrapFile !== undefined) {
          await writeBootstrapFile(bootstrapFile, credential);
        }
      });
    },
  });
  try {
    if (first !== undefined) {
      announceFirst(io, config, first, app.database.description);
    }
    await waitForStop(io, app);
  } finally {
    await app.stop();
  }
  log.info({}, 'stopped');
}

/** Prints the first credential, unless a file was asked for, and the way in: without it nobody could ever get in. The link stands last. */
function announceFirst(io: CommandIo, config: ServeConfig, first: BootstrapCredential, database: string): void {
  const { origin } = new URL(first.signInUrl);
  const where =
    config.bootstrapFile === undefined
      ? [
          `  client id      ${first.clientId}`,
          `  client secret  ${first.clientSecret}`,
          'The secret and the link are shown only once. Open the link in a browser to sign in, once and within a day:',
          `  sign in        ${first.signInUrl}`,
        ]
      : [
          `Its first credential and a link that signs in once are in ${config.bootstrapFile}.`,
          `Open the link, signInUrl in that file, in a browser within a day. Later sign-ins begin at ${origin}.`,
        ];
  writeLines(
    io.stderr,
    `The database was empty: made the tenant ${first.tenantHost} with the administrator ${config.adminEmail}.`,
    `Database: ${database}.`,
    ...where,
  );
}

/** Waits for Ctrl-C or SIGTERM, then stops the server in order; CommandFailure where something had to be cut off. */
export async function waitForStop(io: CommandIo, app: App): Promise<void> {
  if (!io.signal.aborted) {
    await new Promise<void>((resolve) => io.signal.addEventListener('abort', () => resolve(), { once: true }));
  }
  if (!(await app.stop())) {
    throw new CommandFailure('stopped, but not everything had ended in time: the log says what; it continues at the next start');
  }
}
