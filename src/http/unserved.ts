/** Operations of the public API that are not served: each answers with its name and why, whoever asks. */
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';
import { unservedOperations } from '../gen/unserved_operations.js';
import { routerPath } from './route-of.ts';

/**
 * Registers a route that answers 501 NOT_IMPLEMENTED for each of them. It is no 404: clients that manage objects take that for deleted, and
 * forget what they know.
 */
export function registerUnserved(app: FastifyInstance): void {
  for (const { verb, template, name, reason } of unservedOperations) {
    app.route({
      method: verb,
      url: routerPath(template),
      config: { onlyRefuses: true },
      // Before a body is read: nothing in it matters.
      onRequest: async () => {
        throw new AppError('NOT_IMPLEMENTED', `${name} is not served: ${reason}.`);
      },
      handler: async () => '',
    });
  }
}
