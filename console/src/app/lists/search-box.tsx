/** A field that filters a list: what is typed goes into the address a moment after the last key. */
import { useEffect, useRef, useState } from 'react';
import { SearchField } from '~/parts/fields/search-field.tsx';

interface SearchBoxProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

const pauseMs = 150;

export function SearchBox({ label, value = '', onChange }: SearchBoxProps) {
  const [typed, setTyped] = useState(value);
  const last = useRef(value);
  const change = useRef(onChange);
  change.current = onChange;
  useEffect(() => {
    // The address changed by another way, such as the browser's back.
    if (value !== last.current) {
      last.current = value;
      setTyped(value);
    }
  }, [value]);
  useEffect(() => {
    if (typed === last.current) {
      return undefined;
    }
    const timer = setTimeout(() => {
      last.current = typed.trim();
      change.current(typed.trim() || undefined);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return <SearchField label={label} value={typed} onChange={setTyped} keys="/" />;
}
