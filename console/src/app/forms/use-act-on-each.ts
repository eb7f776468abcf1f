/** Doing something to each of several from a dialog, once however it is asked for: how many are behind, what was refused, and the rest for the next press. */
import { useState } from 'react';
import { useOnceGuard } from '~/data/act.ts';
import { actOnEach, type NotDone } from '~/data/act-on-each.ts';

/** One press of several. */
interface Press<T> {
  readonly act: (one: T) => Promise<unknown>;
  /** Waited for before the rest may be tried again. */
  readonly onActed: () => Promise<unknown>;
}

/** For a dialog that is made anew for each opening. */
export function useActOnEach<T>(all: readonly T[]) {
  const once = useOnceGuard();
  const [left, setLeft] = useState(all);
  const [behind, setBehind] = useState<number>();
  const [done, setDone] = useState(0);
  const [notDone, setNotDone] = useState<readonly NotDone<T>[]>([]);
  /** Does it to those that are left. Returns what came of it, with the count of all that it was done to; undefined while it is under way. */
  const run = ({ act, onActed }: Press<T>) =>
    once('', async () => {
      setBehind(0);
      setNotDone([]);
      const outcome = await actOnEach(left, act, setBehind);
      await onActed();
      const count = done + outcome.done.length;
      setDone(count);
      setLeft(outcome.notDone.map(({ one }) => one));
      setNotDone(outcome.notDone);
      setBehind(undefined);
      return { ...outcome, count };
    });
  return { left, behind, done, notDone, run };
}
