/** Which mail addresses are one, and domains by their A-labels (RFC 5890). Pure. */
import { domainToASCII, domainToUnicode } from 'node:url';

/** The domain as every server knows it: an internationalised one by its A-labels. As it stands where it is in ASCII, or can be no domain. */
export function getAsciiDomain(domain: string): string {
  // Of ASCII only what domains have: the platform reads %62 as a letter, too.
  return /^[\x20-\x7e]*$/.test(domain) || /[^\w.\x80-\u{10ffff}-]/u.test(domain) ? domain : domainToASCII(domain) || domain;
}

/** The address with its domain so: as it stands in an envelope. */
export function getAsciiAddress(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return at === 0 ? address : address.slice(0, at) + getAsciiDomain(address.slice(at));
}

const lowerAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** The A-labels of a domain that is spelled by the very letters they stand for; any other one as it stands. What proves somebody goes by this. */
export function getProvenDomain(domain: string): string {
  const letters = lowerAscii(domain);
  const ascii = getAsciiDomain(letters);
  return domainToUnicode(ascii) === letters ? ascii : letters;
}

/**
 * True if two addresses are one: they differ at most in the case of A to Z, or one spells its domain by A-labels. A letter that merely looks like another
 * one makes another address.
 */
export function isSameAddress(left: string, right: string): boolean {
  const fold = (text: string): string => {
    const address = lowerAscii(text.trim());
    const at = address.lastIndexOf('@') + 1;
    return address.slice(0, at) + getProvenDomain(address.slice(at));
  };
  return fold(left) === fold(right);
}
