/** The place that a request comes from, as limits count it. */
import { isIPv6 } from 'node:net';
import { ipv6Groups, unmapAddress } from './ip-groups.ts';

/** Returns the IPv4 address, or the first 64 bits of an IPv6 address, which is what one subscriber has. Anything else is returned as it is. */
export function clientPlace(sourceIp: string): string {
  const address = unmapAddress(sourceIp);
  if (!isIPv6(address)) {
    return address;
  }
  const prefix = ipv6Groups(address)
    .slice(0, 4)
    .map((group) => group.toString(16));
  return `${prefix.join(':')}::/64`;
}
