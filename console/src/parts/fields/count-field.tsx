/** A whole number that is stored, or goes into an address, while it is written. What is not one on the way stays in the field. */
import { useEffect, useRef, useState } from 'react';
import type { FieldProps } from './field.tsx';
import { TextField } from './text-field.tsx';

interface CountFieldProps extends FieldProps {
  /** What holds; empty for none. */
  readonly value: string;
  /** A whole number within the bounds was written that differs from what holds. */
  readonly onWhole: (value: string) => void;
  /** The field was left empty; without it what held comes back then. */
  readonly onClear?: (() => void) | undefined;
  readonly min: number;
  readonly max?: number | undefined;
}

/** More digits than any count has. */
const mostDigits = 9;

export function CountField({ value, onWhole, onClear, min, max = 10 ** mostDigits - 1, ...frame }: CountFieldProps) {
  const [typed, setTyped] = useState(value);
  const reported = useRef(value);
  useEffect(() => {
    // It changed in another way: an answer of the server, the browser's Back.
    if (value !== reported.current) {
      reported.current = value;
      setTyped(value);
    }
  }, [value]);
  const isWhole = (written: string): boolean =>
    /^\d+$/.test(written) && written.length <= mostDigits && Number(written) >= min && Number(written) <= max;
  const write = (written: string): void => {
    setTyped(written);
    if (isWhole(written) && written !== reported.current) {
      reported.current = written;
      onWhole(written);
    }
  };
  const leave = (): void => {
    if (typed === '' && onClear !== undefined && value !== '') {
      reported.current = '';
      onClear();
    } else if (!isWhole(typed)) {
      setTyped(value);
    }
  };
  return <TextField {...frame} type="number" min={min} max={max} value={typed} onChange={write} onBlur={leave} />;
}
