/**
 * Lines over time: each row a line of when something was held, with marks of what was decided. It is a table, so that a screen reader hears
 * each line in words; what is drawn is for those who see it.
 */
import { date } from '~/text/format.ts';
import { fromLocal, toDay } from '~/text/local-time.ts';
import { text } from '~/text/text.ts';
import { Hidden } from '~/parts/words/hidden.tsx';
import styles from './lifelines.module.css';
import { LineDrawing } from './line-drawing.tsx';
import { Name } from '~/parts/words/name.tsx';

export interface LineMark {
  /** Milliseconds since 1970, as all times here. */
  readonly at: number;
  readonly kind: 'certified' | 'denied';
  readonly label: string;
}

export interface LinePeriod {
  readonly from: number;
  readonly to: number;
  readonly tone: 'held' | 'ended' | 'conflict';
}

export interface Line {
  readonly key: string;
  readonly name: string;
  /** Its technical name. */
  readonly hint: string;
  readonly isEnded: boolean;
  readonly periods: readonly LinePeriod[];
  readonly marks: readonly LineMark[];
  /** Its state now, in a few words. */
  readonly state: string;
  readonly stateTone: 'quiet' | 'no' | 'warn' | 'ok';
}

export interface LineGroup {
  readonly title: string;
  readonly note: string;
  readonly lines: readonly Line[];
}

/** Something that happened to the person, across all lines. */
export interface LineMoment {
  readonly at: number;
  readonly label: string;
}

interface LifelinesProps {
  readonly label: string;
  readonly from: number;
  readonly to: number;
  readonly groups: readonly LineGroup[];
  readonly moments?: readonly LineMoment[];
}

/** The beginnings of the years within a span; of its months where it is hardly more than a year. */
export function timeTicks(from: number, to: number): { readonly at: number; readonly label: string }[] {
  const isLong = to - from > 500 * 86_400_000;
  const found: { at: number; label: string }[] = [];
  const [year = 0, month = 1] = toDay(new Date(from)).split('-').map(Number);
  for (let step = 0; step < 400; step++) {
    const day = new Date(isLong ? Date.UTC(year + step, 0) : Date.UTC(year, month - 1 + step * 3));
    const moment = new Date(fromLocal(day.toISOString().slice(0, 16)) ?? day);
    if (moment.getTime() > to) {
      break;
    }
    if (moment.getTime() >= from) {
      found.push({ at: moment.getTime(), label: isLong ? String(year + step) : date(moment, true) });
    }
  }
  // More labels than have room: every so many.
  const every = Math.ceil(found.length / 10);
  return found.filter((_, index) => index % every === 0);
}

/** Labels nearer than this share of the width would lie upon each other. */
const nearest = 12;

export function Lifelines({ label, from, to, groups, moments = [] }: LifelinesProps) {
  const ticks = timeTicks(from, to);
  const share = (at: number) => Math.max(0, Math.min(100, ((at - from) / Math.max(1, to - from)) * 100));
  const crossed = moments.filter(({ at }) => at > from && at <= to).toSorted((a, b) => a.at - b.at);
  const named = crossed.filter((one, index) => index === 0 || share(one.at) - share(crossed[index - 1]?.at ?? 0) >= nearest);
  return (
    <table className={styles.lines} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">
            <Hidden>{text('lines.what')}</Hidden>
          </th>
          <th scope="col">
            <Hidden>{text('lines.when')}</Hidden>
            {crossed.length === 0 ? null : (
              <>
                <Hidden>{crossed.map((one) => `${date(new Date(one.at))}: ${one.label}`).join('; ')}</Hidden>
                <svg className={styles.years} aria-hidden="true">
                  {named.map((one) => (
                    <text key={one.at} x={`${share(one.at)}%`} y="80%" textAnchor={share(one.at) > 60 ? 'end' : 'start'}>
                      {one.label}
                    </text>
                  ))}
                </svg>
              </>
            )}
            <svg className={styles.years} aria-hidden="true">
              {ticks.map((tick) => (
                <text key={tick.at} x={`${share(tick.at)}%`} y="80%">
                  {tick.label}
                </text>
              ))}
            </svg>
          </th>
          <th scope="col" className={styles.state}>
            {text('lines.now')}
          </th>
        </tr>
      </thead>
      {groups.map((group) => (
        <tbody key={group.title}>
          <tr className={styles.group}>
            <th scope="rowgroup" colSpan={3}>
              <Name strong>{group.title}</Name> <small>{group.note}</small>
            </th>
          </tr>
          {group.lines.map((line) => (
            <tr key={line.key}>
              <th scope="row" title={line.hint || undefined}>
                <Name>{line.name}</Name>
              </th>
              <td>
                <LineDrawing line={line} ticks={ticks} moments={crossed} share={share} />
                <Hidden>{inWords(line)}</Hidden>
              </td>
              <td className={styles.state} data-tone={line.stateTone}>
                {line.state}
              </td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}

/** A line as one reads it out. */
function inWords(line: Line): string {
  const periods = line.periods.map((period) =>
    period.tone === 'ended'
      ? text('lines.period', { from: date(new Date(period.from)), to: date(new Date(period.to)) })
      : text('lines.since', { from: date(new Date(period.from)) }),
  );
  return [...periods, ...line.marks.map((mark) => mark.label)].join('; ');
}
