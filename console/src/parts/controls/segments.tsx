/** One of two to five, all of them in sight, such as how a list is grouped. */
import { number } from '~/text/format.ts';
import { One, OneOf } from './choice-controls.tsx';
import styles from './segments.module.css';

interface SegmentsProps<V extends string> {
  readonly label: string;
  readonly value: V;
  readonly onChange: (value: V) => void;
  readonly options: readonly { readonly value: V; readonly label: string; readonly count?: number | undefined }[];
}

export function Segments<V extends string>({ label, value, onChange, options }: SegmentsProps<V>) {
  return (
    <OneOf className={styles.segments} label={label} value={value} onChange={(next) => onChange(next as V)}>
      {options.map((option) => (
        <One key={option.value} value={option.value} className={styles.segment}>
          {option.label}
          {option.count === undefined ? null : <span>{number(option.count)}</span>}
        </One>
      ))}
    </OneOf>
  );
}
