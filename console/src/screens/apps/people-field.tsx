/** Choosing several people: those chosen, each with the way to remove them, and a field that finds more. */
import { useState } from 'react';
import { type Choice, findPeople } from '../../data/inventory.ts';
import { Button } from '../../parts/button.tsx';
import { Combobox } from '../../parts/combobox.tsx';
import { Name } from '../../parts/name.tsx';
import { text } from '../../text/text.ts';
import styles from './apps.module.css';

interface PeopleFieldProps {
  readonly label: string;
  readonly value: readonly Choice[];
  readonly onChange: (value: readonly Choice[]) => void;
  readonly error?: string | undefined;
}

export function PeopleField({ label, value, onChange, error }: PeopleFieldProps) {
  const [round, setRound] = useState(0);
  const add = (person: Choice | undefined | null) => {
    if (person && !value.some(({ id }) => id === person.id)) {
      onChange([...value, person]);
      setRound(round + 1);
    }
  };
  return (
    <div className={styles.chosen}>
      <Combobox
        key={round}
        label={label}
        value={undefined}
        onChange={add}
        search={findPeople}
        placeholder={text('apps.findPerson')}
        {...(error === undefined ? {} : { error })}
      />
      <ul className={styles.chosen}>
        {value.map((person) => (
          <li key={person.id}>
            <Name>{person.label}</Name>
            <Button variant="quiet" onClick={() => onChange(value.filter(({ id }) => id !== person.id))}>
              {text('apps.remove')}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
