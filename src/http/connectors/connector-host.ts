/** The host that connectors reach a tenant at, where it is not the tenant's own. */
import type { Tenant, TenantFinder } from '../../foundation/tenants/index.ts';

/**
 * Finds tenants by that host, too. A pattern without {host} means the one tenant there is, and nobody where there are several; `findOnly` says which
 * that is.
 */
export function withConnectorHost(
  finder: TenantFinder,
  pattern: string | undefined,
  findOnly: () => Promise<string | undefined>,
): TenantFinder {
  if (pattern === undefined) {
    return finder;
  }
  const [before = '', after = ''] = pattern.toLowerCase().split('{host}');
  const isFixed = !pattern.includes('{host}');
  async function findOther(header: string): Promise<Tenant | undefined> {
    const host = header.toLowerCase();
    if (isFixed) {
      return host === before ? finder.findByHost(await findOnly()) : undefined;
    }
    const name = host.startsWith(before) && host.endsWith(after) ? host.slice(before.length, host.length - after.length) : '';
    return name === '' ? undefined : finder.findByHost(name);
  }
  return {
    ...finder,
    findByHost: async (header) => (await finder.findByHost(header)) ?? (header === undefined ? undefined : findOther(header)),
  };
}
