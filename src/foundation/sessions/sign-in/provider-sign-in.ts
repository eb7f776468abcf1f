/**
 * Signing in by a provider: the browser is sent there with a state of ours, and comes back with it. What went wrong is one of a closed list of
 * codes, which the page for signing in has words for.
 */
import { type Context, inTransaction } from '../../../context.ts';
import { openText, sealText } from '../../../lib/log/seal-text.ts';
import type { Tenant } from '../../tenants/index.ts';
import {
  type NoteFailure,
  type Refusal,
  type StartedSession,
  hashSecret,
  findRefusal,
  isSecret,
  makeSecret,
  matchesDigest,
  ownPathOr,
  startSession,
} from '../session/index.ts';
import { isUsable, providerSettings } from './auth-config.ts';
import { openClientSecret } from './change-auth-configs.ts';
import { linkIdentity } from './link-identity.ts';
import type { Provider, ProviderClient } from './provider-client.ts';
import { recognize, type Unrecognized } from './recognize.ts';
import { type AuthConfigRow, findAuthConfig, listAuthConfigs, lockAuthConfigShared } from './store-auth-configs.ts';
import { insertState, removeOldStates, removeState, type SignInState } from './store-states.ts';

/**
 * Reason a sign-in failed: `busy` is too many at once, `state` is one that is not known, was used, is too old or began in another browser; `denied`
 * the person said at the provider, and `not_fresh` is a provider that did not let them prove anew who they are.
 */
export type SignInError = 'busy' | 'state' | 'provider' | 'denied' | 'not_fresh' | Unrecognized | Refusal;

/** A sign-in lives so long. */
const stateSeconds = 600;
const purpose = 'code verifier';
/** So far may the clock of a provider be behind ours. */
const clockMs = 60_000;
/** Of those that nobody answered, so many go with each new one. */
const maxRemoved = 20;
/** A tenant with more providers is not one that anybody chooses from. */
const maxProviders = 100;

/** A provider as the page for signing in shows it. */
export interface ShownProvider {
  readonly id: string;
  readonly displayName: string;
}

/** The providers by which people may sign in: the default first, then by name. */
export async function listProviders(context: Context): Promise<ShownProvider[]> {
  const rows = (await listAuthConfigs(context, '', maxProviders)).filter(({ document }) => isUsable(document));
  const rank = ({ document }: AuthConfigRow): string => `${document.isDefaultBootstrap === true ? 0 : 1}${String(document.displayName)}`;
  return rows.sort((a, b) => rank(a).localeCompare(rank(b))).map(({ id, document }) => ({ id, displayName: String(document.displayName) }));
}

async function findProvider(context: Context, tenant: Tenant, id: string): Promise<(Provider & ShownProvider) | undefined> {
  const row = await findAuthConfig(context, id);
  if (row === undefined || !isUsable(row.document)) {
    return undefined;
  }
  return {
    ...providerSettings(row.document),
    id,
    displayName: String(row.document.displayName),
    key: `${tenant.id} ${id} ${row.updatedAt.getTime()}`,
    clientSecret: openClientSecret(tenant.secret, row),
  };
}

/** Start of a sign-in. */
export interface Beginning {
  readonly providerId: string;
  /** Path the browser wants afterwards. */
  readonly to: string | undefined;
  /** The secret of the browser's cookie; a new one where it has none. */
  readonly browserSecret: string;
  readonly redirectUri: string;
  /** True if the person is to prove anew who they are. */
  readonly isFresh: boolean;
}

