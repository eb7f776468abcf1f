/**
 * Place the server listens. `localhost` means both loopback addresses whatever the machine's hosts file says: clients try either, and a tenant on a
 * loopback name is the same under all of them.
 */
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { Http2Server } from 'node:http2';
import { createServer, type Server as NetServer } from 'node:net';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors.ts';
import { makeListener } from './make-listener.ts';

/** Time between looks for connections that became idle while we close. */
const sweepMs = 100;

/** Place to listen, and the certificate that the server was made with. */
export interface ListenPlace {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  /** Server of connectors, which shares the port of TLS. */
  readonly http2?: Http2Server;
}

/** The certificate and its key, as the server takes them. FAILED_PRECONDITION with the option's name for a file that cannot be read or used. */
export async function readTlsFiles({ certFile, keyFile }: { certFile: string; keyFile: string }): Promise<{ cert: Buffer; key: Buffer }> {
  const read = (path: string, flag: string): Promise<Buffer> =>
    readFile(path).catch((cause: unknown) => {
      throw new AppError('FAILED_PRECONDITION', `${flag} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, {
        cause,
      });
    });
  const cert = await read(certFile, '--tls-cert');
  const key = await read(keyFile, '--tls-key');
  requireUsable({ cert }, `--tls-cert: there is no certificate in ${certFile}; it has to be PEM.`);
  requireUsable({ key }, `--tls-key: there is no private key in ${keyFile} that can be used; it has to be PEM, without a passphrase.`);
  requireUsable(
    { cert, key },
    `--tls-key: ${keyFile} is not the key of the first certificate in ${certFile}; that of the server comes first there, those of its authorities follow.`,
  );
  return { cert, key };
}

/** FAILED_PRECONDITION with this sentence where TLS cannot use these: OpenSSL's own words name neither file nor option. */
function requireUsable(parts: SecureContextOptions, otherwise: string): void {
  try {
    createSecureContext(parts);
  } catch (cause) {
    throw new AppError('FAILED_PRECONDITION', otherwise, { cause });
  }
}

/** Starts to listen and returns the port; FAILED_PRECONDITION where another program or the system keeps it. Closing the server closes all. */
export async function listenAt(app: FastifyInstance, place: ListenPlace): Promise<number> {
  try {
    return await listenEverywhere(app, place);
  } catch (error) {
    throw explain(error, place);
  }
}

/**
 * Lets connectors reach `http2` without TLS, at a port for proxies, and returns what listens there. FAILED_PRECONDITION where the port is taken. Like the
 * port of TLS it hands its connections over: a server of HTTP/2 can listen at one address alone.
 */
export async function listenPlain(http2: Http2Server, host: string, port: number): Promise<NetServer[]> {
  const make = (): NetServer => createServer((socket) => http2.emit('connection', socket));
  const servers = [make(), ...(host === 'localhost' ? [make()] : [])] as const;
  try {
    const [first, second] = servers;
    await new Promise<void>((resolve, reject) => {
      first.once('error', reject);
      first.listen({ host: firstAddress(host), port }, resolve);
    });
    if (second !== undefined) {
      await listenOnIpv6(second, port);
    }
    return servers.filter(({ listening }) => listening);
  } catch (error) {
    for (const server of servers) {
      server.close();
    }
    throw explain(error, { host, port }, '--connector-port');
  }
}

function firstAddress(host: string): string {
  return host === 'localhost' ? '127.0.0.1' : host;
}

async function listenEverywhere(app: FastifyInstance, { host, port, tls, http2 }: ListenPlace): Promise<number> {
  let second: Server | undefined;
  if (host === 'localhost') {
    // Hooks can be added before listening only.
    app.addHook('preClose', () => closeSecond(second));
  }
  await app.listen({ host: firstAddress(host), port });
  const address = app.server.address();
  const chosen = typeof address === 'object' && address !== null ? address.port : port;
  if (host === 'localhost') {
    // The same routes.
    const server = makeListener((request, reply) => app.routing(request, reply), { tls, http2 });
    second = (await listenOnIpv6(server, chosen)) ? server : undefined;
  }
  return chosen;
}

/** Closes a server once its requests have ended: those that were under way leave connections that their clients would keep. */
async function closeSecond(server: Server | undefined): Promise<void> {
  if (server === undefined) {
    return;
  }
  const sweeper = setInterval(() => server.closeIdleConnections(), sweepMs);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(sweeper);
}

/** Lets a server listen on ::1; false on a machine without IPv6. */
function listenOnIpv6(server: NetServer, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') {
        resolve(false);
      } else {
        reject(error);
      }
    });
    server.listen({ host: '::1', port }, () => resolve(true));
  });
}

function explain(error: unknown, { host, port }: Pick<ListenPlace, 'host' | 'port'>, option = '--port'): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return new AppError('FAILED_PRECONDITION', `Another program uses port ${port}. Choose another with ${option}.`, { cause: error });
  }
  if (code === 'EACCES') {
    return new AppError('FAILED_PRECONDITION', `Port ${port} needs privileges this account does not have. Choose another with ${option}.`, {
      cause: error,
    });
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EADDRNOTAVAIL' || code === 'EINVAL') {
    const why = code === 'EADDRNOTAVAIL' ? 'is no address of this machine' : 'is no address that this machine knows';
    return new AppError(
      'FAILED_PRECONDITION',
      `--host: ${host} ${why}. Name one without a port, such as 127.0.0.1, or 0.0.0.0 or :: for all; people's name for the service is --tenant-host.`,
      { cause: error },
    );
  }
  return error;
}
