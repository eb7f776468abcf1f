/**
 * A day, a moment of the reader's zone, or a time of the day. While one writes, a field of a date is often not whole: without its month, or in the year
 * 202. Nothing is reported until it is, so what is stored stays; the field says so when it is left.
 */
import { useEffect, useRef, useState } from 'react';
import { Remove } from '~/parts/controls/remove.tsx';
import { clock, date } from '~/text/format.ts';
import { dayStart, fromLocal } from '~/text/local-time.ts';
import { type DateKind, isWhole } from '~/text/whole-date.ts';
import { text } from '~/text/text.ts';
import styles from './date-field.module.css';
import { Field, type FieldProps } from './field.tsx';
import fieldStyles from './field.module.css';

interface DateFieldProps extends FieldProps {
  /** What holds: YYYY-MM-DD, YYYY-MM-DDTHH:mm or HH:mm; empty for none. */
  readonly value: string;
  /** A whole date was written that differs from what holds. */
  readonly onWhole: (value: string) => void;
  /** No date is to hold. */
  readonly onClear?: (() => void) | undefined;
  /** What stands in the field is not whole. For forms that send later, where what held is then not to be sent; without it that goes on to hold. */
  readonly onPartial?: (() => void) | undefined;
  /** True if what is reported is stored at once: an empty field removes nothing, a button does. */
  readonly isStored?: boolean | undefined;
  readonly kind?: DateKind | undefined;
  readonly autoFocus?: boolean | undefined;
}

/** With years of four digits a fifth one is not taken. */
const latest = { date: '9999-12-31', 'datetime-local': '9999-12-31T23:59', time: undefined } as const;

export function DateField({ value, onWhole, onClear, onPartial, isStored = false, kind = 'date', autoFocus, ...frame }: DateFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(value);
  /** What is not whole and was left so. */
  const [isLeft, setLeft] = useState(false);
  const reported = useRef(value);
  useEffect(() => {
    // It changed in another way: an answer of the server, the browser's Back.
    if (value !== reported.current) {
      reported.current = value;
      setTyped(value);
      setLeft(false);
    }
  }, [value]);

  const report = (next: string, tell: (() => void) | undefined): void => {
    reported.current = next;
    tell?.();
  };
  const write = (next: string): void => {
    setTyped(next);
    const isEmpty = next === '' && input.current?.validity.badInput === false;
    if (isWhole(next, kind)) {
      setLeft(false);
      if (next !== reported.current) {
        report(next, () => onWhole(next));
      }
    } else if (isEmpty && !isStored && onClear !== undefined) {
      setLeft(false);
      report('', onClear);
    } else if (onPartial !== undefined) {
      report('', onPartial);
    }
  };
  const look = (): void => {
    const element = input.current;
    setLeft(element !== null && (element.validity.badInput || (element.value !== value && !isWhole(element.value, kind))));
  };
  const clear = (): void => {
    const element = input.current;
    if (element !== null) {
      // Parts that are not whole are no value: only the element itself can drop them.
      element.value = '';
      element.focus();
    }
    setTyped('');
    setLeft(false);
    report('', onClear);
  };

  const isOpen = typed !== '' && !isWhole(typed, kind);
  useEffect(() => {
    // A form asks its fields before it sends; the browser knows of parts that are missing, not of years.
    input.current?.setCustomValidity(isOpen ? text('parts.dateOpen') : '');
  }, [isOpen]);
  const stands = value === '' ? text('parts.dateOpen') : text('parts.dateStands', { date: sayDate(value, kind) });
  return (
    <Field {...frame} error={isLeft ? stands : frame.error}>
      {(binding) => (
        <span className={styles.date}>
          <input
            {...binding}
            ref={input}
            type={kind}
            max={latest[kind]}
            className={fieldStyles.input}
            value={typed}
            // biome-ignore lint/a11y/noAutofocus: whoever asks for it has just opened what the field stands in
            autoFocus={autoFocus}
            onChange={(event) => write(event.target.value)}
            onBlur={look}
            onInvalid={(event) => {
              event.preventDefault();
              setLeft(true);
            }}
          />
          {isStored && onClear !== undefined && value !== '' ? (
            <Remove label={text('parts.dateRemove', { what: frame.label })} onClick={clear} />
          ) : null}
        </span>
      )}
    </Field>
  );
}

/** What a field says, in words. */
function sayDate(value: string, kind: DateKind): string {
  const moment = kind === 'datetime-local' ? fromLocal(value) : undefined;
  return kind === 'time' ? value : moment === undefined ? date(dayStart(value.slice(0, 10))) : `${date(moment)}, ${clock(moment)}`;
}
