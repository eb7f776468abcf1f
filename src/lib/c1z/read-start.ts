/** The beginning of a sync, which connectors write on the clock of their host and mostly without its zone. */
import { asUtcMs, toMoment } from '../wall-time.ts';
import { C1zError } from './c1z-error.ts';

const timePattern = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.\d+)? ?(Z|UTC|[+-]\d\d:?\d\d)?/;
/** The zone that is furthest ahead of UTC. */
const furthestAheadMs = 14 * 60 * 60_000;

/** Returns the beginning of a sync: that of its zone where the text has none, and where that is unknown the earliest moment that it can mean. */
export function readStart(startedAt: string, zone: string | undefined): Date {
  const found = timePattern.exec(startedAt);
  if (found === null) {
    throw new C1zError(`the beginning of the sync in the file is no time: ${JSON.stringify(startedAt.slice(0, 40))}`);
  }
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map(Number);
  const wall = { year, month, day, hour, minute, second };
  const written = found[7];
  if (written !== undefined) {
    return new Date(asUtcMs(wall) - offsetMs(written));
  }
  return zone === undefined ? new Date(asUtcMs(wall) - furthestAheadMs) : toMoment(wall, zone);
}

function offsetMs(offset: string): number {
  const minutes = /^[A-Z]/.test(offset) ? 0 : Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return (offset.startsWith('-') ? -1 : 1) * minutes * 60_000;
}
