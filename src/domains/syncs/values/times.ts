/**
 * Times as other systems write them: numbers in whatever order, names of months, seconds since 1970, and the words for none. RFC 3339 itself is
 * read in fields.ts, which is quicker.
 */
import type { DateOrder } from './mapping.ts';

/** A time of another form. */
export type ReadTime =
  /** As RFC 3339; '' for none. */
  | { readonly as: 'time'; readonly text: string; readonly order?: DateOrder }
  /** Day and month are not known apart: `a/b/year time`, which PostgreSQL reads by its DateStyle. */
  | { readonly as: 'either'; readonly text: string };

const none: ReadonlySet<string> = new Set([
  ...['n/a', 'na', 'none', 'null', 'nil', 'never', 'never logged in', 'never signed in', 'never used', 'no_information', 'not_supported'],
  ...[
    'not available',
    'not applicable',
    'unknown',
    '-',
    '--',
    '—',
    '–',
    '0',
    '#n/a',
    '(null)',
    '(blank)',
    'unlimited',
    'unbegrenzt',
    'nie',
  ],
  ...[
    'keine',
    'nicht verfügbar',
    'unbekannt',
    'jamais',
    'aucun',
    'aucune',
    'inconnu',
    'nunca',
    'ninguno',
    'desconocido',
    'does not expire',
  ],
  ...['no expiration', 'no expiry', 'permanent', 'password never set', 'no activity', 'not yet logged in'],
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

const zones: Readonly<Record<string, string>> = {
  utc: 'Z',
  gmt: 'Z',
  z: 'Z',
  cet: '+01:00',
  mez: '+01:00',
  cest: '+02:00',
  mesz: '+02:00',
  est: '-05:00',
  edt: '-04:00',
  cst: '-06:00',
  cdt: '-05:00',
  mst: '-07:00',
  mdt: '-06:00',
  pst: '-08:00',
  pdt: '-07:00',
};

/** A clock behind a date: hours and minutes, perhaps seconds, a half of the day and a zone. Without a zone it is UTC. */
const clockPattern =
  /^(?:[T,]|\s|\bat\b|\bum\b|\bà\b)*(\d{1,2})[:.h](\d\d)(?:[:.](\d\d)(?:[.,](\d{1,9}))?)?\s*([ap]\.?m\.?)?\s*(?:uhr\b)?\s*\(?((?:utc|gmt)?\s*[+-]\d\d(?::?\d\d)?|[a-z]{1,4})?\)?$/i;

const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(.*)$/;
const yearLast = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d\d)(?!\d)(.*)$/;
const dayName = /^(?:(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun)[a-z]*|mo|di|mi|do|fr|sa|so)[.,]?\s+(?=\S)/i;
const dayMonth = /^(\d{1,2})(?:st|nd|rd|th|\.)?[\s-]*(?:de\s+)?([\p{L}]{3,10})\.?,?[\s-]*(?:de\s+)?(\d{4}|\d\d)(?!\d)(.*)$/u;
const monthDay = /^([\p{L}]{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)(.*)$/u;

/** Reads a time of another form than RFC 3339; undefined for what is none. `order` says how a date like 03/04/2026 is written, where that is known. */
export function readOtherTime(written: string, order: DateOrder | undefined): ReadTime | undefined {
  const text = written.trim();
  if (text === '' || none.has(text.toLowerCase()) || /^never\b/i.test(text)) {
    return { as: 'time', text: '' };
  }
  if (/^\d+(\.\d+)?Z?$/.test(text)) {
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
  const byMonth = monthDay.exec(named);
  if (byMonth !== null && months.has(byMonth[1] ?? '')) {
    return write(byMonth[3], String(months.get(byMonth[1] ?? '')), byMonth[2], byMonth[4]);
  }
  return undefined;
}

/** Numbers alone: seconds or milliseconds since 1970, a day or a second of the calendar, or a time of a Windows directory. */
function readDigits(text: string): ReadTime | undefined {
  const digits = text.replace(/\.0*Z?$|Z$/, '');
  if (/^0+$/.test(digits) || digits === '9223372036854775807') {
    return { as: 'time', text: '' };
  }
  const date = /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d))?$/.exec(digits);
  if (date !== null) {
    return write(date[1], date[2], date[3], date[4] === undefined ? '' : `${date[4]}:${date[5]}:${date[6]}`);
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
  const [, hours = '', minutes = '', seconds = '00', fraction = '', half = '', zone = ''] = parts;
  let hour = Number(hours);
  if (half !== '') {
    if (hour < 1 || hour > 12) {
      return undefined;
    }
    hour = (hour % 12) + (/^p/i.test(half) ? 12 : 0);
  }
  const offset = readZone(zone);
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59 || offset === undefined) {
    return undefined;
  }
  return `${String(hour).padStart(2, '0')}:${minutes}:${seconds}${fraction === '' ? '' : `.${fraction.slice(0, 6)}`}${offset}`;
}

function readZone(zone: string): string | undefined {
  const text = zone.trim().toLowerCase();
  if (text === '') {
    return 'Z';
  }
  const offset = /^(?:utc|gmt)?\s*([+-]\d\d):?(\d\d)?$/.exec(text);
  if (offset === null) {
    return zones[text];
  }
  const [, hours = '', minutes = '00'] = offset;
  return Math.abs(Number(hours)) > 14 || Number(minutes) > 59 ? undefined : `${hours}:${minutes}`;
}
