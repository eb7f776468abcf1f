/**
 * The share of the database connections that searches may hold: of each user, of each tenant and of all together. Who is over it waits without
 * a connection, in turn, so that a request of anybody else finds one. How turns are taken is in lib/fair-gate.ts.
 */
import type { DescMethod } from '@bufbuild/protobuf';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { createFairGate, type FairGate, GateRefused, type GateRefusal } from '../lib/fair-gate.ts';

/** Searches of one user, and of all, that wait; more are refused. */
const maxWaitingPerUser = 64;
const maxWaiting = 1024;

/** The shares of a pool of so many connections: a quarter for a user, half for a tenant, and a quarter that no search ever holds. */
export function createSearchGate(poolSize: number): FairGate {
  const part = (of: number): number => Math.max(1, Math.floor(poolSize * of));
  return createFairGate({
    total: part(3 / 4),
    perGroup: part(1 / 2),
    perMember: part(1 / 4),
    mostWaitingPerMember: maxWaitingPerUser,
    mostWaiting: maxWaiting,
  });
}

const searchesWithoutPages = ['Preview', 'SearchAll'];

/** True if what a method reads grows with what there is: lists, searches, and the preview of a review. */
export function isSearch(method: DescMethod): boolean {
  return method.input.fields.some(({ name }) => name === 'page_token') || searchesWithoutPages.includes(method.name);
}

const refusals: Readonly<Record<GateRefusal, () => AppError>> = {
  MEMBER_FULL: () =>
    new AppError('RATE_LIMITED', 'Too many lists and searches of yours wait for their turn. Send fewer at once.', { retryAfterSeconds: 2 }),
  FULL: () => new AppError('UNAVAILABLE', 'Too many lists and searches wait for their turn.', { retryAfterSeconds: 2 }),
  // Nobody reads it: the client closed the connection.
  LEFT: () => new AppError('UNAVAILABLE', 'The client left while its request waited.', { status: 499 }),
};

/** Aborted when the client is gone before it was answered. */
function goneOf(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => controller.abort());
  return controller.signal;
}

/** Does the work of a search within the shares. RATE_LIMITED or UNAVAILABLE, both with Retry-After, where too much waits. */
export async function runSearch<T>(gate: FairGate, request: FastifyRequest, reply: FastifyReply, work: () => Promise<T>): Promise<T> {
  const { tenant, actor } = request;
  try {
    return await gate.run(tenant.id, actor.userId || actor.credentialId, () => goneOf(reply), work);
  } catch (error) {
    throw error instanceof GateRefused ? refusals[error.reason]() : error;
  }
}
