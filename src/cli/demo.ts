/**
 * `countersign demo` (npm run demo): a service on this machine with a sample company and a running review, to look at and to try out.
 * Its data stays, so that a second start goes on where the first ended.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { type App, startApp } from '../app.ts';
import { createClient } from '../client/index.ts';
import { readConfig } from '../config.ts';
import { type Context, type Logger, systemActor } from '../context.ts';
import { chooseDefaultDirectory } from '../db/embedded/directory.ts';
import { baseUrlOf, linkUrl, printedSeconds, printLink } from '../domains/sessions/index.ts';
import { type BootstrapCredential, bootstrapEmptyDatabase, writeBootstrapFile } from './bootstrap.ts';
import { type LoadedDemo, loadSampleCompany } from './demo-load.ts';
import { folderOfData, isCompiled, programFolder } from '../lib/installation.ts';
import { reactions } from '../reactions.ts';
import { newId } from '../wire/ids.ts';
import { chooseTenant } from './credential-local.ts';
import { CommandFailure, type CommandIo, UsageError, writeLines } from './io.ts';
import { noticeLogger } from './local-database.ts';
import { waitForStop } from './serve.ts';

const defaultPort = 8080;
const triedPorts = 20;

/** Adds `demo`. */
export function addDemoCommand(program: Command, io: CommandIo): void {
  program
    .command('demo')
    .description('start with a sample company and a running review')
    .option('--port <n>', `port to listen on, or the next free one if it is taken (COUNTERSIGN_PORT; default ${defaultPort})`)
    .action((options: { port?: string }) => runDemo(io, options.port ?? (io.env['COUNTERSIGN_PORT'] || String(defaultPort))));
}

async function runDemo(io: CommandIo, wantedPort: string): Promise<void> {
  const wanted = Number(wantedPort);
  if (!/^\d+$/.test(wantedPort) || wanted < 1 || wanted > 65_535) {
    throw new UsageError(`--port must be a whole number from 1 to 65535, not "${wantedPort}"`);
  }
  const port = await findFreePort(wanted);
  if (port !== wanted) {
    writeLines(io.stdout, `Port ${wanted} is taken, so the demo uses ${port}.`);
  }
  const say = (step: string): void => writeLines(io.stdout, `  ${step} ...`);
  writeLines(io.stdout, 'Starting the Countersign demo:');
  const log = noticeLogger(io);
  // A tenant is known by its host, port included: each port has a sample company of its own.
  const dataDir = await chooseDemoDirectory(port, log);
  const credentialFile = join(dataDir, 'credential.json');
  const mailDir = join(dataDir, 'mails');
  const mail = { 'mail-dir': mailDir, 'mail-from': 'countersign@localhost' };
  const config = readConfig({ port: String(port), 'data-dir': dataDir, 'log-level': 'warn', ...mail }, {});
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
    },
  });
  try {
    const credential = await readCredential(credentialFile);
    const url = `http://localhost:${port}`;
    const loaded = await loadSampleCompany(io, createClient({ url, credential }), say);
    const signInUrl = await printSignIn(app, log, `localhost:${port}`, loaded.userId);
    writeLines(io.stdout, ...listWelcome({ url, signInUrl, credential, dataDir: dirname(credentialFile) }, loaded));
    await waitForStop(io, app);
  } catch (error) {
    await app.stop();
    if (io.signal.aborted) {
      return;
    }
    throw error;
  }
}

/** `.countersign/demo` in the clone, with the port where it is not the usual one; elsewhere where the database cannot live in the clone, or there is none. */
async function chooseDemoDirectory(port: number, log: Parameters<typeof chooseDefaultDirectory>[0]): Promise<string> {
  const name = port === defaultPort ? 'demo' : `demo-${port}`;
  if (isCompiled) {
    return join(folderOfData(), name);
  }
  const silent = { ...log, info: (_fields: object, message?: string) => log.warn({}, message) };
  const usual = await chooseDefaultDirectory(silent, { clone: programFolder });
  return usual === join(programFolder, 'data') ? join(programFolder, '.countersign', name) : join(usual, name);
}

