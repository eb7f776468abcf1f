/** Values of the whole page that components follow: what is open over it, whether it is connected. */
import { useSyncExternalStore } from 'react';

/** A value that is shared; components that use it render again when it is set. */
export interface SharedValue<T> {
  read(): T;
  set(next: T): void;
  useValue(): T;
}

/** Shares a value that begins as this. */
export function shareValue<T>(first: T): SharedValue<T> {
  let value = first;
  const listeners = new Set<() => void>();
  const listen = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const read = (): T => value;
  return {
    read,
    set(next) {
      value = next;
      for (const listener of listeners) {
        listener();
      }
    },
    useValue: () => useSyncExternalStore(listen, read),
  };
}
