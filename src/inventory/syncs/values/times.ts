/**
 * Times as other systems write them: numbers in whatever order, names of months, seconds since 1970, and the words for none. RFC 3339 itself is
 * read in fields.ts, which is quicker.
 */
import { quote } from './fields.ts';
import type { DateOrder } from './mapping.ts';
import { isNothing } from './empty-words.ts';
import { describeZone, readZone } from './zones.ts';

/** A time of another form. */
export type ReadTime =
  /** As RFC 3339; '' for none. */
  | { readonly as: 'time'; readonly text: string; readonly order?: DateOrder }
  /** Day and month are not known apart: `a/b/year time`, which PostgreSQL reads by its DateStyle. */
  | { readonly as: 'either'; readonly text: string };

/** Words for a time that is not there, beside the words for nothing. */
const never: ReadonlySet<string> = new Set([
  ...[
    'never',
    'never logged in',
    'never signed in',
    'never used',
    'no_information',
    'not_supported',
    '0',
    'unlimited',
    'unbegrenzt',
    'nie',
  ],
  ...['jamais', 'nunca', 'does not expire', 'no expiration', 'no expiry', 'permanent', 'password never set', 'no activity'],
  'not yet logged in',
]);

const monthNames = [
  'jan|january|januar|janvier|janv|enero|ene|jän|jänner',
  'feb|february|februar|février|févr|fév|febrero',
  'mar|march|märz|mär|mrz|mars|marzo',
  'apr|april|avril|avr|abril|abr',
  'may|mai|mayo',
  'jun|june|juni|juin|junio',
  'jul|july|juli|juillet|juil|julio',
  'aug|august|août|aout|agosto|ago',
  'sep|sept|september|septembre|septiembre|setiembre',
  'oct|october|okt|oktober|octobre|octubre',
  'nov|november|novembre|noviembre',
  'dec|december|dez|dezember|décembre|déc|diciembre|dic',
];
const months: ReadonlyMap<string, number> = new Map(
  monthNames.flatMap((names, index) => names.split('|').map((name): [string, number] => [name, index + 1])),
);

/** A clock behind a date: hours and minutes, perhaps seconds, a half of the day and a zone. Without a zone it is UTC. */
const clockPattern =
  /^(?:[T,]|\s|\bat\b|\bum\b|\bà\b)*(\d{1,2})[:.h](\d\d)(?:[:.](\d\d)(?:[.,](\d{1,9}))?)?\s*([ap]\.?m\.?)?\s*(?:uhr\b)?\s*\(?((?:utc|gmt)?\s*[+-]\d\d(?::?\d\d)?|[a-z]{1,5})?\)?(\[[\w/+-]+\])?$/i;

