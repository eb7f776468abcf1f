/**
 * `countersign demo` (npm run demo): a service on this machine with a sample company and a running review, to look at and to try out.
 * Its data stays, so that a second start goes on where the first ended.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Commands } from '../frame/commands.ts';
import { type App, startApp } from '../../app.ts';
import { createClient } from '../../client/index.ts';
import { readConfig } from '../../config/read-config.ts';
import { type Context, type Logger, systemActor } from '../../context.ts';
import { AuthService } from '../../gen/c1/api/auth/v1/auth_service_pb.js';
import { SignInLinkService } from '../../gen/countersign/v1/sessions_pb.js';
import { linkUrl, printedSeconds, printLink } from '../../foundation/sessions/index.ts';
import { hostBaseUrl } from '../../foundation/tenants/index.ts';
import { bootstrapEmptyDatabase, writeBootstrapFile } from './bootstrap.ts';
import { loadSampleCompany } from './demo-load.ts';
import { credentialFileIn, defaultPort, findPlace, readCredential, type RunningService } from './demo-place.ts';
import { environmentFileIn, listRunning, listWelcome, writeEnvironment } from './demo-welcome.ts';
import { makeFolders } from '../../lib/files/file-reason.ts';
import { fileFailure } from './file-failure.ts';
import { reactions } from '../../reactions.ts';
import { newId } from '../../wire/ids.ts';
import { chooseTenant } from './credential.ts';
import { CommandFailure, type CommandIo, UsageError, writeLines } from '../frame/io.ts';
import { noticeLogger } from './database.ts';
import { waitForStop } from './serve.ts';

/** Adds `demo`. */
export function addDemoCommand({ parent: program, io }: Commands): void {
  program
    .command('demo')
    .description('start with a sample company and a running review')
    .option('--port <n>', `port to listen on, or the next free one if it is taken (COUNTERSIGN_PORT; default ${defaultPort})`)
    .option('--data-dir <dir>', 'where the data stays (default: .countersign/ in the clone)')
    .action(({ port, dataDir }: { port?: string; dataDir?: string }) =>
      runDemo(io, port ?? (io.env['COUNTERSIGN_PORT'] || undefined), dataDir),
    );
}

async function runDemo(io: CommandIo, wantedPort: string | undefined, wantedDirectory: string | undefined): Promise<void> {
  const wanted = wantedPort === undefined ? undefined : Number(wantedPort);
  if (wanted !== undefined && (!/^\d+$/.test(wantedPort ?? '') || wanted < 1 || wanted > 65_535)) {
    throw new UsageError(`--port must be a whole number from 1 to 65535, not "${wantedPort}"`);
  }
  const log = noticeLogger(io);
  const { port, dataDir, running, isOther } = await findPlace(wanted, wantedDirectory, log);
  if (running !== undefined) {
    await announceRunning(io, running, dataDir);
    return;
  }
  if (isOther) {
    writeLines(io.stdout, `Port ${wanted ?? defaultPort} is taken, so the demo uses ${port}.`);
  }
  const say = (step: string): void => writeLines(io.stdout, `  ${step} ...`);
  writeLines(io.stdout, 'Starting the Countersign demo:');
  const credentialFile = credentialFileIn(dataDir);
  const mailDir = join(dataDir, 'mails');
  const mail = { 'mail-dir': mailDir, 'mail-from': 'countersign@localhost' };
  const logSecretFile = join(dataDir, 'log-secret');
  const keyFile = join(dataDir, 'key');
  // Its jobs, mails and keys of logs would be the demo's from now on.
  if (existsSync(join(dataDir, 'postgres')) && !existsSync(logSecretFile) && !existsSync(credentialFile)) {
    throw new CommandFailure(`${dataDir} holds the database of another installation, not of a demo; choose another with --data-dir.`);
  }
  await makeSecret(logSecretFile);
  await makeSecret(keyFile);
  const files = { 'log-secret-file': logSecretFile, 'key-file': keyFile };
  const settings = { port: String(port), 'data-dir': dataDir, ...files, 'log-level': 'warn' };
  const config = readConfig({ ...settings, ...mail }, {});
  say('starting the database');
  const app = await startApp(config, {
    log,
    beforeListening: async (database) => {
      const tenant = {
        host: `localhost:${port}`,
        displayName: 'Sample company',
        adminEmail: config.adminEmail,
        secretLabel: config.secretLabel,
      };
      await bootstrapEmptyDatabase({ database, now: new Date(), log }, tenant, (credential) =>
        writeBootstrapFile(credentialFile, credential),
      );
      // Before anything is served or any job runs.
      await readCredential(credentialFile);
    },
  });
  try {
    const credential = await readCredential(credentialFile);
    const url = `http://localhost:${port}`;
    const { userId, review } = await loadSampleCompany(io, createClient({ url, credential }), say);
    await writeEnvironment(environmentFileIn(dataDir), { url, credential });
    const signInUrl = await printSignIn(app, log, `localhost:${port}`, userId);
    writeLines(io.stdout, ...listWelcome({ url, signInUrl, dataDir, isRemote: isRemote(io) }, review));
    await waitForStop(io, app);
  } catch (error) {
    await app.stop();
    if (io.signal.aborted) {
      return;
    }
    throw error;
  }
}

/** Prints a new link to a demo that runs in another window: whoever starts it again has closed the page or lost the link. */
async function announceRunning(io: CommandIo, { url, client }: RunningService, dataDir: string): Promise<void> {
  const { userId = '' } = await client.call(AuthService.method.introspect, {});
  const { url: signInUrl = '' } = await client.call(SignInLinkService.method.print, { userId });
  writeLines(io.stdout, ...listRunning({ url, signInUrl, dataDir, isRemote: isRemote(io) }));
}

/** True in a shell on another machine: the browser that opens the link is elsewhere. */
function isRemote(io: CommandIo): boolean {
  return (io.env['SSH_CONNECTION'] ?? '') !== '';
}

/** Makes a secret of the installation as an operator would: outside the database. One that is there stays. */
async function makeSecret(file: string): Promise<void> {
  try {
    await makeFolders(dirname(file));
    await writeFile(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST' || path !== file) {
      throw fileFailure(error, file, 'Give another --data-dir.');
    }
  }
}

/** A new link for the administrator; links of former starts are spent or end by themselves. */
async function printSignIn({ database }: App, log: Logger, host: string, userId: string): Promise<string> {
  const now = new Date();
  const tenant = await chooseTenant(database, host);
  const context: Context = {
    ...{ db: database.tenant(tenant.id), tenantId: tenant.id, now, log, react: reactions },
    actor: systemActor(newId(now)),
  };
  const { token } = await printLink(context, userId, printedSeconds);
  return linkUrl(hostBaseUrl(host), token);
}
