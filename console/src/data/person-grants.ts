/** What one person holds and held, in all apps. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { rowsOf, useFurtherPages } from './pages.ts';
import { readPages, type ReplyOf } from './query.ts';

type Reply = ReplyOf<'PersonGrantService.List'>;
/** A grant of a person, with what reviews decided about it. */
export type PersonGrant = NonNullable<Reply['list']>[number];
export type Totals = NonNullable<Reply['totals']>;
export type GrantDecision = NonNullable<PersonGrant['decisions']>[number];

/** Most pages that are read by themselves; a person with more than that is a program. */
const mostPages = 30;

/** All grants of a person. */
export function usePersonGrants(userId: string, includeEnded: boolean) {
  const query = useInfiniteQuery({
    ...readPages('PersonGrantService.List', { userId, includeEnded, pageSize: 100 }),
    enabled: userId !== '',
  });
  const isWhole = useFurtherPages(query, true, mostPages);
  return { query, grants: rowsOf<PersonGrant>(query.data), totals: query.data?.pages[0]?.totals, isWhole };
}

/** Without app access, which follows from what else is held; it stays where an app has nothing else. */
export function withoutDerived(grants: readonly PersonGrant[]): PersonGrant[] {
  const telling = new Set(grants.filter((grant) => grant.isDerived !== true).map((grant) => grant.appId));
  return grants.filter((grant) => grant.isDerived !== true || !telling.has(grant.appId));
}

/** When a grant began: as the source says, else when it appeared here. */
export function beginOf(grant: PersonGrant): string {
  return grant.grantedAt ?? grant.appearedAt ?? '';
}
