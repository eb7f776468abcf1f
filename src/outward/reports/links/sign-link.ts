/**
 * Links to a report's file that work for 15 minutes for whoever holds them: the report's id and the end of that time under an HMAC
 * with a key derived from the tenant's secret. Whether the report exists is not known here.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Time a link works. */
const linkLifetimeSeconds = 900;

/** Path of report files; the report's id follows. */
export const reportPath = '/reports';

/** The link to a report from `now` on; `baseUrl` is scheme and host as the client reached us. */
export function signLink(tenantSecret: Buffer, baseUrl: string, reportId: string, now: Date): string {
  const expires = Math.floor(now.getTime() / 1000) + linkLifetimeSeconds;
  const signature = sign(tenantSecret, reportId, String(expires)).toString('base64url');
  return `${baseUrl}${reportPath}/${reportId}?expires=${expires}&signature=${signature}`;
}

/** True if the parts of a link belong together and its time is not over. */
export function isLinkValid(tenantSecret: Buffer, parts: { reportId: string; expires: string; signature: string }, now: Date): boolean {
  const expected = sign(tenantSecret, parts.reportId, parts.expires);
  const given = Buffer.from(parts.signature, 'base64url');
  const isGenuine = given.length === expected.length && timingSafeEqual(given, expected);
  return isGenuine && Number(parts.expires) * 1000 > now.getTime();
}

function sign(tenantSecret: Buffer, reportId: string, expires: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', tenantSecret, '', 'countersign report links', 32));
  return createHmac('sha256', key).update(`${reportId}\n${expires}`).digest();
}
