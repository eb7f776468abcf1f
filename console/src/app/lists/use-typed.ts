/**
 * What somebody types into a field whose value is in the address. The field has it at once; the address gets it a moment after the last key, or at once by
 * Enter, by leaving the field, and when it is emptied.
 */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';

const pauseMs = 150;

/** Keys that lead on from a field: what was typed holds before anything acts on them. */
const leading: readonly string[] = ['Enter', 'ArrowDown', 'Escape'];

/** Members that the field takes. */
export interface Typed {
  readonly value: string;
  readonly onChange: (typed: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onBlur: () => void;
}

/** Keeps what is typed. `report` gets it without blanks around it, and undefined for nothing. */
export function useTyped(value: string | undefined, report: (value: string | undefined) => void): Typed {
  const stored = value ?? '';
  const [typed, setTyped] = useState(stored);
  const latest = useRef({ typed: stored, reported: stored, report });
  latest.current.report = report;
  /** Reported values that have not come back as the value: it may change to each of them while more is typed. */
  const underway = useRef<string[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    const place = underway.current.indexOf(stored);
    if (place >= 0) {
      underway.current.splice(0, place + 1);
      return;
    }
    // The address changed by another way, such as the browser's Back.
    clearTimeout(timer.current);
    underway.current = [];
    latest.current.typed = stored;
    latest.current.reported = stored;
    setTyped(stored);
  }, [stored]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const flush = (): void => {
    clearTimeout(timer.current);
    const next = latest.current.typed.trim();
    if (next !== latest.current.reported) {
      latest.current.reported = next;
      underway.current.push(next);
      latest.current.report(next || undefined);
    }
  };
  return {
    value: typed,
    onChange: (next) => {
      latest.current.typed = next;
      setTyped(next);
      clearTimeout(timer.current);
      if (next === '') {
        flush();
      } else {
        timer.current = setTimeout(flush, pauseMs);
      }
    },
    onKeyDown: ({ key }) => {
      if (leading.includes(key)) {
        flush();
      }
    },
    onBlur: flush,
  };
}
