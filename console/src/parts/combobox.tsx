/** One of very many, found by writing some of its name. What is shown comes from the server as one writes. */
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { text } from '../text/text.ts';
import styles from './combobox.module.css';
import { Field, type FieldProps } from './field.tsx';
import fieldStyles from './field.module.css';
import { Icon } from './icon.tsx';
import { useBelow } from './use-below.ts';
import { type Option, useOptions } from './use-options.ts';

export type { Option } from './use-options.ts';

interface ComboboxProps extends FieldProps {
  readonly value: Option | undefined;
  readonly onChange: (value: Option | undefined) => void;
  /** The options for what was written; all of them, or the first, for nothing. */
  readonly search: (text: string, signal: AbortSignal) => Promise<readonly Option[]>;
  readonly placeholder?: string | undefined;
  readonly autoFocus?: boolean | undefined;
}

export function Combobox({ label, hideLabel, hint, error, required, value, onChange, search, placeholder, autoFocus }: ComboboxProps) {
  const [written, setWritten] = useState<string>();
  const [wanted, setActive] = useState(0);
  const isOpen = written !== undefined;
  const { options, state } = useOptions(search, written);
  const active = Math.max(0, Math.min(wanted, options.length - 1));
  const input = useRef<HTMLInputElement>(null);
  const list = useBelow(input, isOpen);
  const id = useId();
  const choose = (option: Option | undefined): void => {
    setWritten(undefined);
    onChange(option);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!isOpen) {
        setWritten('');
      } else if (options.length > 0) {
        setActive((active + (event.key === 'ArrowDown' ? 1 : options.length - 1)) % options.length);
      }
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault();
      const option = options[active];
      if (option !== undefined && state === 'here') {
        choose(option);
      }
    } else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      setWritten(undefined);
    }
  };
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error} required={required}>
      {(binding) => (
        <div className={styles.combobox}>
          <input
            {...binding}
            ref={input}
            role="combobox"
            className={fieldStyles.input}
            aria-expanded={isOpen}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={isOpen && options.length > 0 ? `${id}-${active}` : undefined}
            autoComplete="off"
            spellCheck={false}
            placeholder={placeholder}
            value={written ?? value?.label ?? ''}
            // biome-ignore lint/a11y/noAutofocus: whoever asks for it has just opened what the field stands in
            autoFocus={autoFocus}
            onClick={() => setWritten(written ?? '')}
            onChange={(event) => {
              setActive(0);
              setWritten(event.target.value);
            }}
            onKeyDown={onKeyDown}
            onBlur={() => setWritten(undefined)}
          />
          {value === undefined || isOpen ? (
            <span className={styles.sign}>
              <Icon name="down" />
            </span>
          ) : (
            <button
              type="button"
              className={styles.clear}
              aria-label={text('parts.removeWhat', { what: value.label })}
              onClick={() => choose(undefined)}
            >
              <Icon name="cross" />
            </button>
          )}
          {/* A press in the list must not take the focus from the input, which would close it. */}
          <div ref={list} popover="manual" className={styles.list} onPointerDown={(event) => event.preventDefault()}>
            <div id={`${id}-list`} role="listbox" aria-label={text('parts.choices')}>
              {options.map((option, index) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the input
                // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input, which names the active option
                <div
                  key={option.id}
                  id={`${id}-${index}`}
                  role="option"
                  className={styles.option}
                  aria-selected={option.id === value?.id}
                  data-active={index === active || undefined}
                  onPointerMove={() => setActive(index)}
                  onClick={() => choose(option)}
                >
                  {option.label}
                  {option.hint === undefined ? null : <small>{option.hint}</small>}
                </div>
              ))}
            </div>
            <div role="status" className={state === 'here' && options.length > 0 ? undefined : styles.said}>
              {isOpen && state === 'failed' ? text('parts.searchFailed') : null}
              {isOpen && state === 'coming' && options.length === 0 ? text('parts.loading') : null}
              {isOpen && state === 'here' && options.length === 0 ? text('parts.nothingFound') : null}
            </div>
          </div>
        </div>
      )}
    </Field>
  );
}
