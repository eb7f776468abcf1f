/**
 * Reading single fields of a row: each function gives the value as it is stored, or a reason why it cannot be. A file of a million
 * rows calls them ten million times, so they look at characters rather than build things.
 */
import { getNameKey } from '../../../lib/names/same-name.ts';
import { maxEmailLength, maxKeyBytes } from './limits.ts';

/** Says why a field is wrong. */
export type Complain = (column: string, reason: string) => void;

const emailPattern = /^[^\s@]+@[^\s@]+$/;

/** A mail address without white space around it and what nobody sees there, or '' where it is none; an empty field is ''. */
export function readEmail(text: string, column: string, complain: Complain): string {
  const bare = getNameKey(text);
  const email = bare.includes(':') ? bare.replace(/^(user|mailto|smtp|sip):/i, '') : bare;
  if (email === '') {
    return '';
  }
  if (email.length > maxEmailLength || !emailPattern.test(email)) {
    complain(column, `${quote(email)} is not a mail address`);
    return '';
  }
  return email;
}

/** The key of a name of the inventory (getNameKey); must not be empty. */
export function readKey(text: string, column: string, complain: Complain): string {
  const key = getNameKey(text);
  if (key === '') {
    complain(column, 'must not be empty');
  } else if (isTooLong(text) || (key !== text && isTooLong(key))) {
    complain(column, `is longer than ${maxKeyBytes} bytes`);
  }
  return key;
}

function isTooLong(text: string): boolean {
  return text.length * 3 > maxKeyBytes && Buffer.byteLength(text) > maxKeyBytes;
}

/** A text without the spaces around it; may be empty. */
export function readText(text: string, column: string, complain: Complain): string {
  const value = text.trim();
  if (isTooLong(value)) {
    complain(column, `is longer than ${maxKeyBytes} bytes`);
  }
  return value;
}

/** One of a few words in any case; an empty field means the first. */
export function readWord<Word extends string>(text: string, words: readonly [Word, ...Word[]], column: string, complain: Complain): Word {
  for (const word of words) {
    if (text === word) {
      return word;
    }
  }
  const upper = text.trim().toUpperCase();
  const found = upper === '' ? words[0] : words.find((word) => word === upper);
  if (found === undefined) {
    complain(column, `${quote(text)} is none of ${words.join(', ')}`);
    return words[0];
  }
  return found;
}

const datePattern = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/;

const digitPlaces = [0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18];

/** True if a text is like 2026-01-31T09:00:00Z, as nearly all times of files are; quicker than a pattern, and asked of each of them. */
function isUsualTime(text: string): boolean {
  if (
    text.length !== 20 ||
    text[4] !== '-' ||
    text[7] !== '-' ||
    text[10] !== 'T' ||
    text[13] !== ':' ||
    text[16] !== ':' ||
    text[19] !== 'Z'
  ) {
    return false;
  }
  for (const place of digitPlaces) {
    const code = text.charCodeAt(place);
    if (code < 48 || code > 57) {
      return false;
    }
  }
  return true;
}

/** True if a text is written as RFC 3339 has it, right or wrong: readTime says which. */
export function isWrittenTime(text: string): boolean {
  return isUsualTime(text) || datePattern.test(text);
}

/** A date whose day and month are known apart once all of its file was read; PostgreSQL reads it by its DateStyle. */
const openPattern = /^\d\d\/\d\d\/\d{4} [\d:.]+(Z|[+-]\d\d:\d\d)$/;

/** An RFC 3339 time as written (PostgreSQL reads it), cut to microseconds, or '' for an empty field. */
export function readTime(text: string, column: string, complain: Complain): string {
  if (text === '') {
    return '';
  }
  const parts = datePattern.exec(text);
  if (parts === null || !isTime(parts)) {
    complain(column, `${quote(text)} is not a time like 2026-01-31T09:00:00Z`);
    return '';
  }
  const year = parts[1];
  if ((year === '9999' || year === '0001') && !isWithinYears(parts)) {
    complain(column, `${quote(text)} is not within the years 1 to 9999 (UTC)`);
    return '';
  }
  const fraction = parts[7];
  // PostgreSQL would round: the last moment some programs know would be in the year 10000.
  return fraction !== undefined && fraction.length > 7 ? text.replace(fraction, fraction.slice(0, 7)) : text;
}

/** A time that file-values.ts made: RFC 3339, or a date that is still open between day and month. */
export function readMadeTime(text: string, column: string, complain: Complain): string {
  return openPattern.test(text) ? text : readTime(text, column, complain);
}

type Parts = readonly (string | undefined)[];

function isTime([, year, month, day, hour, minute, second, fraction = '', zone = 'Z']: Parts): boolean {
  const lastDay = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate();
  const offset = zone.length === 1 || (Number(zone.slice(1, 3)) <= 15 && Number(zone.slice(4)) <= 59);
  return (
    Number(year) >= 1 &&
    Number(month) >= 1 &&
    Number(month) <= 12 &&
    Number(day) >= 1 &&
    Number(day) <= lastDay &&
    Number(hour) <= 23 &&
    Number(minute) <= 59 &&
    // A leap second has no parts.
    (Number(second) < 60 || (Number(second) === 60 && !/[1-9]/.test(fraction))) &&
    offset
  );
}

/** True if a time is still in the first year, or the last, where its clock is set to UTC: no other can be shown outside. */
function isWithinYears([, year, month, day, hour, minute, second, , zone = 'Z']: Parts): boolean {
  const sign = zone.startsWith('-') ? 1 : -1;
  const offset = zone.length === 1 ? 0 : sign * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4)));
  const at = new Date(0);
  at.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  at.setUTCHours(Number(hour), Number(minute) + offset, Number(second));
  return at.getUTCFullYear() > 0 && at.getUTCFullYear() < 10_000;
}

/** A value in a message: quoted, and cut where it is long. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text);
}

/** A value for PostgreSQL's COPY text format. */
export function escapeCopy(text: string): string {
  if (!/[\\\t\n\r]/.test(text)) {
    return text;
  }
  return text.replace(/[\\\t\n\r]/g, (char) => (char === '\\' ? '\\\\' : char === '\t' ? '\\t' : char === '\n' ? '\\n' : '\\r'));
}

/** Columns that nobody asked for, as JSON with sorted names; fields without a value are left out, '' where none has one. */
export function readProfile(row: readonly string[], others: readonly { readonly name: string; readonly at: number }[]): string {
  let profile: Record<string, string> | undefined;
  for (const { name, at } of others) {
    const value = row[at] ?? '';
    if (value !== '') {
      // Without a prototype, so that a column may have any name.
      profile ??= Object.create(null) as Record<string, string>;
      profile[name] = value;
    }
  }
  return profile === undefined ? '' : JSON.stringify(profile);
}
