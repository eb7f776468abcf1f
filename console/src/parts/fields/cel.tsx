/** An expression of CEL: a plain text area, over the same text with its parts coloured. What it means and whether it holds, the server says. */
import type { ReactNode } from 'react';
import styles from './cel.module.css';
import { Field, type FieldProps } from './field.tsx';

interface CelProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string | undefined;
}

export function Cel({ label, hideLabel, hint, error, required, value, onChange, placeholder }: CelProps) {
  const count = Math.max(value.split('\n').length, 2);
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error} required={required}>
      {(binding) => (
        <div className={styles.cel} data-invalid={binding['aria-invalid']}>
          <div className={styles.lines} aria-hidden="true">
            {Array.from({ length: count }, (_, index) => index + 1).join('\n')}
          </div>
          <div className={styles.sheet}>
            <pre className={styles.shown} aria-hidden="true">
              {highlight(value)}
              {'\n'}
            </pre>
            <textarea
              {...binding}
              className={styles.input}
              wrap="off"
              autoCapitalize="off"
              autoComplete="off"
              spellCheck={false}
              placeholder={placeholder}
              value={value}
              onChange={(event) => onChange(event.target.value)}
            />
          </div>
        </div>
      )}
    </Field>
  );
}

const parts =
  /(?<string>[rb]?"(?:\\.|[^"\\\n])*"?|[rb]?'(?:\\.|[^'\\\n])*'?)|(?<number>\b\d[\w.]*)|(?<name>\b(?:subject|entitlement|app|account|ctx|now|true|false|null|in)\b)/g;

function highlight(value: string): ReactNode[] {
  const shown: ReactNode[] = [];
  let end = 0;
  for (const match of value.matchAll(parts)) {
    const kind = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined)?.[0] ?? 'name';
    shown.push(
      value.slice(end, match.index),
      <span key={match.index} className={styles[kind]}>
        {match[0]}
      </span>,
    );
    end = match.index + match[0].length;
  }
  return [...shown, value.slice(end)];
}