/** The address to send the browser to, and the secret of its cookie; or the code of what went wrong. */
export async function beginSignIn(
  context: Context,
  tenant: Tenant,
  client: ProviderClient,
  beginning: Beginning,
): Promise<{ url: string; browserSecret: string } | SignInError> {
  const provider = await findProvider(context, tenant, beginning.providerId);
  if (provider === undefined) {
    return 'provider';
  }
  const browserSecret = isSecret(beginning.browserSecret) ? beginning.browserSecret : makeSecret();
  const expected = { state: makeSecret(), nonce: makeSecret(), codeVerifier: makeSecret() };
  let url: string;
  try {
    url = await client.begin(provider, beginning.redirectUri, expected, beginning.isFresh);
  } catch (error) {
    context.log.warn({ err: error, providerId: provider.id }, 'an identity provider could not be reached');
    return 'provider';
  }
  await removeOldStates(context, maxRemoved);
  await insertState(context, {
    stateHash: hashSecret(expected.state),
    authConfigId: provider.id,
    browserHash: hashSecret(browserSecret),
    nonce: expected.nonce,
    codeVerifier: sealText(tenant.secret, purpose, expected.nonce, expected.codeVerifier),
    toPath: ownPathOr(beginning.to),
    expiresAt: new Date(context.now.getTime() + stateSeconds * 1000),
    freshSince: beginning.isFresh ? context.now : null,
  });
  return { url, browserSecret };
}

/** Way a browser came back. */
export interface Returning {
  readonly providerId: string;
  readonly returnedTo: URL;
  readonly browserSecret: string;
  /** As the browser names itself. */
  readonly browser: string;
}

/** A sign-in that succeeded. */
export interface SignedIn extends StartedSession {
  readonly toPath: string;
}

/** Takes the state out, whatever comes of it: nothing is answered twice. */
async function takeState(context: Context, { providerId, returnedTo, browserSecret }: Returning): Promise<SignInState | undefined> {
  const state = returnedTo.searchParams.get('state') ?? '';
  const found = isSecret(state) ? await removeState(context, hashSecret(state)) : undefined;
  const isOurs = found !== undefined && found.authConfigId === providerId && matchesDigest(browserSecret, found.browserHash);
  return isOurs && context.now < found.expiresAt ? found : undefined;
}

/** Begins the session of whoever came back; or the code of what went wrong. */
export async function finishSignIn(
  context: Context,
  tenant: Tenant,
  client: ProviderClient,
  returning: Returning,
  note: NoteFailure,
): Promise<SignedIn | SignInError> {
  const state = await takeState(context, returning);
  const { searchParams } = returning.returnedTo;
  if (state === undefined) {
    return 'state';
  }
  if (searchParams.get('error') === 'access_denied') {
    return 'denied';
  }
  const provider = await findProvider(context, tenant, state.authConfigId);
  const codeVerifier = openText(tenant.secret, purpose, state.nonce, state.codeVerifier);
  if (provider === undefined || codeVerifier === undefined) {
    return 'provider';
  }
  let claims: Awaited<ReturnType<ProviderClient['finish']>>;
  try {
    const expected = { state: searchParams.get('state') ?? '', nonce: state.nonce, codeVerifier };
    claims = await client.finish(provider, returning.returnedTo, expected);
  } catch (error) {
    context.log.warn({ err: error, providerId: provider.id }, 'an identity provider gave an answer that does not count');
    return 'provider';
  }
  const { authenticatedAt } = claims;
  const isStale = authenticatedAt === undefined || authenticatedAt.getTime() < (state.freshSince?.getTime() ?? 0) - clockMs;
  if (state.freshSince !== null && isStale) {
    return 'not_fresh';
  }
  return inTransaction(context, async (inside) => {
    // Disabling or removing a provider ends its sessions: none may begin beside that, which this transaction would not see otherwise.
    const held = await lockAuthConfigShared(inside, provider.id);
    if (held === undefined || !isUsable(held.document)) {
      return 'provider';
    }
    const found = await recognize(inside, claims, provider);
    if (typeof found === 'string') {
      return found;
    }
    const { user, isNew } = found;
    const refusal = await findRefusal(inside, user, '');
    if (refusal !== undefined) {
      note({ how: 'provider', why: refusal, userId: user.id });
      return refusal;
    }
    if (isNew) {
      await linkIdentity(inside, { issuer: provider.issuer, subject: claims.subject, provider: provider.displayName }, found);
    }
    // Whoever was signed in at the provider for long has not just proven who they are.
    const provenAt = authenticatedAt === undefined || authenticatedAt > inside.now ? null : authenticatedAt;
    const started = await startSession(inside, { user, issuerId: '', how: 'PROVIDER', provider, browser: returning.browser, provenAt });
    return { ...started, toPath: state.toPath };
  });
}
