/** How long a credential works: cards, each with the day on which it ends. Those of service principals may last a year as well. */
import { date } from '../../../text/format.ts';
import { text } from '../../../text/text.ts';
import styles from './credentials.module.css';

export type Lifespan = '30' | '90' | '365' | 'never';

const daySeconds = 86_400;

/** As the API takes it; undefined for one that never ends. */
export function secondsOf(lifespan: Lifespan): string | undefined {
  return lifespan === 'never' ? undefined : `${Number(lifespan) * daySeconds}s`;
}

interface LifespanFieldProps {
  readonly value: Lifespan;
  readonly onChange: (value: Lifespan) => void;
  /** Whether the server takes a year: it does for service principals. */
  readonly year?: boolean;
}

export function LifespanField({ value, onChange, year = false }: LifespanFieldProps) {
  const end = (days: number) => date(new Date(Date.now() + days * daySeconds * 1000));
  const options: readonly { value: Lifespan; label: string; hint: string }[] = [
    { value: '30', label: text('credentials.days', { count: 30 }), hint: end(30) },
    { value: '90', label: text('credentials.days', { count: 90 }), hint: end(90) },
    ...(year ? [{ value: '365' as const, label: text('credentials.days', { count: 365 }), hint: end(365) }] : []),
    { value: 'never', label: text('credentials.neverEnds'), hint: text('credentials.neverHint') },
  ];
  return (
    <fieldset className={styles.field}>
      <legend>{text('credentials.lifespan')}</legend>
      <div className={styles.cards} data-four={year || undefined}>
        {options.map((option) => (
          <label key={option.value} className={styles.card}>
            <span>
              <b>{option.label}</b>
              <small>{option.hint}</small>
            </span>
            <input type="radio" name="lifespan" checked={option.value === value} onChange={() => onChange(option.value)} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}
