/** Times of directories as RFC 3339 writes them. */

const generalized = /^(\d{4})(\d\d)(\d\d)(\d\d)(?:(\d\d)(\d\d)?)?(?:[.,]\d+)?(Z|[+-]\d{4})?$/;

/** Returns the moment of a GeneralizedTime such as `20261127025130Z`; undefined for what is none. */
export function readGeneralizedTime(text: string): Date | undefined {
  const parts = generalized.exec(text);
  if (parts === null) {
    return undefined;
  }
  const [, year, month, day, hour, minute = '00', second = '00', zone = 'Z'] = parts;
  const time = new Date(
    `${year}-${month}-${day}T${hour}:${minute}:${second}${zone === 'Z' ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`}`,
  );
  return isKnown(time) ? time : undefined;
}

/** Milliseconds between the years 1601 and 1970. */
const epochOfFileTime = 11_644_473_600_000n;
const never = 9_223_372_036_854_775_807n;

/** Returns the moment of a Windows file time: hundreds of nanoseconds since 1601. Undefined for 0 and the highest, which mean never, and for what is none. */
export function readFileTime(text: string): Date | undefined {
  if (!/^\d{1,19}$/.test(text) || BigInt(text) === 0n || BigInt(text) >= never) {
    return undefined;
  }
  const time = new Date(Number(BigInt(text) / 10_000n - epochOfFileTime));
  return isKnown(time) ? time : undefined;
}

function isKnown(time: Date): boolean {
  return !Number.isNaN(time.getTime()) && time.getUTCFullYear() >= 1 && time.getUTCFullYear() <= 9998;
}

/** Returns a time as rows have it, to the second; '' for none. */
export function writeTime(time: Date | undefined): string {
  return time === undefined ? '' : `${time.toISOString().slice(0, 19)}Z`;
}
