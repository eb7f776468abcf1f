/** Several people: those chosen, each with its removal, and a field that finds another. */
import { useState } from 'react';
import { ChosenList } from './chosen-list.tsx';
import { findAnybody, findPeople } from '~/data/inventory/find.ts';
import { useNames } from '~/data/names.ts';
import { Combobox } from '~/parts/fields/combobox.tsx';
import { text } from '~/text/text.ts';
import styles from './people-field.module.css';

interface PeopleFieldProps {
  readonly label: string;
  readonly value: readonly string[];
  readonly onChange: (value: string[]) => void;
  readonly error?: string | undefined;
  /** True if people who are disabled are found, too. */
  readonly anybody?: boolean | undefined;
}

export function PeopleField({ label, value, onChange, error, anybody = false }: PeopleFieldProps) {
  const [added, setAdded] = useState<ReadonlyMap<string, string>>(new Map());
  const names = useNames(value);
  return (
    <div className={styles.people}>
      <Combobox
        label={label}
        value={undefined}
        search={anybody ? findAnybody : findPeople}
        placeholder={text('policies.findPerson')}
        error={error}
        onChange={(option) => {
          if (option !== undefined && !value.includes(option.id)) {
            setAdded((before) => new Map(before).set(option.id, option.label));
            onChange([...value, option.id]);
          }
        }}
      />
      <ChosenList ids={value} names={[names, added]} onRemove={(id) => onChange(value.filter((one) => one !== id))} />
    </div>
  );
}
