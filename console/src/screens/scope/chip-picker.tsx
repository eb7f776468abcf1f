/** A list of chosen objects as chips, each of which can be taken away, and a field that finds more. */
import { useState } from 'react';
import { Combobox, type Option } from '~/parts/fields/combobox.tsx';
import { Chips } from './chips.tsx';
import styles from './chip-picker.module.css';

interface ChipPickerProps {
  readonly label: string;
  readonly addLabel: string;
  readonly chosen: readonly Option[];
  readonly search: (text: string, signal: AbortSignal) => Promise<readonly Option[]>;
  readonly onChange: (chosen: readonly Option[]) => void;
  readonly error?: string | undefined;
}

export function ChipPicker({ label, addLabel, chosen, search, onChange, error }: ChipPickerProps) {
  // A new field after each choice: what was written in the last one is over.
  const [round, setRound] = useState(0);
  const isChosen = new Set(chosen.map(({ id }) => id));
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      {chosen.length === 0 ? null : <Chips chosen={chosen} onTakeAway={(gone) => onChange(chosen.filter(({ id }) => id !== gone))} />}
      <Combobox
        key={round}
        label={addLabel}
        hideLabel
        placeholder={addLabel}
        value={undefined}
        error={error}
        search={async (words, signal) => (await search(words, signal)).filter(({ id }) => !isChosen.has(id))}
        onChange={(option) => {
          if (option !== undefined) {
            setRound(round + 1);
            onChange([...chosen, option]);
          }
        }}
      />
    </fieldset>
  );
}
