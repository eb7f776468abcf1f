/**
 * Configuration of an identity provider, by kind: its issuer, its client, what may be wrong with it. Pure. Documents are the JSON of the contract's
 * message, without the secret.
 */
import type { FieldViolation } from '../../../errors.ts';
import type {
  AuthConfigOIDCJson,
  AuthConfigOktaJson,
  AuthConfigPingOneJson,
  TenantAuthConfigJson,
} from '../../../gen/c1/api/auth_config/v1/auth_config_pb.js';
import { getAsciiDomain } from '../../../lib/names/same-address.ts';

/** Members of all kinds; each kind has some of them. */
type Own = AuthConfigOIDCJson & AuthConfigOktaJson & AuthConfigPingOneJson;

/** The kinds that can be used, with where their issuer is and the name of their type. */
const kinds = {
  oidc: { type: 'OIDC', issuer: ({ issuerId = '' }: Own) => issuerId },
  okta: { type: 'OKTA', issuer: ({ domain = '' }: Own) => `https://${domain}` },
  onelogin: { type: 'ONELOGIN', issuer: ({ domain = '' }: Own) => `https://${domain}/oidc/2` },
  jumpcloud: { type: 'JUMPCLOUD', issuer: () => 'https://oauth.id.jumpcloud.com/' },
  pingone: { type: 'PINGONE', issuer: ({ environmentId = '' }: Own) => `https://auth.pingone.com/${environmentId}/as` },
} as const;
const kindNames = Object.keys(kinds) as (keyof typeof kinds)[];
/** Kinds of the public product that use its own registration with the provider. */
const foreignKinds = ['google', 'microsoft', 'c1Local'] as const;

const longestText = 500;
const maxDomains = 100;

const kindIn = (document: TenantAuthConfigJson) => kindNames.find((kind) => document[kind] !== undefined);

/** Configuration that signing in by a provider needs. */
export interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
  readonly exactMatchClaims: Readonly<Record<string, string>>;
  readonly trustsAddresses: boolean;
  /** In lower case, by their A-labels; empty: any. */
  readonly domains: readonly string[];
}

/** The settings in a document that was checked. */
export function providerSettings(document: TenantAuthConfigJson): ProviderSettings {
  const kind = kindIn(document) ?? 'oidc';
  const own: Own = document[kind] ?? {};
  return {
    issuer: kinds[kind].issuer(own),
    clientId: own.oidcClientId ?? '',
    scope: [...new Set(['openid', 'email', 'profile', ...(own.scopes ?? [])])].join(' '),
    exactMatchClaims: own.exactMatchClaims ?? {},
    trustsAddresses: document.trustsAddresses === true,
    domains: (document.bootstrapDomains ?? []).map((one) => getAsciiDomain(one).toLowerCase()),
  };
}

/** The name of its type on the wire. */
export function providerType(document: TenantAuthConfigJson) {
  const kind = kindIn(document);
  return kind === undefined ? 'UNSPECIFIED' : kinds[kind].type;
}

/** True if people may sign in by it. */
export function isUsable(document: TenantAuthConfigJson): boolean {
  return document.status !== 'AUTH_CONFIG_STATUS_DISABLED';
}

/** The document without its secret, and the secret where one was sent. */
export function splitSecret(document: TenantAuthConfigJson): { kept: TenantAuthConfigJson; secret: string } {
  const kind = kindIn(document);
  if (kind === undefined) {
    return { kept: document, secret: '' };
  }
  const { oidcClientSecret: secret = '', ...own }: Own = document[kind] ?? {};
  return { kept: { ...document, [kind]: own }, secret };
}

/** True if a URL may be an issuer: https, or plain http on this machine where that is allowed. */
export function isIssuer(text: string, allowsLocal: boolean): boolean {
  if (!URL.canParse(text)) {
    return false;
  }
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  const isLocal = allowsLocal && protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return (protocol === 'https:' || isLocal) && `${username}${password}${search}${hash}` === '' && !/[?#]/.test(text);
}

/** All that is wrong with a document; `at` is what its fields are named under. */
export function findProblems(document: TenantAuthConfigJson, at: string, allowsLocal: boolean): FieldViolation[] {
  const problems: FieldViolation[] = [];
  const add = (field: string, description: string): void => void problems.push({ field: `${at}${field}`, description });
  const { displayName = '', bootstrapDomains: domains = [] } = document;
  if (displayName.trim() === '' || displayName.length > longestText) {
    add('displayName', `must be a name of at most ${longestText} characters: the button for signing in shows it`);
  }
  if (domains.length > maxDomains || domains.some((one) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(getAsciiDomain(one)))) {
    add('bootstrapDomains', `must be domains such as example.com, at most ${maxDomains}`);
  }
  const kind = kindIn(document);
  if (kind === undefined) {
    const foreign = foreignKinds.find((name) => document[name] !== undefined);
    add(
      foreign ?? 'oidc',
      foreign === undefined
        ? 'is missing: name the provider with oidc, okta, onelogin, jumpcloud or pingone'
        : 'cannot be used: it has no client of yours. Register one with the provider and use oidc with its issuer',
    );
    return problems;
  }
  const { oidcClientId = '', oidcClientSecret = '', issuerId = '', environmentId, domain }: Own = document[kind] ?? {};
  if (oidcClientId === '' || oidcClientId.length > longestText) {
    add(`${kind}.oidcClientId`, 'must be the client id that the provider gave you');
  }
  if (oidcClientSecret.length > 4 * longestText) {
    add(`${kind}.oidcClientSecret`, `must not be longer than ${4 * longestText} characters`);
  }
  const isPart = (value = ''): boolean => /^[A-Za-z0-9.:-]{1,253}$/.test(value);
  const [field, isGood] =
    kind === 'oidc'
      ? ['issuerId', isIssuer(issuerId, allowsLocal)]
      : kind === 'pingone'
        ? ['environmentId', isPart(environmentId)]
        : ['domain', kind === 'jumpcloud' || isPart(domain)];
  if (!isGood) {
    add(`${kind}.${field}`, kind === 'oidc' ? 'must be an https URL without query and fragment' : 'must be as the provider shows it');
  }
  if (
    providerSettings(document)
      .scope.split(' ')
      .some((scope) => !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))
  ) {
    add(`${kind}.scopes`, 'must be names of scopes, without spaces');
  }
  return problems;
}
