/** Schedules of fetches: five fields of cron in a time zone, and the usual schedule of each kind. */
import { hash } from 'node:crypto';
import { Cron } from 'croner';
import { isTimeZone } from '../../lib/wall-time.ts';
import type { FieldViolation } from '../../errors.ts';
import type { Context } from '../../context.ts';
import type { FetchSource } from '../sources/index.ts';
import { findTimeZone } from '../../foundation/tenants/index.ts';
import type { FetchedKind } from './fetchers/index.ts';

/** Shortest time between two fetches of a schedule. */
const shortestMs = 15 * 60_000;
/** Occurrences that are looked at: a day of them shows each pause there is between two minutes. */
const lookedAt = 120;
const maxSpecLength = 100;

/** Schedule as it is kept. */
export interface Schedule {
  /** Five fields. */
  readonly spec: string;
  readonly zone: string;
}

function open({ spec, zone }: Schedule): Cron {
  return new Cron(spec, { mode: '5-part', timezone: zone });
}

/** Lists what is wrong with a schedule. */
export function checkSchedule({ spec, zone }: Schedule): FieldViolation[] {
  const violations: FieldViolation[] = [];
  if (zone !== '' && !isTimeZone(zone)) {
    violations.push({ field: 'cron.timezone', description: 'is no time zone, such as Europe/Berlin' });
  }
  const wrong = checkSpec(spec);
  return wrong === undefined ? violations : [...violations, { field: 'cron.cronSpec', description: wrong }];
}

function checkSpec(spec: string): string | undefined {
  if (spec.length > maxSpecLength || spec.trim().split(/\s+/).length !== 5) {
    return 'must have five fields: minute, hour, day of the month, month, day of the week';
  }
  let times: Date[];
  try {
    times = open({ spec, zone: 'UTC' }).nextRuns(lookedAt, new Date('2024-01-01T00:00:00Z'));
  } catch {
    return 'is no schedule that can be read, such as 30 2 * * * for half past two every day';
  }
  if (times.length === 0) {
    return 'matches no day';
  }
  return times.some((time, index) => index > 0 && time.getTime() - (times[index - 1] as Date).getTime() < shortestMs)
    ? 'must not match more often than every 15 minutes'
    : undefined;
}

/** The first moment after this one; undefined where none follows. */
export function findNext(schedule: Schedule, after: Date): Date | undefined {
  return open(schedule).nextRun(after) ?? undefined;
}

/** Most missed fetches that are counted. */
const maxMissed = 10_000;

/** Counts the moments from `from`, itself included, to `until`. */
export function countMoments(schedule: Schedule, from: Date, until: Date): number {
  let count = 0;
  for (let at: Date | undefined = from; at !== undefined && at <= until && count < maxMissed; count++) {
    at = findNext(schedule, at);
  }
  return count;
}

/** The usual schedule of a kind; which minute it is follows from the id, so that not all fetch at once. */
export function usualSpec(kind: FetchedKind, id: string): string {
  const minute = Number.parseInt(hash('sha256', id).slice(0, 8), 16) % 60;
  switch (kind) {
    case 'FOLDER':
    case 'HTTPS':
    case 'S3': {
      const first = minute % 15;
      return `${[0, 15, 30, 45].map((quarter) => quarter + first).join(',')} * * * *`;
    }
    case 'SQL':
      return `${minute} 5 * * *`;
    case 'LDAP':
    case 'ENTRA':
    case 'BATON':
      return `${minute} */4 * * *`;
  }
}

/** A source as far as it says when it fetches. */
type Scheduled = Pick<FetchSource, 'id' | 'kind' | 'schedule' | 'zone'>;

/** The schedule of a source: its own, or the usual one of its kind; in this zone where it says none. */
export function scheduleIn({ id, kind, schedule, zone }: Scheduled, usualZone: string): Schedule {
  return { spec: schedule === '' ? usualSpec(kind as FetchedKind, id) : schedule, zone: zone === '' ? usualZone : zone };
}

/** The same in the tenant's zone. */
export async function scheduleOf(context: Context, source: Scheduled): Promise<Schedule> {
  return scheduleIn(source, source.zone === '' ? await findTimeZone(context.db, context.tenantId) : source.zone);
}

const shownTimes = 3;

/** The next times by the schedule of a source from this one on, which is one of them. */
export function listNext(source: Scheduled, from: Date, usualZone: string): Date[] {
  const times = [from];
  for (let at = findNext(scheduleIn(source, usualZone), from); at !== undefined && times.length < shownTimes; ) {
    times.push(at);
    at = findNext(scheduleIn(source, usualZone), at);
  }
  return times;
}
