/** A span of time: how many, and of what. */
import { useState } from 'react';
import { Select } from '~/parts/controls/select.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/policies/policies.module.css';
import { unitOf, units } from './spans.ts';

interface SpanFieldProps {
  readonly label: string;
  readonly hint?: string;
  /** In seconds; 0 for none. */
  readonly value: number;
  readonly onChange: (seconds: number) => void;
}

export function SpanField({ label, hint, value, onChange }: SpanFieldProps) {
  const [unit, setUnit] = useState<number>(unitOf(value).seconds);
  const count = value === 0 ? '' : String(Math.round((value / unit) * 1_000) / 1_000);
  return (
    <div className={styles.row}>
      <TextField
        type="number"
        min={0}
        label={label}
        hint={hint}
        value={count}
        onChange={(written) => onChange(Math.round(Math.max(0, Number(written) || 0) * unit))}
      />
      <Select
        label={text('policies.unit')}
        value={String(unit)}
        onChange={(next) => {
          setUnit(Number(next));
          onChange(Math.round((value / unit) * Number(next)));
        }}
        options={units.map(({ seconds, word }) => ({ value: String(seconds), label: text(word) }))}
      />
    </div>
  );
}
