/** Addresses this service may connect to: what is on the internet, and what the operator allows of the rest. Resolves nothing. */
import { BlockList, isIP, isIPv6 } from 'node:net';
import { dottedIpv4, ipv6Groups } from './ip-groups.ts';

/** `inner` addresses are those of private networks, `never` those that no service of others has. */
export type AddressClass = 'public' | 'inner' | 'never';

function blocksOf(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = '', prefix = ''] = subnet.split('/');
    list.addSubnet(address, Number(prefix), isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** Addresses of IPv6 that are given out at all; the rest is reserved, or has a meaning in some network alone. */
const global = blocksOf(['2000::/3']);
const inner = blocksOf(['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']);
/** This machine, this link, many at once, documents, measurements, and what is reserved; of IPv6 beside what is outside of `global`. */
const never = blocksOf([
  ...['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '192.0.0.0/24', '192.0.2.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
  ...['2001:2::/48', '2001:10::/28', '2001:db8::/32', '3fff::/20'],
]);

/** The IPv4 address that an IPv6 address carries: mapped, compatible, NAT64, 6to4 or Teredo; undefined for none. */
function carried(address: string): string | undefined {
  const groups = ipv6Groups(address);
  const [a = 0, b = 0, c = 0] = groups;
  const isEmpty = (from: number, to: number): boolean => groups.slice(from, to).every((group) => group === 0);
  if ((isEmpty(0, 5) && (groups[5] === 0xffff || groups[5] === 0) && !isEmpty(6, 7)) || (a === 0x64 && b === 0xff9b && isEmpty(2, 6))) {
    return dottedIpv4(groups[6], groups[7]);
  }
  if (a === 0x2002) {
    return dottedIpv4(b, c);
  }
  return a === 0x2001 && b === 0 ? dottedIpv4((groups[6] ?? 0) ^ 0xffff, (groups[7] ?? 0) ^ 0xffff) : undefined;
}

/** Returns the class of an address; of one that carries another, never better than `never` unless that other one is public. */
export function classifyAddress(given: string): AddressClass {
  const address = given.replace(/%.*$/, '');
  const version = isIP(address);
  if (version === 0) {
    return 'never';
  }
  const within = version === 6 ? carried(address) : undefined;
  if (within !== undefined) {
    return classifyAddress(within) === 'public' ? 'public' : 'never';
  }
  const family = version === 6 ? 'ipv6' : 'ipv4';
  if (inner.check(address, family)) {
    return 'inner';
  }
  const isGlobal = version === 4 || global.check(address, family);
  return isGlobal && !never.check(address, family) ? 'public' : 'never';
}

/** Operator's additions to the internet over https at its usual port: addresses, CIDR blocks, and hosts, each with a port or none. */
export type AllowedOutbound = readonly string[];

interface Entry {
  readonly host: string;
  readonly prefix: number | undefined;
  /** Empty where the entry names none. */
  readonly port: string;
}

function readEntry(text: string): Entry | undefined {
  const {
    host,
    prefix,
    port = '',
  } = /^\[(?<host>[0-9a-fA-F:.]+)\](?::(?<port>\d{1,5}))?$/.exec(text)?.groups ??
  /^(?<host>[0-9a-fA-F:]*:[0-9a-fA-F:.]+|[\d.]+)(?:\/(?<prefix>\d{1,3}))?$/.exec(text)?.groups ??
  /^(?<host>[a-zA-Z0-9][a-zA-Z0-9.-]*)(?::(?<port>\d{1,5}))?$/.exec(text)?.groups ??
  {};
  if (host === undefined) {
    return undefined;
  }
  const version = isIP(host);
  const isWrong = (/^[\d.:]+$/.test(host) && version === 0) || Number(prefix ?? 0) > (version === 6 ? 128 : 32) || Number(port) > 65_535;
  return isWrong ? undefined : { host: host.toLowerCase(), prefix: prefix === undefined ? undefined : Number(prefix), port };
}

/** True if a text is an entry of the list. */
export function isAllowedEntry(text: string): boolean {
  return readEntry(text) !== undefined;
}

function covers({ host, prefix }: Entry, address: string): boolean {
  const list = new BlockList();
  const version = isIP(host);
  const family = version === 6 ? 'ipv6' : 'ipv4';
  if (version === 0 || isIP(address) !== version) {
    return false;
  }
  list.addSubnet(host, prefix ?? (version === 6 ? 128 : 32), family);
  return list.check(address, family);
}

/** Target of a request. */
export interface Destination {
  /** As the URL names it, without brackets. */
  readonly host: string;
  readonly port: string;
  readonly isHttps: boolean;
}

/** True if the scheme and port are the usual ones, or an entry names this host and port. */
export function allowsPort(allowed: AllowedOutbound, { host, port, isHttps }: Destination): boolean {
  const entries = allowed.flatMap((text) => readEntry(text) ?? []);
  return (isHttps && port === '443') || entries.some((entry) => entry.port === port && entry.host === host.toLowerCase());
}

/** True if the service may connect to an address that the destination has. */
export function allowsAddress(allowed: AllowedOutbound, { host, port }: Destination, address: string): boolean {
  const kind = classifyAddress(address);
  if (kind === 'public') {
    return true;
  }
  const entries = allowed.flatMap((text) => readEntry(text) ?? []).filter((entry) => entry.port === '' || entry.port === port);
  const isVeryAddress = entries.some((entry) => entry.prefix === undefined && covers(entry, address));
  return isVeryAddress || (kind === 'inner' && entries.some((entry) => entry.host === host.toLowerCase() || covers(entry, address)));
}
