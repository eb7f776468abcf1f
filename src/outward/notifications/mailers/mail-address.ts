/** Mail addresses as servers take them: their domains stand by their A-labels in envelopes and headers, and people see and enter them as they were. */
import { getAsciiAddress } from '../../../lib/names/same-address.ts';

const ascii = /^[\x20-\x7e]*$/;

/** The domain of an address, by its A-labels. */
export function domainOf(address: string): string {
  return getAsciiAddress(address).split('@').at(-1) ?? '';
}

/** True if only a server with SMTPUTF8 (RFC 6531) takes the address. */
export function needsUtf8(address: string): boolean {
  return !ascii.test(address);
}

/** True if this can stand as the one address of a header and of an envelope. */
export function isUsableAddress(address: string): boolean {
  const wire = getAsciiAddress(address);
  const isWhole = wire.length <= 254 && /^[^\s<>@,;:"\\()[\]\p{Cc}]{1,64}@[^\s<>@,;:"\\()[\]\p{Cc}]+$/u.test(wire);
  return isWhole && ascii.test(domainOf(wire)) && !domainOf(wire).split('.').includes('');
}
