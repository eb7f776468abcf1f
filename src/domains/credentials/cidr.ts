/**
 * CIDR blocks that restrict where a credential may be used from: reading them, and asking whether an address lies in one.
 */
import { BlockList, isIP } from 'node:net';

/** How many blocks one credential may have. */
export const maxCidrBlocks = 100;

/** What is wrong with a CIDR block, or undefined where nothing is. A single address is written with /32 or /128. */
export function cidrProblem(text: string): string | undefined {
  const block = splitCidr(text);
  if (block === undefined) {
    return 'must be an IPv4 or IPv6 address and a prefix length, such as 192.0.2.0/24 or 2001:db8::/32';
  }
  return undefined;
}

function splitCidr(text: string): { address: string; prefix: number; family: 'ipv4' | 'ipv6' } | undefined {
  const match = text.length > 64 ? null : /^([0-9a-fA-F:.]+)\/(0|[1-9][0-9]{0,2})$/.exec(text);
  const [, address = '', prefixText = ''] = match ?? [];
  const version = isIP(address);
  const prefix = Number(prefixText);
  if (match === null || version === 0 || prefix > (version === 4 ? 32 : 128)) {
    return undefined;
  }
  // A v4-mapped block means the IPv4 block inside it.
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined && prefix >= 96) {
    return { address: mapped, prefix: prefix - 96, family: 'ipv4' };
  }
  return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' };
}

/** Asks whether an address may use a credential. */
export type AddressCheck = (address: string) => boolean;

/**
 * The check for a credential's blocks. No blocks: every address may. A block that cannot be read lets nobody in, and so does an
 * address that is none. IPv4 written as v4-mapped IPv6 is the IPv4 address; a zone (`%eth0`) is left out.
 */
export function compileCidrs(blocks: readonly string[]): AddressCheck {
  if (blocks.length === 0) {
    return () => true;
  }
  const list = new BlockList();
  for (const text of blocks) {
    const block = splitCidr(text);
    if (block !== undefined) {
      list.addSubnet(block.address, block.prefix, block.family);
    }
  }
  return (given) => {
    const address = unmapAddress(given);
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  };
}

/**
 * Whether every address of `inner` is one of `outer`. No blocks mean every address, on either side. Each block of `inner` must lie in a single
 * block of `outer`: two halves beside each other are not put together.
 */
export function liesWithin(inner: readonly string[], outer: readonly string[]): boolean {
  if (outer.length === 0) {
    return true;
  }
  const wide = outer.flatMap((text) => splitCidr(text) ?? []);
  return inner.length > 0 && inner.every((text) => wide.some((block) => holdsBlock(block, splitCidr(text))));
}

function holdsBlock(outer: NonNullable<ReturnType<typeof splitCidr>>, inner: ReturnType<typeof splitCidr>): boolean {
  if (inner === undefined || inner.family !== outer.family || inner.prefix < outer.prefix) {
    return false;
  }
  const list = new BlockList();
  list.addSubnet(outer.address, outer.prefix, outer.family);
  return list.check(inner.address, inner.family);
}

/** An address in one spelling: v4-mapped IPv6 (dotted or in hex) as IPv4, without a zone. */
export function unmapAddress(given: string): string {
  const address = given.replace(/%.*$/, '');
  const dotted = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (dotted !== undefined) {
    return dotted;
  }
  const hex = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address);
  if (hex === null) {
    return address;
  }
  const high = Number.parseInt(hex[1] ?? '0', 16);
  const low = Number.parseInt(hex[2] ?? '0', 16);
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}
