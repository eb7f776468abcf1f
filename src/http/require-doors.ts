/** Check, at start, that every route is an operation of the contract or a door that the module authority lists. */
import type { FastifyInstance } from 'fastify';
import { findDoor } from '../foundation/authority/index.ts';

/** Throws for each route registered from now on that is neither. */
export function requireDoors(app: FastifyInstance): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.isOperation === true && url.startsWith('/api/')) {
      return;
    }
    const unlisted = [method].flat().find((one) => findDoor(one, url) === undefined);
    if (unlisted !== undefined) {
      throw new TypeError(`${unlisted} ${url} is no operation of the contract: say in src/foundation/authority/doors.ts what opens it`);
    }
  });
}
