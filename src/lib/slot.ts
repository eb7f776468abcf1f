/** A place that a part of the program leaves open and a later one fills, which it may not import: once, while the program is put together. */

/** Place left open. */
export interface Slot<T> {
  /** Fills it. An error where it is filled already. */
  fill(value: T): void;
  /** Returns what fills it. An error where nothing does. */
  get(): T;
}

/** Leaves a place open; `name` says in errors which it is. */
export function createSlot<T>(name: string): Slot<T> {
  let filled: { readonly value: T } | undefined;
  return {
    fill(value) {
      if (filled !== undefined) {
        throw new Error(`the slot ${name} is filled twice`);
      }
      filled = { value };
    },
    get() {
      if (filled === undefined) {
        throw new Error(`the slot ${name} is not filled: src/slots.ts does that, and nobody imported it`);
      }
      return filled.value;
    },
  };
}
