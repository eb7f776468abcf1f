/** One attribute of people: the values of which one is needed, written with commas between them, and whether those without any value are meant, too. */
import { useState } from 'react';
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/scope/edit.module.css';
import { readValues } from './read-values.ts';

interface AttributeRowProps {
  readonly label: string;
  /** The empty text is that of people without a value. */
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
}

export function AttributeRow({ label, values, onChange }: AttributeRowProps) {
  // What is written stays as it is, a comma at its end as well.
  const [written, setWritten] = useState(values.filter((value) => value !== '').join(', '));
  const hasNone = values.includes('');
  const send = (text: string, none: boolean) => onChange([...readValues(text), ...(none ? [''] : [])]);
  return (
    <div className={styles.attribute}>
      <TextField
        label={label}
        hint={text('scope.severalValues')}
        value={written}
        onChange={(next) => {
          setWritten(next);
          send(next, hasNone);
        }}
      />
      <Checkbox label={text('scope.withoutValue')} checked={hasNone} onChange={(none) => send(written, none)} />
    </div>
  );
}
