/**
 * A number. To the browser it is text: a field for numbers takes `1e3` and `-5`, says nothing of what else stands in it, and the wheel changes it. What is
 * no number within the bounds is not reported, so what is stored stays; the field says so when it is left.
 */
import { useEffect, useRef, useState } from 'react';
import { number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import { Field, type FieldProps } from './field.tsx';
import styles from './field.module.css';

interface CountFieldProps extends FieldProps {
  /** What holds, in digits; empty for none. */
  readonly value: string;
  /** A number within the bounds was written that differs from what holds. */
  readonly onWhole: (value: string) => void;
  /** The field was left empty; without it what held comes back then. */
  readonly onClear?: (() => void) | undefined;
  /** What stands in the field is no such number. For forms that send later, where what held is then not to be sent; without it that goes on to hold. */
  readonly onPartial?: (() => void) | undefined;
  readonly min: number;
  readonly max?: number | undefined;
  /** It may have a decimal fraction. */
  readonly isFraction?: boolean | undefined;
}

/** More digits than any count has. */
const mostDigits = 9;

export function CountField({
  value,
  onWhole,
  onClear,
  onPartial,
  min,
  max = 10 ** mostDigits - 1,
  isFraction = false,
  ...frame
}: CountFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(value);
  /** What is no such number and was left so. */
  const [isLeft, setLeft] = useState(false);
  const reported = useRef(value);
  /** What held before one began to write: `1e2` is 1 on the way. */
  const before = useRef(value);
  useEffect(() => {
    // It changed in another way: an answer of the server, the browser's Back.
    if (value !== reported.current) {
      reported.current = value;
      setTyped(value);
      setLeft(false);
    }
  }, [value]);

  /** The number in digits; undefined where it is none, or out of bounds. */
  const read = (written: string): string | undefined => {
    const digits = written.trim().replace(',', '.');
    const isNumber = (isFraction ? /^\d+(?:\.\d+)?$/ : /^\d+$/).test(digits) && digits.length <= mostDigits;
    return isNumber && Number(digits) >= min && Number(digits) <= max ? String(Number(digits)) : undefined;
  };
  const report = (next: string, tell: () => void): void => {
    if (next !== reported.current) {
      reported.current = next;
      tell();
    }
  };
  const write = (written: string): void => {
    setTyped(written);
    const next = read(written);
    if (next !== undefined) {
      setLeft(false);
      report(next, () => onWhole(next));
    } else if (onPartial !== undefined) {
      report('', onPartial);
    } else if (before.current !== '') {
      report(before.current, () => onWhole(before.current));
    }
  };
  const leave = (): void => {
    if (read(typed) !== undefined) {
      setTyped(reported.current);
    } else if (typed.trim() !== '') {
      setLeft(typed !== value);
    } else if (onClear !== undefined) {
      report('', onClear);
    } else if (onPartial === undefined) {
      setTyped(value);
    }
  };

  const isOpen = typed.trim() !== '' && typed !== value && read(typed) === undefined;
  const bounds = { min, max };
  const wanted = text(isFraction ? 'fields.number' : 'fields.whole', bounds);
  const stands = value === '' ? wanted : `${wanted} ${text('fields.stands', { value: number(Number(value)) })}`;
  useEffect(() => {
    // A form asks its fields before it sends.
    input.current?.setCustomValidity(isOpen ? wanted : '');
  }, [isOpen, wanted]);
  return (
    <Field {...frame} error={isLeft && isOpen ? stands : frame.error}>
      {(binding) => (
        <input
          {...binding}
          ref={input}
          className={styles.input}
          inputMode={isFraction ? 'decimal' : 'numeric'}
          autoComplete="off"
          value={typed}
          onChange={(event) => write(event.target.value)}
          onFocus={() => {
            before.current = value;
          }}
          onBlur={leave}
          onInvalid={(event) => {
            event.preventDefault();
            setLeft(true);
          }}
        />
      )}
    </Field>
  );
}
