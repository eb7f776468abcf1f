/** A sign-in provider as the pages speak of it, and as the form writes it. */
import { call, type ReplyOf } from '../../../../data/query.ts';

export type Provider = NonNullable<ReplyOf<'TenantAuthConfigService.List'>['list']>[number];

/** What the form holds. */
export interface ProviderDraft {
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  /** Empty keeps the one that is stored. */
  readonly secret: string;
  readonly trusts: boolean;
  /** Written with commas or spaces between them. */
  readonly domains: string;
  readonly isOn: boolean;
}

/** The address that the provider has to know: where it sends people back. */
export function redirectAddress(id: string): string {
  return `${location.origin}/auth/callback/${id}`;
}

/** Whether people may sign in by it. */
export function isOn({ status }: Provider): boolean {
  return status !== 'AUTH_CONFIG_STATUS_DISABLED';
}

/** Where a provider of any kind is. */
export function placeOf({ oidc, okta, onelogin, pingone, jumpcloud }: Provider): string {
  return oidc?.issuerId ?? okta?.domain ?? onelogin?.domain ?? pingone?.environmentId ?? (jumpcloud === undefined ? '' : 'JumpCloud');
}

/** What the form begins with. */
export function draftOf(provider: Provider | undefined): ProviderDraft {
  return {
    name: provider?.displayName ?? '',
    issuer: provider?.oidc?.issuerId ?? '',
    clientId: provider?.oidc?.oidcClientId ?? '',
    secret: '',
    trusts: provider?.trustsAddresses ?? false,
    domains: (provider?.bootstrapDomains ?? []).join(', '),
    isOn: provider === undefined || isOn(provider),
  };
}

/** Adds a provider, or changes the one with this id, and answers its id. Scopes and claims that another program set stay. */
export async function saveProvider(before: Provider | undefined, draft: ProviderDraft): Promise<string> {
  const stored: Provider['status'] = before !== undefined && isOn(before) ? before.status : 'AUTH_CONFIG_STATUS_ACTIVE';
  const config = {
    displayName: draft.name.trim(),
    bootstrapDomains: draft.domains.split(/[\s,;]+/).filter((one) => one !== ''),
    trustsAddresses: draft.trusts,
    status: draft.isOn ? (stored ?? 'AUTH_CONFIG_STATUS_ACTIVE') : 'AUTH_CONFIG_STATUS_DISABLED',
  } as const;
  const oidc = { issuerId: draft.issuer.trim(), oidcClientId: draft.clientId.trim(), oidcClientSecret: draft.secret };
  if (before === undefined) {
    const made = await call('TenantAuthConfigService.Create', { ...config, oidc });
    return made.authConfig?.id ?? '';
  }
  const isOidc = before.oidc !== undefined;
  const own = isOidc ? ['oidc.issuerId', 'oidc.oidcClientId', 'oidc.oidcClientSecret'] : [];
  await call('TenantAuthConfigService.Update', {
    id: before.id ?? '',
    authConfig: { ...config, ...(isOidc ? { oidc } : {}) },
    updateMask: ['displayName', 'bootstrapDomains', 'trustsAddresses', 'status', ...own].join(','),
  });
  return before.id ?? '';
}
