/** Filter of the list of all credentials, and taking one away by the operation of its kind. */
import { call, forget, type RequestOf } from '~/data/query.ts';
import { text } from '~/text/text.ts';
import type { AllCredentialsSearch } from '~/screens/settings/route.tsx';
import type { OwnedCredential } from './table.tsx';

const dayMs = 86_400_000;

/** The request of what the address says. `now` in milliseconds. */
export function credentialsFilter({ q, kind, show }: AllCredentialsSearch, now: number): RequestOf<'CredentialService.Search'> {
  const inDays = (days: number): string => new Date(now + days * dayMs).toISOString();
  return {
    ...(q === undefined ? {} : { query: q }),
    ...(kind === undefined ? {} : { kind: kind === 'people' ? 'CREDENTIAL_KIND_PERSONAL' : 'CREDENTIAL_KIND_SERVICE' }),
    ...(show === 'soon' ? { state: 'CREDENTIAL_STATE_LIVE', expiresBefore: inDays(30) } : {}),
    ...(show === 'endless' ? { state: 'CREDENTIAL_STATE_WITHOUT_END' } : {}),
    ...(show === 'unused' ? { state: 'CREDENTIAL_STATE_LIVE', unusedSince: inDays(-90) } : {}),
    ...(show === 'ended' ? { state: 'CREDENTIAL_STATE_EXPIRED' } : {}),
  };
}

export const kindOptions = () =>
  [
    { value: '', label: text('allCredentials.everybody') },
    { value: 'people', label: text('allCredentials.people') },
    { value: 'programs', label: text('allCredentials.programs') },
  ] as const;

export const showOptions = () =>
  [
    { value: '', label: text('allCredentials.all') },
    { value: 'soon', label: text('allCredentials.soon') },
    { value: 'endless', label: text('credentials.neverEnds') },
    { value: 'unused', label: text('allCredentials.unused') },
    { value: 'ended', label: text('allCredentials.ended') },
  ] as const;

export async function revoke({ id = '', userId = '', kind }: OwnedCredential): Promise<void> {
  await (kind === 'CREDENTIAL_KIND_SERVICE'
    ? call('ServicePrincipalService.RevokeCredential', { servicePrincipalId: userId, id })
    : call('PersonalClientService.Delete', { id }));
  await forget('CredentialService.Search', 'PersonalClientService.List', 'ServicePrincipalService.ListCredentials');
}
