/**
 * Lifespan of a credential: cards, each with the day on which it ends. Those of service principals may end on any other day within a year, too:
 * what is made in a browser lives no longer.
 */
import { One, OneOf } from '~/parts/controls/choice-controls.tsx';
import { DateField } from '~/parts/fields/date-field.tsx';
import { date } from '~/text/format.ts';
import { dayEnd } from '~/text/local-time.ts';
import { text } from '~/text/text.ts';
import styles from './credentials.module.css';

/** So many days, or the last day on which it works (YYYY-MM-DD), '' while that is not chosen. */
export type Lifespan = '30' | '90' | '365' | Day;

/** Its day is the reader's. */
interface Day {
  readonly until: string;
}

const daySeconds = 86_400;

/** As the API takes it. One until a day works until that day is over. */
export function lifespanSeconds(lifespan: Lifespan, now = Date.now()): string {
  if (typeof lifespan === 'object') {
    return `${Math.floor((endOf(lifespan.until) - now) / 1000)}s`;
  }
  return `${Number(lifespan) * daySeconds}s`;
}

/** True if no day is chosen yet, or one that is over or more than a year away. */
export function isDayWrong(lifespan: Lifespan, now = Date.now()): boolean {
  return typeof lifespan === 'object' && !(endOf(lifespan.until) > now && endOf(lifespan.until) <= now + 365 * daySeconds * 1000);
}

const endOf = (day: string): number => (day === '' ? Number.NaN : Date.parse(dayEnd(day)));

interface LifespanFieldProps {
  readonly value: Lifespan;
  readonly onChange: (value: Lifespan) => void;
  /** True if any day may be chosen: it may for service principals. */
  readonly free?: boolean;
  /** True if somebody tried to go on; a day that is wrong is pointed out from then on. */
  readonly tried?: boolean;
}

export function LifespanField({ value, onChange, free = false, tried = false }: LifespanFieldProps) {
  const end = (days: number) => date(new Date(Date.now() + days * daySeconds * 1000));
  const options: readonly { value: Exclude<Lifespan, Day> | 'day'; label: string; hint: string }[] = [
    { value: '30', label: text('credentials.days', { count: 30 }), hint: end(30) },
    { value: '90', label: text('credentials.days', { count: 90 }), hint: end(90) },
    { value: '365', label: text('credentials.days', { count: 365 }), hint: end(365) },
    ...(free ? [{ value: 'day' as const, label: text('credentials.untilDay'), hint: text('credentials.untilDayHint') }] : []),
  ];
  return (
    <fieldset className={styles.field}>
      <legend>{text('credentials.lifespan')}</legend>
      <div className={styles.cards} data-four={free || undefined}>
        <OneOf
          className={styles.inside}
          label={text('credentials.lifespan')}
          value={typeof value === 'object' ? 'day' : value}
          onChange={(next) => onChange(next === 'day' ? { until: '' } : (next as Lifespan))}
        >
          {options.map((option) => (
            // biome-ignore lint/a11y/noLabelWithoutControl: the control is Base UI's button in it
            <label key={option.value} className={styles.card}>
              <span>
                <b>{option.label}</b>
                <small>{option.hint}</small>
              </span>
              <One value={option.value} />
            </label>
          ))}
        </OneOf>
      </div>
      {typeof value === 'object' ? (
        <DateField
          label={text('credentials.lastDay')}
          value={value.until}
          onWhole={(until) => onChange({ until })}
          onClear={() => onChange({ until: '' })}
          onPartial={() => onChange({ until: '' })}
          required
          error={tried && isDayWrong(value) ? text('credentials.dayWrong') : undefined}
        />
      ) : null}
    </fieldset>
  );
}
