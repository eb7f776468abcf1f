/** The runner as a client of BatonService: it signs in with the credential of its source, and asks again where a call did not get through. */
import { Code, ConnectError, createClient, type Client, type Interceptor } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { ClientError } from '../client/error.ts';
import { createTokenSource } from '../client/token.ts';
import { BatonService } from '../gen/c1/connectorapi/baton/v1/baton_pb.js';

/** The server that the runner speaks to, and its name there. */
export interface SpeakerOptions {
  readonly url: string;
  readonly connectorUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A connection. */
export interface Speaker {
  readonly client: Client<typeof BatonService>;
  close(): void;
}

const callMilliseconds = 30_000;
/** A connection whose other end is gone is found while a file is sent. */
const pingMilliseconds = 30_000;

/** Makes a connection; it is opened by the first call. */
export function createSpeaker({ url, connectorUrl, clientId, clientSecret }: SpeakerOptions): Speaker {
  const tokens = createTokenSource(url, { clientId, clientSecret });
  const authorize: Interceptor = (next) => async (request) => {
    const token = await tokens.current();
    request.header.set('authorization', `Bearer ${token}`);
    try {
      return await next(request);
    } catch (error) {
      if (request.stream || ConnectError.from(error).code !== Code.Unauthenticated) {
        throw error;
      }
      request.header.set('authorization', `Bearer ${await tokens.renew(token)}`);
      return next(request);
    }
  };
  const sessionManager = new Http2SessionManager(connectorUrl, { pingIntervalMs: pingMilliseconds });
  const transport = createGrpcTransport({ baseUrl: connectorUrl, sessionManager, interceptors: [authorize] });
  return { client: createClient(BatonService, transport), close: () => sessionManager.abort() };
}

/** Options of a call that answers at once. */
export const callOptions = { timeoutMs: callMilliseconds } as const;

/** Meaning of an error of a call: REFUSED that the credential or the source is no more, GONE that the task is, LATER that it may work later. */
export type Trouble = 'REFUSED' | 'GONE' | 'WRONG' | 'LATER';

const troubles: Readonly<Partial<Record<Code, Trouble>>> = {
  [Code.Unauthenticated]: 'REFUSED',
  [Code.PermissionDenied]: 'REFUSED',
  [Code.NotFound]: 'GONE',
  [Code.InvalidArgument]: 'WRONG',
  [Code.FailedPrecondition]: 'WRONG',
};

/** Returns what an error means. */
export function troubleOf(error: unknown): Trouble {
  const inner = error instanceof ConnectError ? (error.cause ?? error) : error;
  if (inner instanceof ClientError) {
    // Of the endpoint for tokens; nobody answered where the status is 0.
    return inner.status === 400 || inner.status === 401 || inner.status === 403 ? 'REFUSED' : 'LATER';
  }
  return error instanceof ConnectError ? (troubles[error.code] ?? 'LATER') : 'LATER';
}

/** Returns the sentence of an error. */
export function sentenceOf(error: unknown): string {
  return error instanceof ConnectError ? error.rawMessage : error instanceof Error ? error.message : String(error);
}
