/** Check of an address against a CIDR block: for the word beside a field. What counts is decided by the server. */
interface Bits {
  readonly value: bigint;
  readonly width: 32 | 128;
}

function readV4(text: string): bigint | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || parts.some((part) => !/^\d{1,3}$/.test(part) || Number(part) > 255)) {
    return undefined;
  }
  return parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n);
}

function readV6(text: string): bigint | undefined {
  const last = text.slice(text.lastIndexOf(':') + 1);
  const v4 = last.includes('.') ? readV4(last) : undefined;
  const whole = v4 === undefined ? text : `${text.slice(0, -last.length)}${(v4 >> 16n).toString(16)}:${(v4 & 0xffffn).toString(16)}`;
  const halves = whole.split('::');
  const [head = [], tail = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - head.length - tail.length;
  const groups = halves.length === 2 && missing > 0 ? [...head, ...Array<string>(missing).fill('0'), ...tail] : head;
  if (halves.length > 2 || groups.length !== 8 || groups.some((group) => !/^[0-9a-f]{1,4}$/i.test(group))) {
    return undefined;
  }
  return groups.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

function readAddress(text: string): Bits | undefined {
  const isV6 = text.includes(':');
  const value = isV6 ? readV6(text) : readV4(text);
  if (value === undefined) {
    return undefined;
  }
  // An IPv4 address that comes in an IPv6 one is the IPv4 address.
  return isV6 && value >> 32n === 0xffffn ? { value: value & 0xffff_ffffn, width: 32 } : { value, width: isV6 ? 128 : 32 };
}

/** True if the address lies within the block; false for what cannot be read. */
export function liesIn(address: string, block: string): boolean {
  const [base = '', length = ''] = block.split('/');
  const wanted = readAddress(base);
  const found = readAddress(address);
  const bits = length === '' ? wanted?.width : Number(length);
  if (
    wanted === undefined ||
    found === undefined ||
    wanted.width !== found.width ||
    bits === undefined ||
    !(bits >= 0 && bits <= wanted.width)
  ) {
    return false;
  }
  const shift = BigInt(wanted.width - bits);
  return wanted.value >> shift === found.value >> shift;
}
