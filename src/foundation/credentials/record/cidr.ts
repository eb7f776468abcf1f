/**
 * CIDR blocks that restrict where a credential may be used from: reading them, and asking whether an address lies in one.
 */
import { BlockList, isIP } from 'node:net';
import { unmapAddress } from '../../../lib/ip-groups.ts';

/** Most blocks one credential may have. */
export const maxCidrBlocks = 100;

/** Returns the fault of a CIDR block, or undefined for none. A single address is written with /32 or /128. */
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
  const mapped = unmapAddress(address);
  if (version === 6 && isIP(mapped) === 4 && prefix >= 96) {
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
  // A list each: one of both would hold IPv4 addresses against IPv6 blocks, and ::/0 would let everybody in.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const text of blocks) {
    const block = splitCidr(text);
    if (block !== undefined) {
      lists[block.family].addSubnet(block.address, block.prefix, block.family);
    }
  }
  return (given) => {
    const address = unmapAddress(given);
    const version = isIP(address);
    const family = version === 4 ? 'ipv4' : 'ipv6';
    return version !== 0 && lists[family].check(address, family);
  };
}

/**
 * True if every address of `inner` is one of `outer`. No blocks mean every address, on either side. Each block of `inner` must lie in a single
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
