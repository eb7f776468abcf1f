/** Chosen objects in a row, each of which can be taken away. */
import { Remove } from '~/parts/controls/remove.tsx';
import { text } from '~/text/text.ts';
import styles from './chip-picker.module.css';

interface ChipsProps {
  readonly chosen: readonly { readonly id: string; readonly label: string }[];
  readonly onTakeAway: (id: string) => void;
}

export function Chips({ chosen, onTakeAway }: ChipsProps) {
  return (
    <ul className={styles.chips}>
      {chosen.map(({ id, label }) => (
        <li key={id}>
          {label || id}
          <Remove label={text('scope.takeAway', { name: label || id })} onClick={() => onTakeAway(id)} />
        </li>
      ))}
    </ul>
  );
}
