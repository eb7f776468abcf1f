/** A server of connectors by what is public of the wire: it hands out what a test says, over HTTP/2 without TLS, and keeps what it hears. */
import { createHash } from 'node:crypto';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttp2, type Http2Session } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import {
  BatonService,
  type BatonServiceFinishTaskRequest,
  type BatonServiceHelloRequest,
  BatonServiceGetTaskResponseSchema,
  type TaskSchema,
} from '../../src/gen/c1/connectorapi/baton/v1/baton_pb.js';

/** Things it heard, and its answers. */
export interface BatonServer {
  /** Place of the token, and of gRPC. */
  readonly url: string;
  readonly connectorUrl: string;
  readonly hellos: BatonServiceHelloRequest[];
  readonly finished: BatonServiceFinishTaskRequest[];
  /** Tokens that were accepted, one for each call. */
  readonly tokens: string[];
  /** Contents that were uploaded whole, as text. */
  readonly uploads: string[];
  /** Tasks to give, in order. */
  readonly tasks: MessageInitShape<typeof TaskSchema>[];
  /** Says of a task, at its heartbeat, that it is cancelled. */
  isCancelled: boolean;
  /** Codes with which the next questions for work fail, in order, and the next uploads. */
  readonly failures: Code[];
  readonly uploadFailures: Code[];
  close(): Promise<void>;
}

/** Starts one. */
export async function startBatonServer(): Promise<BatonServer> {
  const sessions = new Set<Http2Session>();
  let issued = 0;
  const fail = (codes: Code[]): void => {
    const code = codes.shift();
    if (code !== undefined) {
      throw new ConnectError('not now', code);
    }
  };
  const tokens = createHttp((_request, reply) => {
    issued += 1;
    reply.setHeader('content-type', 'application/json').end(JSON.stringify({ access_token: `token-${issued}`, expires_in: 3600 }));
  });
  const handler = connectNodeAdapter({
    routes: (router) =>
      router.service(BatonService, {
        hello: (request) => {
          server.hellos.push(request);
          return {};
        },
        getTask: (_request, { requestHeader }) => {
          server.tokens.push(requestHeader.get('authorization') ?? '');
          fail(server.failures);
          const task = server.tasks.shift() ?? { taskType: { case: 'none', value: {} } };
          return create(BatonServiceGetTaskResponseSchema, { task, nextPoll: { seconds: 1n }, nextHeartbeat: { seconds: 1n } });
        },
        heartbeat: () => ({ cancelled: server.isCancelled }),
        uploadAsset: async (request) => {
          fail(server.uploadFailures);
          const pieces: Buffer[] = [];
          for await (const { msg } of request) {
            if (msg.case === 'data') {
              pieces.push(Buffer.from(msg.value.data));
            } else if (msg.case === 'eof') {
              const bytes = Buffer.concat(pieces);
              if (!createHash('sha256').update(bytes).digest().equals(msg.value.sha256Checksum)) {
                throw new ConnectError('another digest', Code.InvalidArgument);
              }
              server.uploads.push(bytes.toString('latin1'));
            }
          }
          return {};
        },
        finishTask: (request) => {
          server.finished.push(request);
          return {};
        },
      }),
    connect: false,
    grpcWeb: false,
  });
  const grpc = createHttp2(handler);
  grpc.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => undefined);
    session.once('close', () => sessions.delete(session));
  });
  const server: BatonServer = {
    url: await listen(tokens),
    connectorUrl: await listen(grpc),
    hellos: [],
    finished: [],
    tokens: [],
    uploads: [],
    tasks: [],
    isCancelled: false,
    failures: [],
    uploadFailures: [],
    async close() {
      for (const session of sessions) {
        session.destroy();
      }
      tokens.closeAllConnections();
      await Promise.all([tokens, grpc].map((one) => new Promise((resolve) => one.close(resolve))));
    },
  };
  return server;
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}