async function readCredential(path: string): Promise<BootstrapCredential> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as BootstrapCredential;
  } catch {
    throw new CommandFailure(`${path} is missing, and it held the credential of this demo. Delete ${dirname(path)} and start again.`);
  }
}

/** The first port from `wanted` on that nobody listens on, on neither loopback address. */
async function findFreePort(wanted: number): Promise<number> {
  for (let port = wanted; port < wanted + triedPorts && port <= 65_535; port += 1) {
    if ((await canListen(port, '127.0.0.1')) && (await canListen(port, '::1'))) {
      return port;
    }
  }
  throw new CommandFailure(`no port from ${wanted} to ${wanted + triedPorts - 1} is free; choose one with --port`);
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      // Without IPv6 on this machine nobody listens there.
      resolve(error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT');
    });
    server.listen({ port, host }, () => server.close(() => resolve(true)));
  });
}

/** A running demo as it is announced. */
interface RunningDemo {
  readonly url: string;
  readonly signInUrl: string;
  readonly credential: Pick<BootstrapCredential, 'clientId' | 'clientSecret'>;
  readonly dataDir: string;
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
  return linkUrl(baseUrlOf(host), token);
}

/** What is said once it runs: how to get in, and what to try first, to be pasted as it is. */
export function listWelcome({ url, signInUrl, credential, dataDir }: RunningDemo, { userId, review }: LoadedDemo): string[] {
  // By its path: a bare name would be looked up, in the worst case by a registry that knows another package under it.
  const countersign = isCompiled ? `'${join(programFolder, 'bin/countersign.js')}'` : './countersign';
  const state = (review.state ?? '').replace('ACCESS_REVIEW_STATE_', '').toLowerCase();
  return [
    '',
    `Countersign is running:  ${url}`,
    `Sign in with this link:  ${signInUrl}`,
    'The link makes you its administrator. It works once, within a day; each start prints a new one.',
    `The sample review is ${state}: ${review.displayName ?? ''} (${review.id})`,
    '',
    'An API credential of the administrator:',
    `  client id      ${credential.clientId}`,
    `  client secret  ${credential.clientSecret}`,
    '',
    'Try it, in another terminal in this folder. Set the credential, then look at the sample inventory:',
    '',
    `export COUNTERSIGN_URL=${url} COUNTERSIGN_CLIENT_ID='${credential.clientId}' \\`,
    `  COUNTERSIGN_CLIENT_SECRET='${credential.clientSecret}'`,
    `${countersign} grant list --app 'Sample Ledger' --ended`,
    `${countersign} identity leavers`,
    `${countersign} mail list`,
    '',
    'Then be a reviewer, and whoever runs the review:',
    '',
    `${countersign} task queue ${review.id}`,
    `${countersign} review progress ${review.id}`,
    `${countersign} conflict alerts`,
    '',
    'The API with curl. An access token:',
    '',
    `TOKEN=$(curl -s ${url}/auth/v1/token -d grant_type=client_credentials \\`,
    `  -d 'client_id=${credential.clientId}' \\`,
    `  -d 'client_secret=${credential.clientSecret}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    '',
    'The reviews:',
    '',
    `curl -s -w '\\n' -H "Authorization: Bearer $TOKEN" ${url}/api/v1/access_reviews`,
    '',
    'The tasks that wait for you:',
    '',
    `curl -s -w '\\n' -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\`,
    `  -d '{"assigneesInIds":["${userId}"],"taskStates":["TASK_STATE_OPEN"]}' ${url}/api/v1/search/tasks`,
    '',
    `Every operation, to read and to try in the browser: ${url}/docs`,
    `Mails are not sent, but written to ${join(dataDir, 'mails')}`,
    `Data: ${dataDir} (delete it to start again from the beginning)`,
    'Press Ctrl-C to stop; the next start uses the same data.',
  ];
}
