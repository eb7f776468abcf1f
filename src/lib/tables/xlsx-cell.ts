/** Reads a cell of an Excel sheet, as the text a CSV of the same sheet would have: numbers without rounding noise, days as RFC 3339 times. */

/** Reading of a cell's number by its format. */
export type NumberKind = { readonly as: 'number' } | { readonly as: 'time' } | { readonly as: 'padded'; readonly digits: number };

const plain: NumberKind = { as: 'number' };
const time: NumberKind = { as: 'time' };
const secondsOfDay = 86_400;
/** The last day that Excel knows, 9999-12-31. */
const maxDay = 2_958_466;

/** Kind of number of a built-in format, known by its number alone: dates are 14 to 17 and 22, and those of East Asia. */
export function kindOfBuiltin(id: number): NumberKind {
  return (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 54) || (id >= 57 && id <= 58)
    ? time
    : plain;
}

/** Kind of number of a format code: one with a year or a day in it is a date, one of zeros alone pads with zeros. */
export function kindOfFormat(code: string): NumberKind {
  if (/^0{2,20}$/.test(code)) {
    return { as: 'padded', digits: code.length };
  }
  // Without what is shown as it stands: quoted, escaped, in brackets (colours, languages, currencies), filled or skipped.
  const letters = code.replace(/"[^"]*"|\[[^\]]*\]|[\\_*]./g, '');
  return /general/i.test(letters) ? plain : /[yd]/i.test(letters) ? time : plain;
}

/** A number as text; undefined where it is none, or no time where it should be one. `is1904`: days count from 1904. */
export function readNumber(text: string, kind: NumberKind, is1904: boolean): string | undefined {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(number)) {
    return undefined;
  }
  switch (kind.as) {
    case 'number':
      return writeNumber(number, text);
    case 'padded':
      return Number.isInteger(number) && number >= 0 ? writeNumber(number, text).padStart(kind.digits, '0') : writeNumber(number, text);
    default:
      return writeTime(number, is1904);
  }
}

/** Excel keeps 15 digits of a number: from here on it has rounded what was typed. */
const firstRounded = 1e15;

/** Whole numbers in full, others with the digits it takes to distinguish them. */
function writeNumber(number: number, text: string): string {
  if (!Number.isInteger(number) || Math.abs(number) >= 1e21) {
    return String(number);
  }
  if (Math.abs(number) < firstRounded) {
    return BigInt(number).toString();
  }
  // Other programs write more digits than a number has in Excel; of those that were rounded the last are zeros, not noise.
  const [, sign = '', first = '', others = '', power = '0'] = /^(-?)(\d)(?:\.(\d+))?e\+(\d+)$/.exec(number.toExponential()) ?? [];
  return /^-?[1-9]\d*$/.test(text.trim()) ? text.trim() : `${sign}${first}${others.padEnd(Number(power), '0')}`;
}

/** True if Excel has rounded a number, as it was written: no id that was typed is one. */
export function isRounded(written: string): boolean {
  return written.length >= 16 && /^-?\d{1,15}0*$/.test(written) && Math.abs(Number(written)) >= firstRounded;
}

function writeTime(serial: number, is1904: boolean): string | undefined {
  // Days count as if there had been a 29 February 1900: it is day 60, so days before it lie one further on.
  const day = is1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial;
  if (serial < 0 || day >= maxDay || (!is1904 && serial >= 60 && serial < 61)) {
    return undefined;
  }
  const at = new Date(Math.round((day - 25_569) * secondsOfDay * 1000));
  return at.toISOString().replace('.000Z', 'Z');
}

/** A day written out (cell type `d`), with or without its time, as an RFC 3339 time; other text as it is. */
export function readDay(text: string): string {
  const parts = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/.exec(text.trim());
  return parts === null ? text : `${parts[1]}T${parts[2] ?? '00:00'}${parts[3] ?? ':00'}${parts[4] ?? 'Z'}`;
}

/** Characters that XML cannot hold are written `_x000D_` in texts of Excel; NUL and halves of characters stay as written. */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) {
    return text;
  }
  return text.replace(/_x([0-9a-fA-F]{4})_/g, (written, digits: string) => {
    const code = Number.parseInt(digits, 16);
    return code === 0 || (code >= 0xd800 && code <= 0xdfff) || code >= 0xfffe ? written : String.fromCharCode(code);
  });
}

/** The column of a cell's name, from 0: `A1` is 0, `AB7` is 27; -1 where it is none. */
export function columnIndex(reference: string): number {
  let column = 0;
  for (let index = 0; index < reference.length; index++) {
    const code = reference.charCodeAt(index);
    if (code < 65 || code > 90) {
      return index === 0 || index > 3 ? -1 : column - 1;
    }
    column = column * 26 + code - 64;
  }
  return -1;
}
