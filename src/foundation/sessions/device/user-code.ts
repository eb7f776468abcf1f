/** The short code that a person compares in terminal and browser. */
import { randomInt } from 'node:crypto';

/** Consonants alone spell no words, and none is mistaken for another or for a digit (RFC 8628 section 6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const half = 4;

/** Returns a new code of eight letters, 20^8 in number. */
export function makeUserCode(): string {
  return Array.from({ length: 2 * half }, () => letters.charAt(randomInt(letters.length))).join('');
}

/** Returns the code as people read it: in two halves. */
export function showUserCode(code: string): string {
  return `${code.slice(0, half)}-${code.slice(half)}`;
}

/** Returns the code in what somebody typed, whatever stands between its letters; undefined for what is none. */
export function readUserCode(typed: string): string | undefined {
  const code = typed
    .slice(0, 40)
    .toUpperCase()
    .replace(/[\s.-]/g, '');
  return new RegExp(`^[${letters}]{${2 * half}}$`).test(code) ? code : undefined;
}
