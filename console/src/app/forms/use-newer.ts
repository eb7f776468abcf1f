/** What is stored changes while a form is open: a form that nobody has touched shows the newer state, and one that somebody has keeps what they wrote. */
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { DefaultValues, FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form';
import type { OtherChange } from '~/data/change.ts';

/** State that a form began with. */
export interface Base<V, S> {
  readonly values: V;
  /** What was read of the server, where the values are not that. */
  readonly stored: S;
}

interface Newer<V, S> {
  readonly base: RefObject<Base<V, S>>;
  /** Somebody else's change because of which this one was refused. */
  readonly other: OtherChange | undefined;
  readonly setOther: (change: OtherChange | undefined) => void;
  /** Takes what stands now, with the fields on top that were written here. */
  readonly mergeNewer: () => void;
}

const textOf = (value: unknown): string => JSON.stringify(value) ?? '';

export function useNewer<V extends FieldValues, S>(form: UseFormReturn<V>, now: Base<V, S>): Newer<V, S> {
  const base = useRef(now);
  const [other, setOther] = useState<OtherChange>();
  const { isDirty, isSubmitting } = form.formState;
  const stored = textOf(now);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is new with every render, what is in it is not
  useEffect(() => {
    if (!isDirty && !isSubmitting && stored !== textOf(base.current)) {
      base.current = now;
      form.reset(now.values as DefaultValues<V>);
    }
  }, [stored, isDirty, isSubmitting]);
  const mergeNewer = (): void => {
    const written = form.getValues();
    const was = base.current.values;
    base.current = now;
    form.reset(now.values as DefaultValues<V>);
    for (const name of Object.keys(written)) {
      if (textOf(written[name]) !== textOf(was[name])) {
        form.setValue(name as Path<V>, written[name] as PathValue<V, Path<V>>, { shouldDirty: true });
      }
    }
  };
  return { base, other, setOther, mergeNewer };
}
