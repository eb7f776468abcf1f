/** Layouts of times as Go writes them: for the moment Mon Jan 2 15:04:05 MST 2006. Reads and writes times by them. */
import { atWallTime, offsetOf, utc } from '../zones.ts';

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const parts =
  /2006|January|Jan|Monday|Mon|MST|Z07:00|Z0700|-07:00|-0700|-07|15|01|02|03|04|05|06|_2|PM|pm|[.,]0+(?!\d)|[.,]9+(?!\d)|1|2|3|4|5/g;

const second = 1_000_000_000n;
const pad = (value: number, length = 2): string => String(value).padStart(length, '0');

/** A layout as its parts, and the texts between them. */
function partsOf(layout: string): { part: boolean; text: string }[] {
  const found: { part: boolean; text: string }[] = [];
  let at = 0;
  for (const match of layout.matchAll(parts)) {
    found.push({ part: false, text: layout.slice(at, match.index) }, { part: true, text: match[0] });
    at = match.index + match[0].length;
  }
  found.push({ part: false, text: layout.slice(at) });
  return found.filter(({ text }) => text !== '');
}

function offsetText(offset: number, form: string): string {
  if (form.startsWith('Z') && offset === 0) {
    return 'Z';
  }
  const minutes = Math.abs(Math.trunc(offset / 60_000));
  const sign = offset < 0 ? '-' : '+';
  const hour = pad(Math.trunc(minutes / 60));
  return form === '-07' ? `${sign}${hour}` : `${sign}${hour}${form.includes(':') ? ':' : ''}${pad(minutes % 60)}`;
}

/** A moment in nanoseconds, written in a layout and a zone; undefined where there is no such zone. */
export function formatTime(nanos: bigint, layout: string, zone: string): string | undefined {
  const seconds = nanos >= 0n ? nanos / second : -((-nanos + second - 1n) / second);
  const fraction = pad(Number(nanos - seconds * second), 9);
  const offset = offsetOf(zone, Number(seconds) * 1000);
  if (offset === undefined) {
    return undefined;
  }
  const date = new Date(Number(seconds) * 1000 + offset);
  const hour = date.getUTCHours();
  const month = months[date.getUTCMonth()]!;
  const weekday = days[date.getUTCDay()]!;
  const written: Readonly<Record<string, string>> = {
    '2006': pad(date.getUTCFullYear(), 4),
    '06': pad(date.getUTCFullYear() % 100),
    January: month,
    Jan: month.slice(0, 3),
    '01': pad(date.getUTCMonth() + 1),
    '1': String(date.getUTCMonth() + 1),
    Monday: weekday,
    Mon: weekday.slice(0, 3),
    '02': pad(date.getUTCDate()),
    _2: String(date.getUTCDate()).padStart(2),
    '2': String(date.getUTCDate()),
    '15': pad(hour),
    '03': pad(hour % 12 === 0 ? 12 : hour % 12),
    '3': String(hour % 12 === 0 ? 12 : hour % 12),
    '04': pad(date.getUTCMinutes()),
    '4': String(date.getUTCMinutes()),
    '05': pad(date.getUTCSeconds()),
    '5': String(date.getUTCSeconds()),
    PM: hour < 12 ? 'AM' : 'PM',
    pm: hour < 12 ? 'am' : 'pm',
    MST: offset === 0 ? 'UTC' : offsetText(offset, '-0700'),
  };
  const one = (form: string): string => {
    if (/^[.,]0/.test(form)) {
      return form[0]! + fraction.slice(0, form.length - 1);
    }
    if (/^[.,]9/.test(form)) {
      const digits = fraction.slice(0, form.length - 1).replace(/0+$/, '');
      return digits === '' ? '' : form[0]! + digits;
    }
    return written[form] ?? offsetText(offset, form);
  };
  return partsOf(layout)
    .map(({ part, text }) => (part ? one(text) : text))
    .join('');
}

