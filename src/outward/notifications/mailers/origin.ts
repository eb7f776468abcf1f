/** Points links in mails: to the host of the tenant, or to where the operator says. */
import type { Context } from '../../../context.ts';
import type { MailSettings } from './mail-settings.ts';
import { findTenantHost, hostBaseUrl } from '../../../foundation/tenants/index.ts';

/** The beginning of every link, without a slash at its end, and the host of the tenant. */
export async function findOrigin(
  { db, tenantId }: Context,
  { publicUrl, plainPort }: Pick<MailSettings, 'publicUrl' | 'plainPort'>,
): Promise<{ base: string; host: string }> {
  const host = (await findTenantHost(db, tenantId)) ?? 'localhost';
  return { base: publicUrl === undefined ? hostBaseUrl(host, plainPort) : publicUrl.replace('{host}', host), host };
}
