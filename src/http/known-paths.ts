/** Paths that exist and their methods: for 404, 405 and OPTIONS. The routes themselves are registered elsewhere. */
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
    const route = routes.get(url) ?? { pattern: pathPattern(url), methods: new Set<string>() };
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

/** Matches the path of a route as the router writes it; a colon that is part of the path is doubled there. */
export function pathPattern(url: string): RegExp {
  const literal = (part: string): string => part.replaceAll('::', ':').replace(/[^A-Za-z0-9_-]/g, '\\$&');
  const parts = url.split('/').map((part) => (/^:(?!:)/.test(part) ? '[^/]+' : literal(part)));
  return new RegExp(`^${parts.join('/')}$`);
}