const patternOf: Readonly<Record<string, string>> = {
  '2006': '(\\d{4})',
  '06': '(\\d\\d)',
  January: `(${months.join('|')})`,
  Jan: `(${months.map((name) => name.slice(0, 3)).join('|')})`,
  '01': '(\\d\\d)',
  '1': '(\\d\\d?)',
  Monday: `(${days.join('|')})`,
  Mon: `(${days.map((name) => name.slice(0, 3)).join('|')})`,
  '02': '(\\d\\d)',
  _2: '( \\d|\\d\\d)',
  '2': '(\\d\\d?)',
  '15': '(\\d\\d)',
  '03': '(\\d\\d)',
  '3': '(\\d\\d?)',
  '04': '(\\d\\d)',
  '4': '(\\d\\d?)',
  '05': '(\\d\\d)',
  '5': '(\\d\\d?)',
  PM: '(AM|PM)',
  pm: '(am|pm)',
  MST: '(UTC|GMT)',
  'Z07:00': '(Z|[+-]\\d\\d:\\d\\d)',
  Z0700: '(Z|[+-]\\d{4})',
  '-07:00': '([+-]\\d\\d:\\d\\d)',
  '-0700': '([+-]\\d{4})',
  '-07': '([+-]\\d\\d)',
};

/** The moment, in nanoseconds, that a text written in a layout names; `zone` where it says none. Undefined where it does not fit. */
export function parseTime(text: string, layout: string, zone: string): bigint | undefined {
  if (text.length > 200 || layout.length > 200) {
    return undefined;
  }
  const forms: string[] = [];
  let pattern = '^';
  for (const [index, { part, text: piece }] of partsOf(layout).entries()) {
    if (!part) {
      pattern += piece.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    } else if (/^[.,]/.test(piece)) {
      forms.push(piece);
      pattern += piece[1] === '0' ? `([.,]\\d{${piece.length - 1}})` : '([.,]\\d{1,9})?';
    } else {
      forms.push(piece);
      pattern += patternOf[piece]!;
      const follows = partsOf(layout)[index + 1]?.text ?? '';
      // As in Go, a fraction may stand behind the seconds although the layout has none.
      if ((piece === '05' || piece === '5') && !/^[.,][09]/.test(follows)) {
        forms.push('.9');
        pattern += '([.,]\\d{1,9})?';
      }
    }
  }
  const match = new RegExp(`${pattern}$`).exec(text);
  return match === null ? undefined : momentOf(forms, match.slice(1), zone);
}

function momentOf(forms: readonly string[], values: readonly (string | undefined)[], zone: string): bigint | undefined {
  const given = new Map(forms.map((form, index) => [/^[.,]/.test(form) ? 'fraction' : form, values[index]]));
  const number = (...names: string[]): number | undefined => {
    const found = names.map((name) => given.get(name)).find((value) => value !== undefined);
    return found === undefined ? undefined : Number(found);
  };
  const short = number('06');
  const year = number('2006') ?? (short === undefined ? 0 : short + (short < 69 ? 2000 : 1900));
  const name = given.get('January') ?? given.get('Jan');
  const month = name === undefined ? (number('01', '1') ?? 1) : months.findIndex((one) => one.startsWith(name)) + 1;
  const day = number('02', '_2', '2') ?? 1;
  const half = (given.get('PM') ?? given.get('pm'))?.toLowerCase();
  const twelve = number('03', '3');
  if (twelve !== undefined && (twelve < 1 || twelve > 12)) {
    return undefined;
  }
  const hour = number('15') ?? (twelve === undefined ? 0 : (half === undefined ? twelve : twelve % 12) + (half === 'pm' ? 12 : 0));
  const [minutes, seconds] = [number('04', '4') ?? 0, number('05', '5') ?? 0];
  const isDate = month >= 1 && month <= 12 && day >= 1 && new Date(utc(year, month, day)).getUTCDate() === day;
  if (!isDate || hour > 23 || minutes > 59 || seconds > 59) {
    return undefined;
  }
  const wall = utc(year, month, day, hour, minutes, seconds);
  const offset = ['Z07:00', 'Z0700', '-07:00', '-0700', '-07'].map((form) => given.get(form)).find((value) => value !== undefined);
  const moment = offset !== undefined ? wall - offsetIn(offset) : given.has('MST') ? wall : atWallTime(zone, wall);
  const fraction = (given.get('fraction') ?? '').slice(1).padEnd(9, '0');
  return moment === undefined || Number.isNaN(moment) ? undefined : BigInt(moment) * 1_000_000n + BigInt(fraction);
}

function offsetIn(text: string): number {
  if (text === 'Z') {
    return 0;
  }
  const digits = text.replace(':', '');
  const minutes = Number(digits.slice(1, 3)) * 60 + Number(digits.slice(3, 5) || 0);
  return Number(digits.slice(3, 5) || 0) > 59 || minutes > 24 * 60 ? Number.NaN : (digits[0] === '-' ? -1 : 1) * minutes * 60_000;
}
