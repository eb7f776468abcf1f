/** Points links in mails: to the host of the tenant, or to where the operator says. */
import type { Context } from '../../../context.ts';
import { findTenantHost, isLoopback } from '../../tenants/index.ts';

/** The beginning of every link, without a slash at its end, and the host of the tenant. Only a loopback name is taken to be without TLS. */
export async function findOrigin({ db, tenantId }: Context, publicUrl: string | undefined): Promise<{ base: string; host: string }> {
  const host = (await findTenantHost(db, tenantId)) ?? 'localhost';
  const scheme = isLoopback(host) ? 'http' : 'https';
  return { base: publicUrl === undefined ? `${scheme}://${host}` : publicUrl.replace('{host}', host), host };
}
