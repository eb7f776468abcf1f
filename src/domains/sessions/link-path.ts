/** Where a sign-in link leads: a page of the console, which shows a button. Opening the page spends nothing, since programs that scan mails do so. */
import { hostNameOf } from '../tenants/index.ts';

const loopback: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** The address of a tenant's pages where nothing else says it. Only a loopback name is taken to be without TLS. */
export function baseUrlOf(host: string): string {
  return `${loopback.includes(hostNameOf(host)) ? 'http' : 'https'}://${host}`;
}

/** The address of the page for a link with this token. */
export function linkUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/sign-in?link=${token}`;
}
