/** Answers to a text that is being written: asked 120 ms after the last key; only the last answer counts, and the one before stays until then. */
import { useEffect, useRef, useState } from 'react';

export interface Loaded<T> {
  readonly value: T | undefined;
  readonly state: 'idle' | 'coming' | 'here' | 'failed';
  /** Time the answer took. */
  readonly ms: number;
}

/** Asks for a text; undefined asks for nothing. */
export function useLatest<T>(written: string | undefined, ask: (text: string, signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ value: undefined, state: 'idle', ms: 0 });
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    if (written === undefined) {
      setLoaded({ value: undefined, state: 'idle', ms: 0 });
      return undefined;
    }
    const stop = new AbortController();
    setLoaded((before) => ({ ...before, state: 'coming' }));
    const begin = (): void => {
      const begun = performance.now();
      latest.current(written, stop.signal).then(
        (value) => stop.signal.aborted || setLoaded({ value, state: 'here', ms: Math.round(performance.now() - begun) }),
        () => stop.signal.aborted || setLoaded({ value: undefined, state: 'failed', ms: 0 }),
      );
    };
    const timer = setTimeout(begin, written === '' ? 0 : 120);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [written]);
  return loaded;
}
