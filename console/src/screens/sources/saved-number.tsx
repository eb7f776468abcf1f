/** A whole number of a source, with the button that saves it. */
import { ClientError } from '~/data/query.ts';
import { Button } from '~/parts/controls/button.tsx';
import { CountField } from '~/parts/fields/count-field.tsx';
import { text } from '~/text/text.ts';
import styles from './sources.module.css';

interface Props {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly value: string;
  /** The number as it is saved. */
  readonly saved: string;
  readonly onChange: (value: string) => void;
  /** Sentence for a value that is no such number. */
  readonly wrong: string;
  readonly save: { readonly isPending: boolean; readonly error: Error | null };
  readonly onSave: () => void;
}

/** True for a whole number within the bounds, as it is typed. */
function isWithin(value: string, min: number, max: number): boolean {
  return /^\d+$/.test(value) && value.length <= String(max).length && Number(value) >= min && Number(value) <= max;
}

export function SavedNumber({ label, min, max, value, saved, onChange, wrong, save, onSave }: Props) {
  const isNumber = isWithin(value, min, max);
  const failure = save.error instanceof ClientError ? (save.error.violations[0]?.description ?? save.error.message) : undefined;
  return (
    <div className={styles.row}>
      <CountField
        label={label}
        min={min}
        max={max}
        value={value}
        onWhole={onChange}
        onPartial={() => onChange('')}
        error={isNumber ? failure : wrong}
      />
      <Button
        busy={save.isPending}
        disabledReason={!isNumber ? wrong : value === saved ? text('source.nothingNew') : undefined}
        onClick={onSave}
      >
        {text('source.save')}
      </Button>
    </div>
  );
}
