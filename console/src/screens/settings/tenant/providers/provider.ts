/** A sign-in provider as the pages speak of it, and as the form writes it. */
import { change } from '~/data/change.ts';
import { call, type ReplyOf } from '~/data/query.ts';
import { splitList } from '~/parts/fields/split-list.ts';

export type Provider = NonNullable<ReplyOf<'TenantAuthConfigService.List'>['list']>[number];

/** Values in the form. */
export interface ProviderDraft {
  readonly displayName: string;
  readonly issuerId: string;
  readonly oidcClientId: string;
  /** Empty keeps the one that is stored. */
  readonly oidcClientSecret: string;
  readonly trustsAddresses: boolean;
  /** Written with commas or spaces between them. */
  readonly bootstrapDomains: string;
  readonly isOn: boolean;
}

/** The address that the provider has to know: where it sends people back. */
export function redirectAddress(id: string): string {
  return `${location.origin}/auth/callback/${id}`;
}

/** True if people may sign in by it. */
export function isOn({ status }: Provider): boolean {
  return status !== 'AUTH_CONFIG_STATUS_DISABLED';
}

/** Locates a provider of any kind. */
export function providerPlace({ oidc, okta, onelogin, pingone, jumpcloud }: Provider): string {
  return oidc?.issuerId ?? okta?.domain ?? onelogin?.domain ?? pingone?.environmentId ?? (jumpcloud === undefined ? '' : 'JumpCloud');
}

/** Starts the form's draft. */
export function draftOf(provider: Provider | undefined): ProviderDraft {
  return {
    displayName: provider?.displayName ?? '',
    issuerId: provider?.oidc?.issuerId ?? '',
    oidcClientId: provider?.oidc?.oidcClientId ?? '',
    oidcClientSecret: '',
    trustsAddresses: provider?.trustsAddresses ?? false,
    bootstrapDomains: (provider?.bootstrapDomains ?? []).join(', '),
    isOn: provider === undefined || isOn(provider),
  };
}

/** Adds a provider, or changes the one with this id, and answers its id. Scopes and claims that another program set stay. */
export async function saveProvider(before: Provider | undefined, draft: ProviderDraft): Promise<string> {
  const stored: Provider['status'] = before !== undefined && isOn(before) ? before.status : 'AUTH_CONFIG_STATUS_ACTIVE';
  const config = {
    displayName: draft.displayName.trim(),
    bootstrapDomains: splitList(draft.bootstrapDomains),
    trustsAddresses: draft.trustsAddresses,
    status: draft.isOn ? (stored ?? 'AUTH_CONFIG_STATUS_ACTIVE') : 'AUTH_CONFIG_STATUS_DISABLED',
  } as const;
  const oidc = { issuerId: draft.issuerId.trim(), oidcClientId: draft.oidcClientId.trim(), oidcClientSecret: draft.oidcClientSecret };
  if (before === undefined) {
    const made = await call('TenantAuthConfigService.Create', { ...config, oidc });
    return made.authConfig?.id ?? '';
  }
  const { oidc: was } = before;
  const isOther = was?.issuerId !== oidc.issuerId || was.oidcClientId !== oidc.oidcClientId || oidc.oidcClientSecret !== '';
  const first = {
    displayName: before.displayName ?? '',
    bootstrapDomains: before.bootstrapDomains ?? [],
    trustsAddresses: before.trustsAddresses ?? false,
    status: before.status,
  };
  const changed = Object.keys(config).filter(
    (name) => String(config[name as keyof typeof config]) !== String(first[name as keyof typeof first]),
  );
  const own = was !== undefined && isOther ? ['oidc.issuerId', 'oidc.oidcClientId', 'oidc.oidcClientSecret'] : [];
  await change(
    'TenantAuthConfigService.Update',
    { id: before.id ?? '', authConfig: { ...config, ...(own.length > 0 ? { oidc } : {}) }, updateMask: [...changed, ...own].join(',') },
    { authConfig: before },
  );
  return before.id ?? '';
}
