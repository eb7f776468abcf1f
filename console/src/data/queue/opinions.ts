/**
 * Answers of a second review that are not sent: sealed in this browser beside the drafts, by tenant, person and review, and taken away when the person
 * signs out. Where a browser refuses storage they live as long as the page.
 */
import { useEffect, useMemo, useState } from 'react';
import { changeKept, type DraftsOf, readKept } from './draft-store.ts';
import { useSession } from '~/data/session/session.ts';

/** Answer somebody means to give to an item. */
export interface Opinion {
  readonly decision: 'REVIEW_DECISION_CERTIFY' | 'REVIEW_DECISION_DENY';
  readonly comment: string;
}

/** By the id of the task. */
export type Opinions = Readonly<Record<string, Opinion>>;

/** The kept answers of a review, and how to keep others. */
export function useOpinions(reviewId: string): readonly [Opinions, (next: Opinions) => void] {
  const session = useSession();
  const { tenantId, userId, draftKey } = session ?? {};
  const of = useMemo(
    (): DraftsOf | undefined =>
      tenantId === undefined || userId === undefined || draftKey === undefined ? undefined : { tenantId, userId, draftKey, reviewId },
    [tenantId, userId, draftKey, reviewId],
  );
  const [held, setHeld] = useState<Opinions>({});
  useEffect(() => {
    if (of === undefined) {
      return undefined;
    }
    let isCurrent = true;
    readKept<Opinions>(of, 'second')
      .then((found) => (isCurrent && found !== undefined ? setHeld((now) => ({ ...found, ...now })) : undefined))
      .catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [of]);
  const keep = (next: Opinions): void => {
    setHeld(next);
    if (of !== undefined) {
      changeKept<Opinions>(of, 'second', () => next).catch(() => undefined);
    }
  };
  return [held, keep];
}
