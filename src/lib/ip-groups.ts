/** The parts of an IPv6 address, for whoever judges it by them, and the IPv4 address that came in one. */
import { isIPv6 } from 'node:net';

/** Returns the eight groups of an IPv6 address as numbers; a dotted end counts as two groups. The caller has checked that it is one. */
export function ipv6Groups(address: string): number[] {
  const dotted = /(?<before>.*:)(?<a>\d+)\.(?<b>\d+)\.(?<c>\d+)\.(?<d>\d+)$/.exec(address)?.groups;
  const hex = (high = '0', low = '0'): string => (Number(high) * 256 + Number(low)).toString(16);
  const text = dotted === undefined ? address : `${dotted.before}${hex(dotted.a, dotted.b)}:${hex(dotted.c, dotted.d)}`;
  const [head = '', tail] = text.split('::');
  const read = (part: string): number[] => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const first = read(head);
  const last = tail === undefined ? [] : read(tail);
  return [...first, ...Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => 0), ...last];
}

/** Returns the IPv4 address in two groups. */
export function dottedIpv4(high = 0, low = 0): string {
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

/** Returns an address without its zone, and v4-mapped IPv6 in any spelling as IPv4. */
export function unmapAddress(given: string): string {
  const address = given.replace(/%.*$/, '');
  if (!isIPv6(address)) {
    return address;
  }
  const groups = ipv6Groups(address);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  return isMapped ? dottedIpv4(groups[6], groups[7]) : address;
}
