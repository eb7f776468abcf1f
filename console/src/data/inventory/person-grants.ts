/** Access a person holds and held, in all apps. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { pageRows, useFurtherPages } from '~/data/pages.ts';
import { readPages, type ReplyOf } from '~/data/query.ts';

type Reply = ReplyOf<'PersonGrantService.List'>;
/** A grant of a person, with what reviews decided about it. */
export type PersonGrant = NonNullable<Reply['list']>[number];
export type GrantDecision = NonNullable<PersonGrant['decisions']>[number];

/** Most pages that are read by themselves; a person with more than that is a program. */
const maxPages = 30;

/** All grants of a person. */
export function usePersonGrants(userId: string, includeEnded: boolean) {
  const query = useInfiniteQuery({
    ...readPages('PersonGrantService.List', { userId, includeEnded, pageSize: 100 }),
    enabled: userId !== '',
  });
  const isWhole = useFurtherPages(query, true, maxPages);
  return { query, grants: pageRows<PersonGrant>(query.data), totals: query.data?.pages[0]?.totals, isWhole };
}

/** Without app access, which follows from what else is held; it stays where an app has nothing else. */
export function withoutDerived(grants: readonly PersonGrant[]): PersonGrant[] {
  const telling = new Set(grants.filter((grant) => grant.isDerived !== true).map((grant) => grant.appId));
  return grants.filter((grant) => grant.isDerived !== true || !telling.has(grant.appId));
}

/** Start of a grant: as the source says, else when it appeared here. */
export function beginOf(grant: PersonGrant): string {
  return grant.grantedAt ?? grant.appearedAt ?? '';
}
