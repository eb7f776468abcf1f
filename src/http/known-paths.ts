/** Which paths exist and with which methods: for 404, 405 and OPTIONS. The routes themselves are registered elsewhere. */
import type { FastifyInstance } from 'fastify';

/** The paths of one server. */
export interface KnownPaths {
  /** The methods a path has, sorted; empty for a path that does not exist. Takes the path without its query. */
  methodsOf(path: string): readonly string[];
}

/**
 * Collects what is registered on `app` and inside it from now on. Routes that only refuse are left out: those for several methods at once, and
 * those of operations that are not served.
 */
export function collectPaths(app: FastifyInstance): KnownPaths {
  const routes = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  app.addHook('onRoute', ({ method, url, config }) => {
    if (typeof method !== 'string' || method === 'HEAD' || config?.onlyRefuses === true) {
      return;
    }
    const route = routes.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() };
    route.methods.add(method);
    if (method === 'GET') {
      route.methods.add('HEAD');
    }
    routes.set(url, route);
  });
  return {
    methodsOf(path) {
      const methods = new Set<string>();
      for (const route of routes.values()) {
        if (route.pattern.test(path)) {
          for (const method of route.methods) {
            methods.add(method);
          }
        }
      }
      return [...methods].sort();
    },
  };
}

function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[^A-Za-z0-9_-]/g, '\\$&')));
  return new RegExp(`^${parts.join('/')}$`);
}
