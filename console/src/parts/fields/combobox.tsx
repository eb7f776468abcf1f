/** One of very many, found by writing some of its name. What is shown comes from the server as one writes. */
import { Combobox as Base } from '@base-ui/react/combobox';
import { useState } from 'react';
import floating from '~/parts/over/floating.module.css';
import { Icon } from '~/parts/words/icon.tsx';
import { text } from '~/text/text.ts';
import styles from './combobox.module.css';
import { Field, type FieldProps } from './field.tsx';
import fieldStyles from './field.module.css';
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
  // Undefined while the list is closed: then the box shows what is chosen.
  const [written, setWritten] = useState<string>();
  const { options, state } = useOptions(search, written);
  const isOpen = written !== undefined;
  // Whoever writes a name in full and goes on has chosen it, where one alone is called so.
  const takeWritten = async (name: string) => {
    const found = state === 'here' ? options : await search(name, new AbortController().signal).catch(() => []);
    const [same, another] = found.filter(({ label: called }) => called.trim() === name.trim());
    if (same !== undefined && another === undefined) {
      onChange(same);
    }
  };
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error} required={required}>
      {(binding) => (
        <div className={styles.combobox}>
          <Base.Root<Option>
            items={options}
            filter={null}
            autoHighlight
            value={value ?? null}
            itemToStringLabel={(option) => option.label}
            isItemEqualToValue={(one, other) => one.id === other.id}
            onValueChange={(next, { reason }) => {
              // A text that is being written stands for nothing until one of the list is chosen, or the field is left.
              if (reason === 'item-press' && next !== null) {
                setWritten(undefined);
                onChange(next);
              }
            }}
            inputValue={written ?? value?.label ?? ''}
            onInputValueChange={(next, { reason }) => {
              if (reason === 'input-change') {
                setWritten(next);
              }
            }}
            open={isOpen}
            onOpenChange={(next, { reason }) => {
              if (!next && (written ?? '').trim() !== '' && (reason === 'outside-press' || reason === 'focus-out')) {
                void takeWritten(written ?? '');
              }
              setWritten((now) => (next ? (now ?? '') : undefined));
            }}
          >
            <Base.Input
              {...binding}
              // The label is hidden from screen readers while the list is open, as all that is around both.
              aria-label={label}
              className={fieldStyles.input}
              autoComplete="off"
              spellCheck={false}
              placeholder={placeholder}
              autoFocus={autoFocus}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && isOpen) {
                  // It sends no form, and chooses nothing from a list that is about to change.
                  event.preventDefault();
                  if (state !== 'here') {
                    event.preventBaseUIHandler();
                  }
                } else if (event.key === 'Escape' && !isOpen) {
                  // It closes what the field stands in, and does not empty the field.
                  event.preventBaseUIHandler();
                }
              }}
            />
            <Base.Portal>
              <Base.Positioner className={floating.layer} sideOffset={4} align="start">
                <Base.Popup className={floating.list}>
                  <Base.List aria-label={text('parts.choices')}>
                    {options.map((option) => (
                      <Base.Item key={option.id} value={option} className={floating.option}>
                        {option.label}
                        {option.hint === undefined ? null : <small>{option.hint}</small>}
                      </Base.Item>
                    ))}
                  </Base.List>
                  <Base.Status className={floating.said}>
                    {state === 'failed' ? text('parts.searchFailed') : null}
                    {state === 'coming' && options.length === 0 ? text('parts.loading') : null}
                    {state === 'here' && options.length === 0 ? text('parts.nothingFound') : null}
                  </Base.Status>
                </Base.Popup>
              </Base.Positioner>
            </Base.Portal>
          </Base.Root>
          {value === undefined || isOpen ? (
            <span className={styles.sign}>
              <Icon name="down" />
            </span>
          ) : (
            <button
              type="button"
              className={styles.clear}
              aria-label={text('parts.removeWhat', { what: value.label })}
              onClick={() => onChange(undefined)}
            >
              <Icon name="cross" />
            </button>
          )}
        </div>
      )}
    </Field>
  );
}
