/** Narrows the list beside it while one writes. Escape empties it. */
import type { ComponentProps } from 'react';
import styles from './search-field.module.css';
import fieldStyles from './field.module.css';
import { Icon } from '~/parts/words/icon.tsx';
import { Keys, ariaShortcut } from '~/parts/words/keys.tsx';

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The key that leads here. */
  readonly keys?: string | undefined;
  /** The label where absent. */
  readonly placeholder?: string | undefined;
  readonly onKeyDown?: ComponentProps<'input'>['onKeyDown'];
  readonly onBlur?: ComponentProps<'input'>['onBlur'];
}

export function SearchField({ label, value, onChange, keys, placeholder, onKeyDown, onBlur }: SearchFieldProps) {
  return (
    <div className={styles.search}>
      <Icon name="search" />
      <input
        type="search"
        className={fieldStyles.input}
        aria-label={label}
        aria-keyshortcuts={ariaShortcut(keys)}
        placeholder={placeholder ?? label}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
        onKeyDown={(event) => {
          onKeyDown?.(event);
          if (event.key === 'Escape' && value !== '') {
            event.stopPropagation();
            onChange('');
          }
        }}
      />
      {keys === undefined || value !== '' ? null : <Keys keys={keys} />}
    </div>
  );
}
