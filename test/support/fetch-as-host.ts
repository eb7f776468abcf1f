/**
 * A fetch that names another host than the one it connects to: fetch itself always sends the host of the URL, and names of test tenants are
 * resolved by nobody.
 */
import { request } from 'node:http';
import { Readable } from 'node:stream';

/** A fetch to the server of the URL (plain HTTP) that says `host` in its Host header. */
export function fetchAsHost(host: string): typeof fetch {
  return async (input, init) => {
    const sent = new Request(input, { ...init, ...(init?.body === undefined ? {} : { duplex: 'half' }) } as RequestInit);
    const url = new URL(sent.url);
    const body = sent.body === null ? undefined : Buffer.from(await sent.arrayBuffer());
    const length = body === undefined ? {} : { 'content-length': String(body.length) };
    const headers = { ...Object.fromEntries(sent.headers), ...length, host };
    return new Promise<Response>((resolve, reject) => {
      const outgoing = request(
        { host: url.hostname, port: url.port, path: `${url.pathname}${url.search}`, method: sent.method, headers },
        (incoming) => {
          const received = new Headers();
          for (const [name, value] of Object.entries(incoming.headers)) {
            for (const one of Array.isArray(value) ? value : [value ?? '']) {
              received.append(name, one);
            }
          }
          const isEmpty = [204, 304].includes(incoming.statusCode ?? 0);
          if (isEmpty) {
            incoming.resume();
          }
          resolve(
            new Response(isEmpty ? null : (Readable.toWeb(incoming) as ReadableStream), {
              status: incoming.statusCode ?? 500,
              headers: received,
            }),
          );
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  };
}
