/** The check of routes at start. */
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { requireDoors } from './require-doors.ts';

const handler = async (): Promise<string> => '';

describe('a route', () => {
  it.each([
    ['/odd', 'GET', {}],
    ['/healthz', 'DELETE', {}],
    ['/healthz/deep', 'GET', {}],
    ['/scim/v2/Me', 'GET', {}],
    ['/odd', 'POST', { isOperation: true }],
  ])('%s of %s is refused where no row says what opens it', (url, method, config) => {
    const app = Fastify();
    requireDoors(app);
    expect(() => app.route({ method, url, config, handler })).toThrow(`${method} ${url} is no operation of the contract`);
  });
  it('of the contract, or with a row, is taken', () => {
    const app = Fastify();
    requireDoors(app);
    app.route({ method: 'POST', url: '/api/v1/apps', config: { isOperation: true }, handler });
    app.get('/healthz', handler);
    app.get('/assets/index-4711.js', handler);
    expect(app.hasRoute({ method: 'HEAD', url: '/healthz' })).toBe(true);
  });
});
