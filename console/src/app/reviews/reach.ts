/** Whether those whom a review asks learn of it, and can come in to answer. */
import { useQuery } from '@tanstack/react-query';
import { read } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { waysInQuery } from '~/data/session/sign-in.ts';

export interface Ways {
  /** False until it was read. */
  readonly isKnown: boolean;
  readonly mailLeaves: boolean;
  /** True if people sign in without an administrator: through a provider, or by a link in a mail. */
  readonly signsIn: boolean;
}

/** The ways to and from reviewers as they are now. */
export function useWays(): Ways {
  const maySee = useMay('settings.read');
  const ways = useQuery(waysInQuery);
  const able = useQuery({ ...read('TenantEmailProviderService.GetEmailCapabilities', {}), enabled: maySee });
  return {
    isKnown: ways.isSuccess && (!maySee || able.isFetched),
    mailLeaves: able.data === undefined ? ways.data?.mailLinks === true : able.data.externalEmailSupported === true,
    signsIn: (ways.data?.providers ?? []).length > 0 || ways.data?.mailLinks === true,
  };
}
