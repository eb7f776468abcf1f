/** One of two to five, all of them in sight, such as how a list is grouped. */
import { useId } from 'react';
import { number } from '../text/format.ts';
import styles from './segments.module.css';

interface SegmentsProps<V extends string> {
  readonly label: string;
  readonly value: V;
  readonly onChange: (value: V) => void;
  readonly options: readonly { readonly value: V; readonly label: string; readonly count?: number | undefined }[];
}

export function Segments<V extends string>({ label, value, onChange, options }: SegmentsProps<V>) {
  const name = useId();
  return (
    <fieldset className={styles.segments} aria-label={label}>
      {options.map((option) => (
        <label key={option.value} className={styles.segment}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
          {option.label}
          {option.count === undefined ? null : <span>{number(option.count)}</span>}
        </label>
      ))}
    </fieldset>
  );
}
