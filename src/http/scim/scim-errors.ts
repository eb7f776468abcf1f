/**
 * Errors under /scim/v2 in SCIM's form (RFC 7644 section 3.12), whoever threw them: the module SCIM, another module, or the framework.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ScimError, type ScimType, shapeScimError } from '../../inventory/scim/index.ts';
import type { AppError } from '../../errors.ts';
import type { Logger } from '../../context.ts';
import { invalidTokenChallenge } from '../authenticate.ts';
import { drainBody } from '../bodies/drain-body.ts';
import { toAppError } from '../render-error.ts';

/** Answers with an error; logs it where it is our fault. */
export async function sendScimError(log: Logger, thrown: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const error = thrown instanceof ScimError ? thrown : convert(log, toAppError(thrown), request, reply);
  await drainBody(request.raw);
  reply.removeHeader('connection');
  return reply
    .code(error.status)
    .header('content-type', 'application/scim+json')
    .send(JSON.stringify(shapeScimError(error)));
}

/** Of PostgreSQL: two changes in each other's way, or a lock that is held; the same request may succeed. */
const collisions: ReadonlySet<unknown> = new Set(['40001', '40P01', '55P03']);

function convert(log: Logger, error: AppError, request: FastifyRequest, reply: FastifyReply): ScimError {
  const known = { err: error, cause: error.cause, detail: error.detail, requestId: request.id, tenantId: request.tenant?.id ?? '' };
  const isCollision = error.code === 'CONFLICT' && collisions.has((error.cause as { code?: unknown } | undefined)?.code);
  const retryAfterSeconds = isCollision ? 1 : error.retryAfterSeconds;
  if (retryAfterSeconds !== undefined) {
    void reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfterSeconds))));
  }
  if (error.status === 401) {
    void reply.header('www-authenticate', invalidTokenChallenge);
  }
  // A paused source is no fault and has no cause.
  if (error.status === 500 || (error.status > 500 && error.cause !== undefined)) {
    log.error(known, 'a SCIM request failed');
  }
  if (error.status === 500) {
    return new ScimError(500, '', `Something went wrong on our side. The request id is ${request.id}.`);
  }
  if (isCollision) {
    // Not 409: a provider takes that for a user who is there already, and does not come again.
    return new ScimError(503, '', error.message);
  }
  return new ScimError(error.status, scimTypes[error.status] ?? '', error.message);
}

const scimTypes: Readonly<Record<number, ScimType>> = { 400: 'invalidValue', 409: 'uniqueness' };
