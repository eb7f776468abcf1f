/** A span of time: how many, and of what. */
import { useState } from 'react';
import { Select } from '~/parts/controls/select.tsx';
import { CountField } from '~/parts/fields/count-field.tsx';
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
      <CountField
        min={0}
        label={label}
        hint={hint}
        value={count}
        isFraction
        onWhole={(written) => onChange(Math.round(Number(written) * unit))}
        onClear={() => onChange(0)}
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
