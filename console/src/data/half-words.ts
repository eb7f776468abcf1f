/**
 * Words that somebody began to write about a task and has not sent: kept for each task until they are sent or emptied, whatever is looked at meanwhile. They
 * are in this page alone, so the browser asks before it goes; see `leave-question.tsx`.
 */
import { useState } from 'react';
import { signedInAs } from './query.ts';

const kept = new Map<string, string>();

/** True if anything would be lost with the page. */
export const hasHalfWords = (): boolean => kept.size > 0;

/** Forgets all of them, for whoever signs out. */
export const dropHalfWords = (): void => kept.clear();

/** The words of a field about these tasks, and what changes them; words that are emptied are forgotten. */
export function useHalfWords(field: string, taskIds: readonly string[], first = ''): [string, (words: string) => void] {
  const [key] = useState(() => JSON.stringify([signedInAs(), field, ...[...taskIds].sort()]));
  const [words, setWords] = useState(() => kept.get(key) ?? first);
  return [
    words,
    (next) => {
      setWords(next);
      if (next.trim() === '') {
        kept.delete(key);
      } else {
        kept.set(key, next);
      }
    },
  ];
}
