/** Finds where a demo is to run: its port and its data directory, which keeps to the port of its first start. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { type Client, createClient } from '../../client/index.ts';
import type { Logger } from '../../context.ts';
import { chooseDefaultDirectory } from '../../db/embedded/directory.ts';
import { AuthService } from '../../gen/c1/api/auth/v1/auth_service_pb.js';
import { folderOfData, isCompiled, programFolder } from '../../lib/installation.ts';
import { CommandFailure } from '../frame/io.ts';
import type { BootstrapCredential } from './bootstrap.ts';

/** The port of a demo where none is asked for. */
export const defaultPort = 8080;
const triedPorts = 20;

/** Where a demo is to run, or where one with its data runs already. */
interface Place {
  readonly port: number;
  readonly dataDir: string;
  readonly running?: RunningService;
  /** True if the port is another one than was meant, which is taken. */
  readonly isOther: boolean;
}

/**
 * Finds the port and the data directory. A tenant is known by its host, port included, so a data directory keeps to the port of its first start, and
 * where none is named, each port has one of its own.
 */
export async function findPlace(asked: number | undefined, wantedDirectory: string | undefined, log: Logger): Promise<Place> {
  const wanted = asked ?? defaultPort;
  if (wantedDirectory === undefined) {
    for (let port = wanted; port < wanted + triedPorts && port <= 65_535; port += 1) {
      const dataDir = await chooseDemoDirectory(port, log);
      if (await isFree(port)) {
        return { port, dataDir, isOther: port !== wanted };
      }
      const running = await findRunning(port, dataDir);
      if (running !== undefined) {
        return { port, dataDir, running, isOther: false };
      }
    }
    throw new CommandFailure(`no port from ${wanted} to ${wanted + triedPorts - 1} is free; choose one with --port`);
  }
  const dataDir = resolve(wantedDirectory);
  const kept = await findKeptPort(dataDir);
  if (kept === undefined) {
    const port = await findFreePort(wanted);
    return { port, dataDir, isOther: port !== wanted };
  }
  const running = (await isFree(kept)) ? undefined : await findRunning(kept, dataDir);
  if (running !== undefined) {
    return { port: kept, dataDir, running, isOther: false };
  }
  if (asked !== undefined && asked !== kept) {
    throw new CommandFailure(
      `The demo in ${dataDir} is localhost:${kept}, and its sessions and links are for that address alone. Start it with --port ${kept}, or choose another --data-dir.`,
    );
  }
  if (!(await isFree(kept))) {
    throw new CommandFailure(
      `Another program uses port ${kept}, which the demo in ${dataDir} needs. Stop that program, or choose another --port and --data-dir.`,
    );
  }
  return { port: kept, dataDir, isOther: false };
}

/** The port of a demo's first start; undefined where there is no demo yet. */
async function findKeptPort(dataDir: string): Promise<number | undefined> {
  const credential = await readCredential(credentialFileIn(dataDir)).catch(() => undefined);
  const port = /^localhost:(\d+)$/.exec(credential?.tenantHost ?? '')?.[1];
  return port === undefined ? undefined : Number(port);
}

/** A demo that runs already: its address, and a client with its credential. */
export interface RunningService {
  readonly url: string;
  readonly client: Client;
}

/** The service at a port that is taken, if it is the demo of this data: then its credential is known there. */
async function findRunning(port: number, dataDir: string): Promise<RunningService | undefined> {
  const credential = await readCredential(credentialFileIn(dataDir)).catch(() => undefined);
  if (credential?.tenantHost !== `localhost:${port}`) {
    return undefined;
  }
  const url = `http://localhost:${port}`;
  const client = createClient({ url, credential });
  const isKnown = await client.call(AuthService.method.introspect, {}).then(
    () => true,
    () => false,
  );
  return isKnown ? { url, client } : undefined;
}

/** The file that holds the credential of the first start. */
export function credentialFileIn(dataDir: string): string {
  return join(dataDir, 'credential.json');
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

/** Reads it. */
export async function readCredential(path: string): Promise<BootstrapCredential> {
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
    if (await isFree(port)) {
      return port;
    }
  }
  throw new CommandFailure(`no port from ${wanted} to ${wanted + triedPorts - 1} is free; choose one with --port`);
}

async function isFree(port: number): Promise<boolean> {
  return (await canListen(port, '127.0.0.1')) && (await canListen(port, '::1'));
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
