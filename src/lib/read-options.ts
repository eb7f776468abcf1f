/** Reads the texts of options: each function returns the value, or throws the end of the sentence "<flag> must be ...". */
import { isIP } from 'node:net';
import { isAllowedEntry } from './judge-address.ts';

/** A bearer token. */
export function metricsToken(text: string): string {
  if (!/^[\x21-\x7e]{16,200}$/.test(text)) {
    throw new Error('16 to 200 characters without spaces');
  }
  return text;
}

/** A reader of whole numbers within bounds. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most) {
      throw new Error(`a whole number from ${least} to ${most}, not "${text}"`);
    }
    return value;
  };
}

/** A reader of one of these words, in any case. */
export function oneOf<T extends string>(allowed: readonly T[]): (text: string) => T {
  return (text) => {
    const value = allowed.find((one) => one === text.toLowerCase());
    if (value === undefined) {
      throw new Error(`one of ${allowed.join(', ')}, not "${text}"`);
    }
    return value;
  };
}

/** The URL of a database. Not echoed where it is wrong: it may hold a password. A URL for a socket (no host) is allowed, which WHATWG's parser refuses. */
export function databaseUrl(text: string): string {
  if (!/^postgres(ql)?:\/\/\S+$/.test(text)) {
    throw new Error('a URL such as postgresql://user:password@host:5432/database');
  }
  return text;
}

/** Stands for {host} while the URL around it is read. */
const standIn = 'host.invalid';

/** An http or https URL without a path, with {host} for the host of the tenant or without it; returned in its one spelling, without a slash at its end. */
export function publicUrl(text: string): string {
  const plain = text.replace('{host}', standIn);
  const url = /^https?:\/\//i.test(text) && !/[{}]/.test(plain) && URL.canParse(plain) ? new URL(plain) : undefined;
  if (url !== undefined && (url.username !== '' || url.password !== '')) {
    throw new Error('without user and password: everybody who gets a mail would read them');
  }
  if (url === undefined || url.search !== '' || url.hash !== '') {
    throw new Error(`an http or https URL such as https://reviews.example.com or https://{host}, not "${text}"`);
  }
  const { origin, pathname } = url;
  if (!/^\/+$/.test(pathname)) {
    throw new Error(
      `without the path ${pathname}: the console and the API are at the root of a host, so give Countersign a host of its own`,
    );
  }
  return text.includes('{host}') ? origin.replace(standIn, '{host}') : origin;
}

/** A host with or without a port, in lower case; {host} may stand in it for the host of the tenant. */
export function connectorHost(text: string): string {
  if (!/^[a-z0-9.-]+(:\d{1,5})?$/i.test(text.replace('{host}', 'host.example'))) {
    throw new Error(`a host such as connect.example.com or {host}:9443, not "${text}"`);
  }
  return text.toLowerCase();
}

/** A mail address alone, without a name or quotes, in lower case. */
export function mailAddress(text: string): string {
  if (!/^[^\s<>@,;:"\\()[\]]+@[^\s<>@,;:"'\\()[\]]+$/.test(text)) {
    throw new Error(`a mail address such as reviews@example.com, not "${text}"`);
  }
  return text.toLowerCase();
}

/** Addresses, CIDR blocks and names of ranges, separated by commas. */
export function addressList(text: string): string[] {
  const list = splitList(text);
  for (const one of list) {
    if (/\/0+$/.test(one) && isAddressOrBlock(one)) {
      throw new Error(`the networks of your proxies, not "${one}": then clients could write any address and host into X-Forwarded headers`);
    }
    if (!isAddressOrBlock(one) && !['loopback', 'linklocal', 'uniquelocal'].includes(one)) {
      throw new Error(`addresses or CIDR blocks separated by commas, not "${one}"`);
    }
  }
  return list;
}

/** A number of proxies, as other programs take it, is none: inet_aton reads 1 as 0.0.0.1. */
function isAddressOrBlock(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const most = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return most > 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most));
}

/** Targets as `allowOutbound` has them, separated by commas. */
export function outboundList(text: string): string[] {
  const list = splitList(text);
  const wrong = list.find((one) => !isAllowedEntry(one));
  if (wrong !== undefined) {
    throw new Error(`hosts or addresses, with a port or none, or CIDR blocks, separated by commas, not "${wrong}"`);
  }
  return list;
}

/** Object identifiers, separated by commas. */
export function identifierList(text: string): string[] {
  const list = splitList(text);
  const wrong = list.find((one) => !/^(?:[01]\.[1-3]?\d|2\.(?:0|[1-9]\d*))(?:\.(?:0|[1-9]\d*))*$/.test(one));
  if (wrong !== undefined) {
    throw new Error(`object identifiers such as 1.3.6.1.4.1.99999.1, separated by commas, not "${wrong}"`);
  }
  return list;
}

/** A label inside client secrets. */
export function secretLabel(text: string): string {
  if (!/^[A-Za-z0-9.-]+$/.test(text)) {
    throw new Error(`letters, digits, dots and hyphens, not "${text}"`);
  }
  return text;
}

/** Name of an environment variable. */
export function variable(text: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(text)) {
    throw new Error('the name of an environment variable');
  }
  return text;
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
