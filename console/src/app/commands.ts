/** What the present page can do, for the palette: a page registers its commands while it is shown. */
import { useEffect, useSyncExternalStore } from 'react';
import type { IconName } from '../parts/icon.tsx';

export interface Command {
  readonly label: string;
  /** What it is done to. */
  readonly hint?: string | undefined;
  readonly icon?: IconName | undefined;
  /** The keys that do it without the palette. */
  readonly keys?: string | undefined;
  readonly run: () => void;
}

let all: readonly (readonly Command[])[] = [];
let flat: readonly Command[] = [];
const listeners = new Set<() => void>();

function set(next: readonly (readonly Command[])[]): void {
  all = next;
  flat = next.flat();
  for (const listener of listeners) {
    listener();
  }
}

/** Registers commands; pass the same list until one changes. */
export function useCommands(commands: readonly Command[]): void {
  useEffect(() => {
    set([commands, ...all]);
    return () => set(all.filter((one) => one !== commands));
  }, [commands]);
}

/** The commands of what is shown, the innermost first. */
export function useAllCommands(): readonly Command[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => flat,
  );
}
