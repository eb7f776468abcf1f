/** Operations of the public API that are not served: each answers with its name and why, whoever asks. */
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';
import { unservedOperations } from '../gen/unserved_operations.js';
import { pathPattern } from './known-paths.ts';
import { routerPath } from './route-of.ts';

type Unserved = (typeof unservedOperations)[number];

const notServed = ({ name, reason }: Unserved): AppError => new AppError('NOT_IMPLEMENTED', `${name} is not served: ${reason}.`);

const byPath = unservedOperations.map((operation) => ({ operation, pattern: pathPattern(routerPath(operation.template)) }));

/**
 * Registers a route that answers 501 NOT_IMPLEMENTED for each of them. It is no 404: clients that manage objects take that for deleted, and
 * forget what they know.
 */
export function registerUnserved(app: FastifyInstance): void {
  for (const operation of unservedOperations) {
    app.route({
      method: operation.verb,
      url: routerPath(operation.template),
      config: { isOperation: true, onlyRefuses: true },
      // Before a body is read: nothing in it matters.
      onRequest: async () => {
        throw notServed(operation);
      },
      handler: async () => '',
    });
  }
}

/** Returns the same answer for a path of one of them with a slash at its end or with another method; undefined for every other path. */
export function findUnserved(method: string, path: string): AppError | undefined {
  const bare = path.replace(/\/+$/, '');
  const found = byPath.filter(({ pattern }) => pattern.test(bare)).map(({ operation }) => operation);
  const [first] = found;
  const same = found.find(({ verb }) => verb === (method === 'HEAD' ? 'GET' : method)) ?? first;
  return same === undefined ? undefined : notServed(same);
}
