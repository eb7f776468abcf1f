/**
 * A connector as it looks from outside: it signs in with an assertion, speaks gRPC over HTTP/2, and knows of our service what is public of the wire
 * (c1.connectorapi.baton.v1.BatonService). Nothing of ours is used.
 */
import { createHash, createPrivateKey, randomUUID, sign } from 'node:crypto';
import { type ClientHttp2Session, connect } from 'node:http2';
import { type Field, Read, write } from './wire.ts';

/** Codes of gRPC that connectors act on. */
export const grpc = {
  ok: 0,
  invalidArgument: 3,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** An answer: the code, the message of an error, and what was answered. */
export interface GrpcAnswer {
  readonly code: number;
  readonly message: string;
  readonly reply: Read;
}

/** A task as a connector gets it. */
export interface WireTask {
  readonly id: string;
  readonly kind: 'none' | 'sync' | 'revoke' | 'delete' | 'other';
  /** Of a sync: the kind of file it is asked for. */
  readonly storageEngine: string;
  /** Of a removal. */
  readonly grant: Buffer;
  /** Type and id of what is to be deleted. */
  readonly resource: readonly [string, string];
}

const kinds = { 100: 'none', 102: 'sync', 104: 'revoke', 107: 'delete' } as const;

function readTask(task: Read): WireTask {
  const kind = Object.entries(kinds).find(([number]) => task.has(Number(number)))?.[1] ?? 'other';
  const resource = task.one(107).one(1);
  return {
    id: task.text(1),
    kind,
    storageEngine: task.one(102).text(7),
    grant: task.one(104).bytes(1),
    resource: [resource.text(1), resource.text(2)],
  };
}

/** Place and name that a connector signs in with. */
export interface ConnectorOptions {
  /** Base of the API, for the token; its host is what connectors take from the client id. */
  readonly url: string;
  /** Place of gRPC, if it is elsewhere. */
  readonly grpcUrl?: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly hostId: string;
  /** Host that it believes to speak to. */
  readonly authority?: string;
}

function signAssertion({ clientId, clientSecret, url }: ConnectorOptions): string {
  const jwk = JSON.parse(Buffer.from(clientSecret.split(':')[3] ?? '', 'base64url').toString());
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: clientId,
    sub: clientId,
    aud: new URL(url).hostname,
    exp: now + 120,
    nbf: now - 120,
    iat: now,
    nonce: randomUUID(),
  };
  const signed = `${encode({ alg: 'EdDSA' })}.${encode(claims)}`;
  return `${signed}.${sign(null, Buffer.from(signed), createPrivateKey({ key: jwk, format: 'jwk' })).toString('base64url')}`;
}

/** Asks for a token; the answer as it is. */
export async function askToken(options: ConnectorOptions): Promise<{ status: number; token: string }> {
  const response = await fetch(`${options.url}/auth/v1/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      client_id: options.clientId,
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: signAssertion(options),
    }).toString(),
  });
  const { access_token: token = '' } = (await response.json()) as { access_token?: string };
  return { status: response.status, token };
}

/** A connector. */
export interface TestConnector {
  readonly token: string;
  call(method: string, ...messages: readonly (readonly Field[])[]): Promise<GrpcAnswer>;
  hello(version?: string): Promise<GrpcAnswer>;
  /** The next task; throws where it is refused. */
  getTask(): Promise<WireTask>;
  heartbeat(taskId: string): Promise<{ code: number; cancelled: boolean }>;
  upload(taskId: string, bytes: Buffer, digest?: Buffer): Promise<GrpcAnswer>;
  finish(taskId: string, error?: { readonly code: number; readonly message: string; readonly annotation?: string }): Promise<GrpcAnswer>;
  close(): void;
}

const frame = (message: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
};

function callOnce(session: ClientHttp2Session, headers: Record<string, string>, messages: readonly Buffer[]): Promise<GrpcAnswer> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':method': 'POST', te: 'trailers', 'content-type': 'application/grpc', ...headers });
    let status: Record<string, unknown> = {};
    const pieces: Buffer[] = [];
    stream.on('response', (said) => (status = { ...status, ...said }));
    stream.on('trailers', (said) => (status = { ...status, ...said }));
    stream.on('data', (piece: Buffer) => pieces.push(piece));
    stream.on('error', reject);
    stream.on('close', () => {
      const body = Buffer.concat(pieces);
      const message = decodeURIComponent(String(status['grpc-message'] ?? ''));
      resolve({ code: Number(status['grpc-status'] ?? -1), message, reply: new Read(body.subarray(5)) });
    });
    for (const message of messages) {
      stream.write(frame(message));
    }
    stream.end();
  });
}

/** Starts a connector: it signs in and connects, offering HTTP/2 alone. */
export async function startConnector(options: ConnectorOptions): Promise<TestConnector> {
  const { token } = await askToken(options);
  const session = connect(options.grpcUrl ?? options.url);
  session.on('error', () => undefined);
  const { hostId } = options;
  const authority = options.authority ?? new URL(options.url).host;
  const call = (method: string, ...messages: readonly (readonly Field[])[]): Promise<GrpcAnswer> =>
    callOnce(
      session,
      { ':path': `/c1.connectorapi.baton.v1.BatonService/${method}`, ':authority': authority, authorization: `Bearer ${token}` },
      messages.map(write),
    );
  return {
    token,
    call,
    hello: (version = '1.0.0') =>
      call('Hello', [
        [1, hostId],
        [
          3,
          [
            [1, 'go1.24'],
            [2, 'github.com/example/baton-demo'],
            [3, version],
          ],
        ],
        [
          4,
          [
            [1, `${hostId}.example`],
            [2, 'linux'],
            [7, 'x86_64'],
          ],
        ],
        [
          5,
          [
            [1, 'Demo'],
            [
              8,
              [
                [
                  1,
                  [
                    [1, [[1, 'role']]],
                    [2, 1],
                    [2, 2],
                  ],
                ],
                [2, 1],
                [2, 2],
              ],
            ],
          ],
        ],
      ]),
    async getTask() {
      const { code, message, reply } = await call('GetTask', [[1, hostId]]);
      if (code !== 0) {
        throw new Error(`GetTask: ${code} ${message}`);
      }
      return readTask(reply.one(1));
    },
    async heartbeat(taskId) {
      const { code, reply } = await call('Heartbeat', [
        [1, hostId],
        [2, taskId],
      ]);
      return { code, cancelled: reply.whole(2) === 1 };
    },
    upload(taskId, bytes, digest = createHash('sha256').update(bytes).digest()) {
      const pieces: Field[][] = [];
      for (let at = 0; at < bytes.length; at += 1024 * 1024) {
        pieces.push([[101, [[1, bytes.subarray(at, at + 1024 * 1024)]]]]);
      }
      return call(
        'UploadAsset',
        [
          [
            100,
            [
              [1, hostId],
              [2, taskId],
            ],
          ],
        ],
        ...pieces,
        [[102, [[1, digest]]]],
      );
    },
    finish(taskId, error) {
      const annotations: Field[] = error?.annotation === undefined ? [] : [[1, [[1, `type.googleapis.com/${error.annotation}`]]]];
      const isError = error !== undefined && error.code !== 0;
      return call('FinishTask', [
        [1, hostId],
        [2, taskId],
        [
          3,
          isError
            ? [
                [1, error.code],
                [2, error.message],
              ]
            : [],
        ],
        isError ? [100, [[1, true]]] : [101, annotations],
      ]);
    },
    close: () => session.close(),
  };
}
