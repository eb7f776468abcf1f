/**
 * Tests whether a provider could be used for signing in: asks it for its description and its keys, and says what is wrong. It stores nothing, and
 * answers nothing of what it read but addresses and statuses.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { asList, asObject, isJsonObject } from '../../../lib/json.ts';
import { ForbiddenDestination, type OutgoingRules } from '../../../lib/outgoing.ts';
import { isIssuer } from './auth-config.ts';
import { createBoundedFetch } from './bounded-fetch.ts';

/** Fault of the provider; see ProviderProblem of the contract. */
export type ProviderProblem = 'ADDRESS' | 'UNREACHABLE' | 'STATUS' | 'DOCUMENT' | 'ISSUER' | 'FLOW' | 'KEYS';

/** Result of the test. */
export type ProviderTest =
  | { readonly problem: ProviderProblem; readonly detail: string }
  | { readonly problem: undefined; readonly authorizationEndpoint: string };

const longestDetail = 500;

function found(problem: ProviderProblem, detail: string): ProviderTest {
  return { problem, detail: detail.slice(0, longestDetail) };
}

/** The JSON object at an address, or what is wrong with it. */
async function readObject(address: string, rules: OutgoingRules): Promise<JsonObject | ProviderTest> {
  let response: Response;
  try {
    response = await createBoundedFetch(rules)(address, {});
  } catch (error) {
    return found('UNREACHABLE', error instanceof ForbiddenDestination ? `${address}: ${error.message}` : address);
  }
  if (response.status !== 200) {
    return found('STATUS', String(response.status));
  }
  try {
    const body: unknown = await response.json();
    return isJsonObject(body) ? body : found('DOCUMENT', address);
  } catch {
    return found('DOCUMENT', address);
  }
}

function isProblem(value: JsonObject | ProviderTest): value is ProviderTest {
  return 'problem' in value && 'detail' in value;
}

const endpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

/** True if two spell the same issuer, as a sign-in compares them. */
function isSame(one: unknown, other: string): boolean {
  return typeof one === 'string' && URL.canParse(one) && new URL(one).href === new URL(other).href;
}

/** Tests the provider of this issuer; the rules say where it may be. */
export async function testProvider(issuer: string, rules: OutgoingRules): Promise<ProviderTest> {
  const { allowsLocal } = rules;
  if (!isIssuer(issuer, allowsLocal)) {
    return found('ADDRESS', issuer);
  }
  const document = await readObject(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, rules);
  if (isProblem(document)) {
    return document;
  }
  if (document.issuer === undefined) {
    return found('DOCUMENT', '');
  }
  if (!isSame(document.issuer, issuer)) {
    return found('ISSUER', String(document.issuer));
  }
  const flows = document.response_types_supported;
  const missing = endpoints.find((name) => {
    const address = document[name];
    return typeof address !== 'string' || !URL.canParse(address) || !isIssuer(new URL(address).origin, allowsLocal);
  });
  if (missing !== undefined || (Array.isArray(flows) && !flows.includes('code'))) {
    return found('FLOW', missing ?? 'response_types_supported');
  }
  const keys = await readObject(String(document.jwks_uri), rules);
  if (isProblem(keys) || !asList(keys.keys).some((key) => typeof asObject(key).kty === 'string')) {
    return found('KEYS', String(document.jwks_uri));
  }
  return { problem: undefined, authorizationEndpoint: String(document.authorization_endpoint) };
}
