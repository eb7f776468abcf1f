/** Layout of a burn-down: from counts and times to points of a plane of 640 by 200. */
import type { BurnDownProps } from './burn-down.tsx';

const width = 620;
const height = 180;
const day = 86_400_000;

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Plan {
  readonly width: number;
  readonly height: number;
  /** The height at which everything is open. */
  readonly top: number;
  readonly points: readonly Point[];
  readonly now: Point | undefined;
  /** Point of the present pace at the due date. */
  readonly due: (Point & { readonly left: number }) | undefined;
  readonly ticks: readonly { readonly y: number; readonly value: number }[];
  readonly dates: readonly { readonly x: number; readonly at: string; readonly isNow: boolean }[];
}

/** A round number at or above the total, so that two lines of the grid are round as well. */
function ceilingOf(total: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, total))));
  const half = step / 2;
  return Math.max(2, Math.ceil(total / half) * half);
}

export function planBurnDown({ days, total, left, startedAt, dueAt, perDay, isOver }: BurnDownProps, present: Date): Plan {
  const ceiling = ceilingOf(total);
  const yOf = (value: number): number => round(height - (value / ceiling) * (height - 12));
  const ticks = [ceiling, ceiling / 2, 0].map((value) => ({ value: Math.round(value), y: yOf(value) }));
  const start = Date.parse(startedAt ?? '');
  if (Number.isNaN(start) || total === 0) {
    return { width, height, top: yOf(total), points: [], now: undefined, due: undefined, ticks, dates: [] };
  }
  const until =
    isOver && days.length > 0 ? Math.max(start, Date.parse(`${days.at(-1)?.day}T12:00:00Z`)) : Math.max(start, present.getTime());
  const dueTime = dueAt === undefined ? undefined : Date.parse(dueAt);
  const end = Math.max(until, dueTime ?? 0, start + day);
  const xOf = (time: number): number => round((Math.min(Math.max(time, start), end) - start) / ((end - start) / width));
  const past = days
    .map((one) => ({ time: Math.min(Date.parse(`${one.day}T23:59:59Z`), until), open: one.open }))
    .filter(({ time }) => time >= start && time < until);
  const points = [
    { x: 0, y: yOf(total) },
    ...past.map(({ time, open }) => ({ x: xOf(time), y: yOf(open) })),
    { x: xOf(until), y: yOf(left) },
  ];
  const ahead = dueTime === undefined ? 0 : Math.max(0, Math.round(left - perDay * Math.max(0, (dueTime - until) / day)));
  const middle = start + (end - start) / 2;
  const dates = [
    { at: new Date(start).toISOString(), x: 0, isNow: false },
    ...(Math.abs(xOf(middle) - xOf(until)) > 70 ? [{ at: new Date(middle).toISOString(), x: xOf(middle), isNow: false }] : []),
    ...(xOf(until) > 70 && !isOver ? [{ at: new Date(until).toISOString(), x: xOf(until), isNow: true }] : []),
    ...(width - xOf(until) > 70 || isOver ? [{ at: new Date(end).toISOString(), x: width, isNow: false }] : []),
  ];
  return {
    width,
    height,
    top: yOf(total),
    points,
    now: points.at(-1),
    due: dueTime === undefined ? undefined : { x: xOf(dueTime), y: yOf(ahead), left: ahead },
    ticks,
    dates,
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
