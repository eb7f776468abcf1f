/** Several people: those chosen, each with its removal, and a field that finds another. */
import { useState } from 'react';
import { findAnybody, findPeople } from '../data/find.ts';
import { useNames } from '../data/names.ts';
import { Button } from '../parts/button.tsx';
import { Combobox } from '../parts/combobox.tsx';
import { Name } from '../parts/name.tsx';
import { text } from '../text/text.ts';
import styles from './people-field.module.css';

interface PeopleFieldProps {
  readonly label: string;
  readonly value: readonly string[];
  readonly onChange: (value: string[]) => void;
  readonly error?: string | undefined;
  /** Whether people who are disabled are found, too. */
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
      {value.length === 0 ? null : (
        <ul>
          {value.map((id) => {
            const name = names.get(id) || added.get(id) || id;
            return (
              <li key={id}>
                <Name>{name}</Name>
                <Button
                  variant="quiet"
                  icon="cross"
                  aria-label={text('policies.removePerson', { name })}
                  onClick={() => onChange(value.filter((one) => one !== id))}
                />
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
