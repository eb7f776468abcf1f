/** Forms with something that is not saved: who leaves is asked once about all of them. */
import { useEffect, useRef } from 'react';

const unsaved = new Set<object>();

/** True if any form holds what would be lost. */
export const hasUnsaved = (): boolean => unsaved.size > 0;

/** Nothing of it is wanted any more. */
export const giveUpUnsaved = (): void => unsaved.clear();

/** Notes that this form holds something, for as long as it does. Returns what ends that at once, for a form that leaves when it was sent. */
export function useUnsaved(isUnsaved: boolean): () => void {
  const form = useRef({});
  useEffect(() => {
    const { current } = form;
    if (isUnsaved) {
      unsaved.add(current);
    }
    return () => void unsaved.delete(current);
  }, [isUnsaved]);
  return () => void unsaved.delete(form.current);
}
