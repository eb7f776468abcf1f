/**
 * Something that is stored, while somebody edits it: the members that they changed, and what those were when they began. A newer state that arrives
 * meanwhile shows in all other members, and never takes away what is edited.
 */
import { useState } from 'react';
import { useUnsaved } from './unsaved.ts';

/** A change to send: the members that are other than they were, as they are to be and as they were read. */
export interface EditedPart<T> {
  readonly wanted: Partial<T>;
  readonly asRead: Partial<T>;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The members that differ from what they were. */
function keepChanged<T extends object>({ wanted, asRead }: EditedPart<T>): EditedPart<T> {
  const names = (Object.keys(wanted) as (keyof T)[]).filter((name) => !isSame(wanted[name], asRead[name]));
  const pick = (from: Partial<T>) => Object.fromEntries(names.map((name) => [name, from[name]])) as Partial<T>;
  return { wanted: pick(wanted), asRead: pick(asRead) };
}

export function useEdited<T extends object>(stored: T) {
  const [part, setPart] = useState<EditedPart<T>>({ wanted: {}, asRead: {} });
  const isChanged = Object.keys(part.wanted).length > 0;
  const giveUp = useUnsaved(isChanged);
  const readNow = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, stored[name as keyof T]])) as Partial<T>;
  return {
    draft: { ...stored, ...part.wanted },
    isChanged,
    /** Lets the page be left, once all is sent. */
    giveUp,
    part,
    set: (members: Partial<T>): void =>
      setPart(({ wanted, asRead }) =>
        keepChanged({ wanted: { ...wanted, ...members }, asRead: { ...readNow(Object.keys(members)), ...asRead } }),
      ),
    /** Gives up what was written. */
    reset: (): void => {
      giveUp();
      setPart({ wanted: {}, asRead: {} });
    },
    /** Puts what was written on top of what is stored now, and returns the change that is left. */
    rebase: (): EditedPart<T> => {
      const next = keepChanged({ wanted: part.wanted, asRead: readNow(Object.keys(part.wanted)) });
      setPart(next);
      return next;
    },
    /** After this much was stored; what was written since stays. */
    saved: (sent: Partial<T>): void =>
      setPart(({ wanted, asRead }) => {
        const known = Object.fromEntries(Object.entries(sent).filter(([name]) => name in wanted)) as Partial<T>;
        return keepChanged({ wanted, asRead: { ...asRead, ...known } });
      }),
  };
}