const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(.*)$/;
const yearLast = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d\d)(?!\d)(.*)$/;
const dayName = /^(?:(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun)[a-z]*|mo|di|mi|do|fr|sa|so)[.,]?\s+(?=\S)/i;
/** As Java writes dates: `Wed Jan 31 10:00:00 CET 2024`. */
const yearBehind = /^([\p{L}]{3,10})\.?\s+(\d{1,2})\s+(\d{1,2}:\d\d(?::\d\d)?)\s+(?:([a-z]{1,5}|(?:utc|gmt)?[+-]\d\d:?\d\d)\s+)?(\d{4})$/u;
const dayMonth = /^(\d{1,2})(?:st|nd|rd|th|\.)?[\s-]*(?:de\s+)?([\p{L}]{3,10})\.?,?[\s-]*(?:de\s+)?(\d{4}|\d\d)(?!\d)(.*)$/u;
const monthDay = /^([\p{L}]{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)(.*)$/u;

/** Reads a time of another form than RFC 3339; undefined for what is none. `order` says how a date like 03/04/2026 is written, where that is known. */
export function readOtherTime(written: string, order: DateOrder | undefined): ReadTime | undefined {
  const text = written.trim();
  if (text === '' || isNothing(text) || never.has(text.toLowerCase()) || /^never\b/i.test(text)) {
    return { as: 'time', text: '' };
  }
  if (/^\d+(\.\d+)?(?:Z|[+-]\d{4})?$/.test(text)) {
    return readDigits(text);
  }
  const first = yearFirst.exec(text);
  if (first !== null) {
    return write(first[1], first[3], first[4], first[5]);
  }
  const last = yearLast.exec(text);
  if (last !== null) {
    const [, a = '', separator, b = '', year = '', rest = ''] = last;
    return separator === '.' ? write(year, b, a, rest) : readEither(a, b, year, rest, order);
  }
  const named = text.replace(dayName, '').toLowerCase();
  const byDay = dayMonth.exec(named);
  if (byDay !== null && months.has(byDay[2] ?? '')) {
    return write(byDay[3], String(months.get(byDay[2] ?? '')), byDay[1], byDay[4]);
  }
  const behind = yearBehind.exec(named);
  if (behind !== null && months.has(behind[1] ?? '')) {
    return write(behind[5], String(months.get(behind[1] ?? '')), behind[2], `${behind[3]} ${behind[4] ?? ''}`);
  }
  const byMonth = monthDay.exec(named);
  if (byMonth !== null && months.has(byMonth[1] ?? '')) {
    return write(byMonth[3], String(months.get(byMonth[1] ?? '')), byMonth[2], byMonth[4]);
  }
  return undefined;
}

/** Numbers alone: seconds or milliseconds since 1970, a day or a second of the calendar, or a time of a Windows directory. */
function readDigits(text: string): ReadTime | undefined {
  const zone = /[+-]\d{4}$/.exec(text)?.[0] ?? '';
  const digits = text.replace(/[+-]\d{4}$/, '').replace(/\.0*Z?$|Z$/, '');
  if (/^0+$/.test(digits) || digits === '9223372036854775807') {
    return { as: 'time', text: '' };
  }
  const date = /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d))?$/.exec(digits);
  if (date !== null) {
    return write(date[1], date[2], date[3], date[4] === undefined ? zone : `${date[4]}:${date[5]}:${date[6]}${zone}`);
  }
  if (zone !== '') {
    return undefined;
  }
  const number = Number(digits);
  if (/^\d{9,10}(\.\d+)?$/.test(digits)) {
    return atMillisecond(Math.round(number * 1000));
  }
  if (/^\d{12,13}$/.test(digits)) {
    return atMillisecond(number);
  }
  return /^\d{17,18}$/.test(digits) ? atMillisecond(Math.round(number / 10_000) - 11_644_473_600_000) : undefined;
}

function atMillisecond(milliseconds: number): ReadTime | undefined {
  const at = new Date(milliseconds);
  const year = at.getUTCFullYear();
  return year >= 1970 && year < 2200 ? { as: 'time', text: at.toISOString().replace('.000Z', 'Z') } : undefined;
}

/** A date in which day and month may stand in either order: by the order, or where one of them can be no month. */
function readEither(a: string, b: string, year: string, rest: string, order: DateOrder | undefined): ReadTime | undefined {
  const [first, second] = [Number(a), Number(b)];
  const shown: DateOrder | undefined = first > 12 ? 'DMY' : second > 12 ? 'MDY' : undefined;
  const known = shown ?? order ?? (first === second ? 'DMY' : undefined);
  const read = known === 'MDY' ? write(year, a, b, rest) : write(year, b, a, rest);
  if (read === undefined || read.text === '') {
    return read;
  }
  if (known !== undefined) {
    return shown === undefined ? read : { ...read, order: shown };
  }
  const [, , , , clock = ''] = /^(\d{4})-(\d\d)-(\d\d)T(.*)$/.exec(read.text) ?? [];
  return { as: 'either', text: `${a.padStart(2, '0')}/${b.padStart(2, '0')}/${read.text.slice(0, 4)} ${clock}` };
}

