/** Where links in mails lead: to the host of the tenant, or to where the operator says. */
import type { Context } from '../../context.ts';
import { findTenantHost, hostNameOf } from '../tenants/index.ts';

const loopback: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** The beginning of every link, without a slash at its end, and the host of the tenant. Only a loopback name is taken to be without TLS. */
export async function findOrigin({ db, tenantId }: Context, publicUrl: string | undefined): Promise<{ base: string; host: string }> {
  const host = (await findTenantHost(db, tenantId)) ?? 'localhost';
  const scheme = loopback.includes(hostNameOf(host)) ? 'http' : 'https';
  return { base: publicUrl === undefined ? `${scheme}://${host}` : publicUrl.replace('{host}', host), host };
}
