/**
 * Something that is stored, while somebody edits it: what they changed, and what it was when they began. A newer state that arrives meanwhile shows
 * where nothing is edited, and never takes away what is.
 */
import { useState } from 'react';
import { useUnsaved } from './unsaved.ts';

interface Edit<T> {
  readonly base: T;
  readonly draft: T;
}

/** A change to send: the members that are other than they were, as they are to be and as they were read. */
export interface EditedPart<T> {
  readonly wanted: Partial<T>;
  readonly asRead: Partial<T>;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

export function useEdited<T extends object>(stored: T, members: readonly (keyof T & string)[]) {
  const [edit, setEdit] = useState<Edit<T>>();
  const { base, draft } = edit ?? { base: stored, draft: stored };
  const listChanged = (now: Edit<T>) => members.filter((member) => !isSame(now.base[member], now.draft[member]));
  const pick = (from: T, names: readonly (keyof T & string)[]) => Object.fromEntries(names.map((name) => [name, from[name]])) as Partial<T>;
  const keep = (next: Edit<T>) => (listChanged(next).length === 0 ? undefined : next);
  const changed = listChanged({ base, draft });
  useUnsaved(changed.length > 0);
  return {
    draft,
    changed,
    set: (part: Partial<T>): void =>
      setEdit((before) => {
        const from = before ?? { base: stored, draft: stored };
        return keep({ base: from.base, draft: { ...from.draft, ...part } });
      }),
    /** Gives up what was written. */
    reset: (): void => setEdit(undefined),
    change: (): EditedPart<T> => ({ wanted: pick(draft, changed), asRead: pick(base, changed) }),
    /** Puts what was written on top of what is stored now, and returns the change that is left. */
    rebase: (): EditedPart<T> => {
      const wanted = pick(draft, changed);
      setEdit(keep({ base: stored, draft: { ...stored, ...wanted } }));
      return { wanted, asRead: pick(stored, changed) };
    },
    /** After this much was stored; what was written since stays. */
    saved: (wanted: Partial<T>): void => setEdit((before) => before && keep({ base: { ...before.base, ...wanted }, draft: before.draft })),
  };
}
