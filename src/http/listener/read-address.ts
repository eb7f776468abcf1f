/** Reads an address as proxies write it: with a port or none, in brackets or quotes. */
import { isIPv4, isIPv6 } from 'node:net';
import { unmapAddress } from '../../lib/ip-groups.ts';

const withPort = /^(?<v4>[\d.]+)(?::\d{1,5})?$|^\[(?<v6>[^\]%]+)(?:%[^\]]*)?\](?::\d{1,5})?$|^(?<bare>[^%]+)(?:%\S*)?$/;

/**
 * Returns the address in its one spelling: without port and zone, IPv4 in IPv6 as IPv4, IPv6 in lower case and shortened. Undefined for what names none,
 * such as `unknown` and `_hidden` (RFC 7239 section 6).
 */
export function readAddress(text: string): string | undefined {
  const trimmed = text.trim();
  const { v4, v6, bare = '' } = withPort.exec(/^"(.*)"$/.exec(trimmed)?.[1] ?? trimmed)?.groups ?? {};
  if (v4 !== undefined) {
    return isIPv4(v4) ? v4 : undefined;
  }
  const long = v6 ?? bare;
  if (!isIPv6(long)) {
    return undefined;
  }
  const address = unmapAddress(long);
  return isIPv4(address) ? address : new URL(`http://[${address}]`).hostname.slice(1, -1);
}
