/**
 * The address of a client: that of the connection, or what proxies that are trusted say in X-Forwarded-For. `Forwarded` (RFC 7239) is not read: a proxy
 * that sets the one header lets a client's own other one through.
 */
import { BlockList, isIPv6 } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readAddress } from './read-address.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Address of the client, in its one spelling; empty where a trusted proxy does not say it. Framework's `ip` takes any text for one. */
    readonly clientAddress: string;
  }
}

/** Finds the address of a client from that of the connection and X-Forwarded-For. */
export type ClientAddressFinder = (socketAddress: string, forwardedFor: string) => string;

const ranges: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

const familyOf = (address: string): 'ipv6' | 'ipv4' => (isIPv6(address) ? 'ipv6' : 'ipv4');

/**
 * Makes the finder: the last address of the chain that no trusted proxy has. Empty where a trusted proxy names no address in its place (`unknown`):
 * then no allowed range holds the client, not even one that holds the proxy.
 */
export function createClientAddress(trustProxy: readonly string[]): ClientAddressFinder {
  const trusted = new BlockList();
  for (const entry of trustProxy.flatMap((one) => ranges[one] ?? [one])) {
    const [text = '', bits] = entry.split('/');
    const address = bits === undefined ? (readAddress(text) ?? text) : text;
    trusted.addSubnet(address, bits === undefined ? (isIPv6(address) ? 128 : 32) : Number(bits), familyOf(address));
  }
  return (socketAddress, forwardedFor) => {
    let address = readAddress(socketAddress) ?? '';
    const chain = forwardedFor.split(',').filter((one) => one.trim() !== '');
    while (chain.length > 0 && address !== '' && trusted.check(address, familyOf(address))) {
      address = readAddress(chain.pop() ?? '') ?? '';
    }
    return address;
  };
}

/** Gives every request of an app its client's address. */
export function addClientAddress(app: FastifyInstance, trustProxy: readonly string[]): void {
  const find = createClientAddress(trustProxy);
  app.decorateRequest('clientAddress', {
    getter(this: FastifyRequest): string {
      return find(this.raw.socket.remoteAddress ?? '', String(this.headers['x-forwarded-for'] ?? ''));
    },
  });
}
