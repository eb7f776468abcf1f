/** The routes beside the contract at which a published log is read without a token (C2SP tlog-tiles). Whether it is published is decided in log-proofs. */
import type { FastifyInstance } from 'fastify';
import { anonymousActor, type Logger, type React } from '../context.ts';
import type { Database } from '../db/types.ts';
import { openTile } from '../foundation/log-proofs/index.ts';

/** Needs of the routes. */
export interface LogRouteParts {
  readonly database: Database;
  readonly clock: () => Date;
  readonly log: Logger;
  readonly react: React;
}

/** Registers the routes; to be passed to createServer among its `extraRoutes`. */
export function registerLogRoutes(app: FastifyInstance, { database, clock, log, react }: LogRouteParts): void {
  app.get('/log/*', async (request, reply) => {
    const { '*': path } = request.params as { '*': string };
    const actor = anonymousActor({ sourceIp: request.clientAddress, requestId: request.id });
    const { id } = request.tenant;
    const { contentType, body, isFinal } = await openTile({ db: database.tenant(id), tenantId: id, actor, now: clock(), log, react }, path);
    return reply
      .headers({ 'content-type': contentType, 'cache-control': isFinal ? 'public, max-age=31536000, immutable' : 'no-cache' })
      .send(body);
  });
}
