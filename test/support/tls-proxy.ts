/** A reverse proxy that ends TLS, as an operator puts one in front: the Host header passes unchanged, and what it adds is up to the test. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { createServer, request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';

/** An answer as the client of the proxy sees it. */
export interface ProxiedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A running proxy. */
export interface TlsProxy {
  /** Asks through the proxy, for a host by its Host header. */
  ask(host: string, path: string, options?: { method?: string; headers?: Record<string, string>; body?: string }): Promise<ProxiedAnswer>;
  close(): Promise<void>;
}

/** Starts one in front of a port of this machine. */
export async function startTlsProxy(
  target: number,
  files: { readonly certFile: string; readonly keyFile: string },
  added: Readonly<Record<string, string>> = {},
): Promise<TlsProxy> {
  const tls = { cert: readFileSync(files.certFile), key: readFileSync(files.keyFile) };
  const server = createServer(tls, (request, reply) => {
    const { method = 'GET', url = '/', headers } = request;
    const onward = httpRequest({ host: '127.0.0.1', port: target, method, path: url, headers: { ...headers, ...added } }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    });
    onward.on('error', () => reply.writeHead(502).end());
    request.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    ask: (host, path, { method = 'GET', headers = {}, body } = {}) =>
      new Promise((resolve, reject) => {
        const options = { host: '127.0.0.1', port, method, path, headers: { ...headers, host }, ca: tls.cert, agent: false };
        const asked = httpsRequest({ ...options, checkServerIdentity: () => undefined }, (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (piece: string) => {
            text += piece;
          });
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }));
        });
        asked.on('error', reject).end(body);
      }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
