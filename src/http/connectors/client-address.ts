/** The address of a client behind proxies that are trusted, as Fastify finds it for http/1.1. */
import { BlockList, isIPv6 } from 'node:net';

const ranges: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

const familyOf = (address: string): 'ipv6' | 'ipv4' => (isIPv6(address) ? 'ipv6' : 'ipv4');
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** Makes the finder: the last address of the chain that no trusted proxy has. */
export function createClientAddress(trustProxy: readonly string[]): (socketAddress: string, forwardedFor: string) => string {
  const trusted = new BlockList();
  for (const entry of trustProxy.flatMap((one) => ranges[one] ?? [one])) {
    const [address = '', bits] = entry.split('/');
    trusted.addSubnet(address, bits === undefined ? (isIPv6(address) ? 128 : 32) : Number(bits), familyOf(address));
  }
  return (socketAddress, forwardedFor) => {
    let address = plain(socketAddress);
    for (const next of forwardedFor
      .split(',')
      .map((one) => plain(one.trim()))
      .reverse()) {
      if (next === '' || !trusted.check(address, familyOf(address))) {
        break;
      }
      address = next;
    }
    return address;
  };
}
