/**
 * The server behind an address: `localhost` has two of them, and a proxy may meet either, so that both are made here, with the same settings and the
 * same answer to what is no request.
 */
import { createServer as createHttpServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Http2Server } from 'node:http2';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { AppError } from '../../errors.ts';
import { newId } from '../../wire/ids.ts';
import { protocolsFor, sharePort } from '../connectors/share-port.ts';
import { renderError } from '../render-error.ts';

/** Ways to reach a server. */
export interface ListenerParts {
  /** PEM; with it the server speaks https alone. */
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer } | undefined;
  /** Server of connectors, which gets connections of HTTP/2 at the port of TLS. */
  readonly http2?: Http2Server | undefined;
}

/** Longer than proxies keep idle connections (60 seconds and less), so that they never send into one that we are closing. */
const keepAliveMs = 72_000;
const headersMs = 60_000;

/** Makes a server that listens nowhere yet. */
export function makeListener(handler: RequestListener, { tls, http2 }: ListenerParts): Server {
  const server = tls === undefined ? createHttpServer(handler) : makeSecure(handler, tls, http2);
  server.keepAliveTimeout = keepAliveMs;
  server.headersTimeout = headersMs;
  // An import may take as long as it takes; bodies that are read into memory have a limit of their own.
  server.requestTimeout = 0;
  server.on('clientError', answerUnreadable);
  finishAnswers(server);
  return server;
}

/**
 * Lets answers leave before their connections count as idle. Node takes a connection for idle once its answer was handed over whole, and would cut off
 * in its middle whatever a client reads slowly.
 */
function finishAnswers(server: Server): void {
  const leaving = new Set<ServerResponse>();
  server.prependListener('request', (_request, response) => {
    leaving.add(response);
    response.once('close', () => leaving.delete(response));
  });
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    const handedOver = [...leaving].filter((response) => response.finished);
    // By this alone it sees that a connection is busy.
    for (const response of handedOver) {
      response.finished = false;
    }
    closeIdle();
    for (const response of handedOver) {
      response.finished = true;
    }
  };
}

function makeSecure(
  handler: RequestListener,
  { cert, key }: NonNullable<ListenerParts['tls']>,
  http2: Http2Server | undefined,
): HttpsServer {
  const server = createHttpsServer({ cert, key, ...protocolsFor(http2) }, handler);
  if (http2 !== undefined) {
    sharePort(server, http2);
  }
  return server;
}

/** Answers non-HTTP or too large headers: there is no request to answer, only a connection. */
export function answerUnreadable(error: Error & { code?: string }, socket: Pick<Socket, 'writable' | 'destroy' | 'end'>): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'The headers of the request are too large.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'The request did not arrive in time.']
        : ['400 Bad Request', 'This is not HTTP that can be read.'];
  const id = newId(new Date());
  const { body } = renderError(new AppError('INVALID_ARGUMENT', message), id);
  const headers = [`HTTP/1.1 ${status}`, 'content-type: application/json; charset=utf-8', `x-request-id: ${id}`, 'connection: close'];
  socket.end(`${headers.join('\r\n')}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}
