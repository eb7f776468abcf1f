/**
 * `countersign demo` (npm run demo): a service on this machine with a sample company and a running review, to look at and to try out.
 * Its data stays, so that a second start goes on where the first ended.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import type { Commands } from '../frame/commands.ts';
import { type App, startApp } from '../../app.ts';
import { createClient } from '../../client/index.ts';
import { readConfig } from '../../config/read-config.ts';
import { type Context, type Logger, systemActor } from '../../context.ts';
import { chooseDefaultDirectory } from '../../db/embedded/directory.ts';
import { linkUrl, printedSeconds, printLink } from '../../domains/sessions/index.ts';
import { hostBaseUrl } from '../../domains/tenants/index.ts';
import { type BootstrapCredential, bootstrapEmptyDatabase, writeBootstrapFile } from './bootstrap.ts';
import { loadSampleCompany } from './demo-load.ts';
import { environmentFileIn, listWelcome, writeEnvironment } from './demo-welcome.ts';
import { makeFolders } from '../../lib/files/file-reason.ts';
import { fileFailure } from './file-failure.ts';
import { folderOfData, isCompiled, programFolder } from '../../lib/installation.ts';
import { reactions } from '../../reactions.ts';
import { newId } from '../../wire/ids.ts';
import { chooseTenant } from './credential.ts';
import { CommandFailure, type CommandIo, UsageError, writeLines } from '../frame/io.ts';
import { noticeLogger } from './database.ts';
import { waitForStop } from './serve.ts';

const defaultPort = 8080;
const triedPorts = 20;

/** Adds `demo`. */
export function addDemoCommand({ parent: program, io }: Commands): void {
  program
    .command('demo')
    .description('start with a sample company and a running review')
    .option('--port <n>', `port to listen on, or the next free one if it is taken (COUNTERSIGN_PORT; default ${defaultPort})`)
    .option('--data-dir <dir>', 'where the data stays (default: .countersign/ in the clone)')
    .action(({ port, dataDir }: { port?: string; dataDir?: string }) =>
      runDemo(io, port ?? (io.env['COUNTERSIGN_PORT'] || String(defaultPort)), dataDir),
    );
}

async function runDemo(io: CommandIo, wantedPort: string, wantedDirectory: string | undefined): Promise<void> {
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
  const dataDir = wantedDirectory === undefined ? await chooseDemoDirectory(port, log) : resolve(wantedDirectory);
  const credentialFile = join(dataDir, 'credential.json');
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
    writeLines(io.stdout, ...listWelcome({ url, signInUrl, dataDir }, review));
    await waitForStop(io, app);
  } catch (error) {
    await app.stop();
    if (io.signal.aborted) {
      return;
    }
    throw error;
  }
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
    throw new CommandFailure(
      `${path} is missing. It holds the credential of a demo. If ${dirname(path)} holds a demo, delete that folder and start again; otherwise choose another with --data-dir.`,
    );
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
