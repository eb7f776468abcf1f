/**
 * Finding the tenant of a request by its Host header, remembered for a few seconds so that a request costs no query for it.
 */
import type { Database } from '../../db/types.ts';
import { hostAliases, normalizeHost } from './host.ts';
import { findTenantByHosts, type Tenant } from './store.ts';

/** A deleted tenant must be gone within 5 s everywhere; the query itself takes a part of that. */
const keepMs = 4_000;
/** Hosts come from clients, so what is remembered about them is bounded. */
const maxRemembered = 2_000;

/** Finds tenants; one per process. */
export interface TenantFinder {
  /** The tenant a Host header means, or undefined for an unknown, malformed or missing one. */
  findByHost(host: string | undefined): Promise<Tenant | undefined>;
  /** Forgets what is remembered, after a tenant was created or deleted in this process. */
  forget(): void;
}

/** Makes a finder; `now` in milliseconds is given only by tests. */
export function createTenantFinder(database: Database, now: () => number = Date.now): TenantFinder {
  const remembered = new Map<string, { until: number; tenant: Promise<Tenant | undefined> }>();
  return {
    async findByHost(header) {
      const host = header === undefined ? undefined : normalizeHost(header);
      if (host === undefined) {
        return undefined;
      }
      const at = now();
      const known = remembered.get(host);
      if (known !== undefined && at < known.until) {
        return known.tenant;
      }
      const tenant = findTenantByHosts(database.system(), hostAliases(host));
      remembered.delete(host);
      for (const oldest of remembered.keys()) {
        if (remembered.size < maxRemembered) {
          break;
        }
        remembered.delete(oldest);
      }
      const entry = { until: at + keepMs, tenant };
      remembered.set(host, entry);
      tenant.catch(() => {
        // A failed query is not an answer.
        if (remembered.get(host) === entry) {
          remembered.delete(host);
        }
      });
      return tenant;
    },
    forget: () => remembered.clear(),
  };
}
