/**
 * Answers of a second review that are not sent: kept in this browser beside the drafts, by tenant, person and review, and taken away when the person
 * signs out. Where a browser refuses storage they live as long as the page.
 */
import { get, set } from 'idb-keyval';
import { useEffect, useState } from 'react';
import { type DraftsOf, getStore, keyOf } from './draft-store.ts';

/** What somebody means to answer to an item. */
export interface Opinion {
  readonly decision: 'REVIEW_DECISION_CERTIFY' | 'REVIEW_DECISION_DENY';
  readonly comment: string;
}

/** By the id of the task. */
export type Opinions = Readonly<Record<string, Opinion>>;

/** The kept answers of a review, and how to keep others. */
export function useOpinions(of: DraftsOf): readonly [Opinions, (next: Opinions) => void] {
  const key = `${keyOf(of)}/second`;
  const [held, setHeld] = useState<Opinions>({});
  useEffect(() => {
    let isCurrent = true;
    get<Opinions>(key, getStore())
      .then((found) => (isCurrent && found !== undefined ? setHeld((now) => ({ ...found, ...now })) : undefined))
      .catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [key]);
  const keep = (next: Opinions): void => {
    setHeld(next);
    set(key, next, getStore()).catch(() => undefined);
  };
  return [held, keep];
}