/** A date by its parts, and what stands behind it; undefined where they are no date. */
function write(yearText = '', monthText = '', dayText = '', rest = ''): { as: 'time'; text: string } | undefined {
  const year = yearText.length === 2 ? 2000 + Number(yearText) - (Number(yearText) >= 70 ? 100 : 0) : Number(yearText);
  const [month, day] = [Number(monthText), Number(dayText)];
  // What databases write for none: the first day they know, the last one, or zeros.
  if (year <= 1 || (month === 0 && day === 0) || (year === 1601 && month === 1 && day === 1) || year === 9999) {
    return { as: 'time', text: '' };
  }
  if (year < 1900 || year > 2999 || month < 1 || month > 12 || day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) {
    return undefined;
  }
  const clock = readClock(rest);
  const pad = (number: number): string => String(number).padStart(2, '0');
  return clock === undefined ? undefined : { as: 'time', text: `${year}-${pad(month)}-${pad(day)}T${clock}` };
}

/** Reads what follows a date, as RFC 3339 has it there; undefined where it is no clock. */
function readClock(rest: string): string | undefined {
  const text = rest.trim().replace(/^,\s*/, '');
  if (text === '' || /^z$/i.test(text)) {
    return '00:00:00Z';
  }
  const parts = clockPattern.exec(text);
  if (parts === null) {
    return undefined;
  }
  const [, hours = '', minutes = '', seconds = '00', fraction = '', half = '', zone = '', region = ''] = parts;
  let hour = Number(hours);
  if (half !== '') {
    if (hour < 1 || hour > 12) {
      return undefined;
    }
    hour = (hour % 12) + (/^p/i.test(half) ? 12 : 0);
  }
  // A region in brackets, as Java writes it, explains the offset before it, and says nothing by itself.
  const offset = region !== '' && zone === '' ? undefined : readZone(zone);
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59 || offset === undefined) {
    return undefined;
  }
  return `${String(hour).padStart(2, '0')}:${minutes}:${seconds}${fraction === '' ? '' : `.${fraction.slice(0, 6)}`}${offset}`;
}

/** Numbers of days that are explained, and the first of this century in spreadsheets: those before it may be days since 1970. */
const days = { first: 10_000, ofCentury: 36_526, last: 80_000 };
/** The number of 1970-01-01 in a spreadsheet. */
const unixDay = 25_569;
const maxExplained = 80;

/** Says why a text is no time that is read, and what to do. */
export function explainTime(written: string): string {
  const text = written.trim();
  const known = 'is not a time like 2026-01-31T09:00:00Z';
  const number = /^\d{5}(?:[.,]\d+)?$/.test(text) ? Math.floor(Number(text.replace(',', '.'))) : 0;
  if (number >= days.first && number <= days.last) {
    const dayAt = (since1970: number): string => new Date(since1970 * 86_400_000).toISOString().slice(0, 10);
    const meant =
      number < days.ofCentury ? `${dayAt(number - unixDay)}, or ${dayAt(number)} if it counts from 1970` : dayAt(number - unixDay);
    return `${quote(text)} is a number of days, as Excel keeps dates (here probably ${meant}): format the column as a date, such as yyyy-mm-dd, and save the file again`;
  }
  // With another zone or none it would be read.
  const zone = text.length > maxExplained ? null : /^(.*?\d)\s*(?:(?:[ap]\.?m\.?|uhr)\s+)?\(?([\p{L}_/]+(?:\s+\p{L}+)*)\)?$/iu.exec(text);
  if (zone !== null && readOtherTime(zone[1] ?? '', 'DMY') !== undefined && /\d[:.h]\d\d/.test(text)) {
    return `${quote(text)} ${known}: ${describeZone(zone[2] ?? '')}`;
  }
  return `${quote(text)} ${known}, nor written in another known way`;
}
