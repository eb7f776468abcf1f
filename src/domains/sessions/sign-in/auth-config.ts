/**
 * Configuration of an identity provider, by kind: its issuer, its client, what may be wrong with it. Pure. Documents are the JSON of the contract's
 * message, without the secret.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import type { FieldViolation } from '../../../errors.ts';
import { asObject } from '../../../lib/json.ts';
import { getAsciiDomain } from '../../../lib/names/same-address.ts';

/** The kinds that can be used, with where their issuer is and the name of their type. */
const kinds: Readonly<Record<string, { readonly type: string; readonly issuer: (own: JsonObject) => string }>> = {
  oidc: { type: 'OIDC', issuer: ({ issuerId }) => textOf(issuerId) },
  okta: { type: 'OKTA', issuer: ({ domain }) => `https://${textOf(domain)}` },
  onelogin: { type: 'ONELOGIN', issuer: ({ domain }) => `https://${textOf(domain)}/oidc/2` },
  jumpcloud: { type: 'JUMPCLOUD', issuer: () => 'https://oauth.id.jumpcloud.com/' },
  pingone: { type: 'PINGONE', issuer: ({ environmentId }) => `https://auth.pingone.com/${textOf(environmentId)}/as` },
};
/** Kinds of the public product that use its own registration with the provider. */
const foreignKinds: readonly string[] = ['google', 'microsoft', 'c1Local'];

const longestText = 500;
const maxDomains = 100;

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function kindIn(document: JsonObject): string | undefined {
  return Object.keys(kinds).find((kind) => document[kind] !== undefined);
}

/** Configuration that signing in by a provider needs. */
export interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
  readonly exactMatchClaims: Readonly<Record<string, unknown>>;
  readonly trustsAddresses: boolean;
  /** In lower case, by their A-labels; empty: any. */
  readonly domains: readonly string[];
}

/** The settings in a document that was checked. */
export function providerSettings(document: JsonObject): ProviderSettings {
  const kind = kindIn(document) ?? 'oidc';
  const own = asObject(document[kind]);
  const scopes = Array.isArray(own.scopes) ? own.scopes.map(String) : [];
  return {
    issuer: kinds[kind]?.issuer(own) ?? '',
    clientId: textOf(own.oidcClientId),
    scope: [...new Set(['openid', 'email', 'profile', ...scopes])].join(' '),
    exactMatchClaims: asObject(own.exactMatchClaims),
    trustsAddresses: document.trustsAddresses === true,
    domains: (Array.isArray(document.bootstrapDomains) ? document.bootstrapDomains : []).map((one) =>
      getAsciiDomain(String(one)).toLowerCase(),
    ),
  };
}

/** The name of its type on the wire. */
export function providerType(document: JsonObject): string {
  return `AUTH_CONFIG_PROVIDER_TYPE_${kinds[kindIn(document) ?? '']?.type ?? 'UNSPECIFIED'}`;
}

/** True if people may sign in by it. */
export function isUsable(document: JsonObject): boolean {
  return document.status !== 'AUTH_CONFIG_STATUS_DISABLED';
}

/** The document without its secret, and the secret where one was sent. */
export function splitSecret(document: JsonObject): { kept: JsonObject; secret: string } {
  const kind = kindIn(document);
  if (kind === undefined) {
    return { kept: document, secret: '' };
  }
  const { oidcClientSecret, ...own } = asObject(document[kind]);
  return { kept: { ...document, [kind]: own }, secret: textOf(oidcClientSecret) };
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
export function findProblems(document: JsonObject, at: string, allowsLocal: boolean): FieldViolation[] {
  const problems: FieldViolation[] = [];
  const add = (field: string, description: string): void => void problems.push({ field: `${at}${field}`, description });
  if (textOf(document.displayName).trim() === '' || textOf(document.displayName).length > longestText) {
    add('displayName', `must be a name of at most ${longestText} characters: the button for signing in shows it`);
  }
  const domains = Array.isArray(document.bootstrapDomains) ? document.bootstrapDomains : [];
  if (domains.length > maxDomains || domains.some((one) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(getAsciiDomain(String(one))))) {
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
  const own = asObject(document[kind]);
  if (textOf(own.oidcClientId) === '' || textOf(own.oidcClientId).length > longestText) {
    add(`${kind}.oidcClientId`, 'must be the client id that the provider gave you');
  }
  if (textOf(own.oidcClientSecret).length > 4 * longestText) {
    add(`${kind}.oidcClientSecret`, `must not be longer than ${4 * longestText} characters`);
  }
  const isPart = (value: unknown): boolean => /^[A-Za-z0-9.:-]{1,253}$/.test(textOf(value));
  const [field, isGood] =
    kind === 'oidc'
      ? ['issuerId', isIssuer(textOf(own.issuerId), allowsLocal)]
      : kind === 'pingone'
        ? ['environmentId', isPart(own.environmentId)]
        : ['domain', kind === 'jumpcloud' || isPart(own.domain)];
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
