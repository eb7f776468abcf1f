/** Check that people whom a review asks get mails, and can come in to answer. */
import { useQuery } from '@tanstack/react-query';
import { call, read } from '~/data/query.ts';
import type { Preview } from '~/data/reviews/review.ts';
import { useMay } from '~/data/session/session.ts';
import { waysInQuery } from '~/data/session/sign-in.ts';

export interface Reach {
  /** False until it was read. */
  readonly isKnown: boolean;
  readonly mailLeaves: boolean;
  /** True if there is a way to sign in at all. */
  readonly anybodySignsIn: boolean;
  /** Names of those who are asked and have no address: they get no mail, and nothing to sign in by. */
  readonly withoutAddress: readonly string[];
}

export function useReach(preview: Preview): Reach {
  const maySee = useMay('settings.read');
  const ways = useQuery(waysInQuery);
  const able = useQuery({ ...read('TenantEmailProviderService.GetEmailCapabilities', {}), enabled: maySee });
  const ids = (preview.reviewers ?? []).map(({ userId }) => userId ?? '').slice(0, 100);
  const people = useQuery({
    queryKey: ['asked-people', ids] as const,
    enabled: ids.length > 0,
    queryFn: ({ signal }) => call('UserService.Search', { ids, pageSize: 100 }, { signal }),
  });
  const withoutAddress = (people.data?.list ?? [])
    .filter(({ user }) => (user?.email ?? '') === '')
    .map(({ user }) => user?.displayName || user?.username || '');
  return {
    isKnown: ways.isSuccess && (!maySee || able.isFetched) && (ids.length === 0 || people.isFetched),
    mailLeaves: able.data === undefined ? ways.data?.mailLinks === true : able.data.externalEmailSupported === true,
    anybodySignsIn: (ways.data?.providers ?? []).length > 0 || ways.data?.mailLinks === true,
    withoutAddress,
  };
}
