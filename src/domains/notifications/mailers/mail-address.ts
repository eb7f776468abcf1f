/** Mail addresses as servers take them: internationalised domains by their A-labels (RFC 5890), which every server knows. */
import { domainToASCII } from 'node:url';

const ascii = /^[\x20-\x7e]*$/;

/** The address as it stands in an envelope and a header: people see and enter it as it was. */
export function wireAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  const label = ascii.test(domain) ? domain : domainToASCII(domain);
  return at < 0 || label === '' ? address : `${address.slice(0, at + 1)}${label}`;
}

/** The domain of an address, by its A-labels. */
export function domainOf(address: string): string {
  return wireAddress(address).split('@').at(-1) ?? '';
}

/** True if only a server with SMTPUTF8 (RFC 6531) takes the address. */
export function needsUtf8(address: string): boolean {
  return !ascii.test(address);
}

/** True if this can stand as the one address of a header and of an envelope. */
export function isUsableAddress(address: string): boolean {
  const wire = wireAddress(address);
  const isWhole = wire.length <= 254 && /^[^\s<>@,;:"\\()[\]\p{Cc}]{1,64}@[^\s<>@,;:"\\()[\]\p{Cc}]+$/u.test(wire);
  return isWhole && ascii.test(domainOf(wire));
}
