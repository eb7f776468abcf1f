/**
 * How long a credential works: cards, each with the day on which it ends. Those of service principals may last a year as well, or until any other
 * day.
 */
import { TextField } from '../../../parts/text-field.tsx';
import { date } from '../../../text/format.ts';
import { text } from '../../../text/text.ts';
import styles from './credentials.module.css';

/** So many days, no end, or the last day on which it works (YYYY-MM-DD), '' while that is not chosen. */
export type Lifespan = '30' | '90' | '365' | 'never' | Day;

/** Its day is the reader's. */
interface Day {
  readonly until: string;
}

const daySeconds = 86_400;

/** As the API takes it; undefined for one that never ends. One until a day works until that day is over. */
export function secondsOf(lifespan: Lifespan, now = Date.now()): string | undefined {
  if (typeof lifespan === 'object') {
    return `${Math.floor((endOf(lifespan.until) - now) / 1000)}s`;
  }
  return lifespan === 'never' ? undefined : `${Number(lifespan) * daySeconds}s`;
}

/** Whether no day is chosen yet, or one that is over. */
export function isDayWrong(lifespan: Lifespan, now = Date.now()): boolean {
  return typeof lifespan === 'object' && !(endOf(lifespan.until) > now);
}

const endOf = (day: string): number => Date.parse(`${day}T23:59:59`);

interface LifespanFieldProps {
  readonly value: Lifespan;
  readonly onChange: (value: Lifespan) => void;
  /** Whether the server takes any time: it does for service principals. */
  readonly free?: boolean;
  /** Whether somebody tried to go on; a day that is wrong is pointed out from then on. */
  readonly tried?: boolean;
}

export function LifespanField({ value, onChange, free = false, tried = false }: LifespanFieldProps) {
  const end = (days: number) => date(new Date(Date.now() + days * daySeconds * 1000));
  const options: readonly { value: Exclude<Lifespan, Day>; label: string; hint: string }[] = [
    { value: '30', label: text('credentials.days', { count: 30 }), hint: end(30) },
    { value: '90', label: text('credentials.days', { count: 90 }), hint: end(90) },
    ...(free ? [{ value: '365' as const, label: text('credentials.days', { count: 365 }), hint: end(365) }] : []),
    { value: 'never', label: text('credentials.neverEnds'), hint: text('credentials.neverHint') },
  ];
  return (
    <fieldset className={styles.field}>
      <legend>{text('credentials.lifespan')}</legend>
      <div className={styles.cards} data-four={free || undefined}>
        {options.map((option) => (
          <label key={option.value} className={styles.card}>
            <span>
              <b>{option.label}</b>
              <small>{option.hint}</small>
            </span>
            <input type="radio" name="lifespan" checked={option.value === value} onChange={() => onChange(option.value)} />
          </label>
        ))}
        {free ? (
          <label className={styles.card}>
            <span>
              <b>{text('credentials.untilDay')}</b>
              <small>{text('credentials.untilDayHint')}</small>
            </span>
            <input type="radio" name="lifespan" checked={typeof value === 'object'} onChange={() => onChange({ until: '' })} />
          </label>
        ) : null}
      </div>
      {typeof value === 'object' ? (
        <TextField
          type="date"
          label={text('credentials.lastDay')}
          value={value.until}
          onChange={(until) => onChange({ until })}
          required
          error={tried && isDayWrong(value) ? text('credentials.dayWrong') : undefined}
        />
      ) : null}
    </fieldset>
  );
}
