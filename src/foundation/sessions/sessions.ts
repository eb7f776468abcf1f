/** Everything about signing in with a browser that a process has one of, put together. app.ts makes it, src/http uses it. */
import { AppError, isAppError } from '../../errors.ts';
import { type Actor, anonymousActor, type Context, type Logger, type React } from '../../context.ts';
import type { Database } from '../../db/types.ts';
import type { OutgoingRules } from '../../lib/outgoing.ts';
import { clientPlace } from '../../lib/place.ts';
import { isIssuedSession } from '../authority/index.ts';
import { createRates, rates as limits } from '../rates/index.ts';
import type { Tenant } from '../tenants/index.ts';
import {
  type FailedSignIn,
  type NoteFailure,
  type Origin,
  createSignInFailures,
  findLimits,
  isSecret,
  makeSecret,
  refusalMessages,
  usualLimits,
} from './session/index.ts';
import {
  type Beginning,
  type Returning,
  type SessionRefusal,
  type ShownProvider,
  type SignInError,
  type SignedIn,
  beginSignIn,
  checkSession,
  createProviderClient,
  endByToken,
  finishSignIn,
  listProviders,
  requireFresh,
} from './sign-in/index.ts';
import {
  type BegunDevice,
  type DeviceError,
  type ShownDevice,
  answerDevice,
  beginDevice,
  deviceError,
  exchangeDevice,
  showDevice,
} from './device/index.ts';
import {
  type LinkOpening,
  type LinkRequest,
  type OpenedLink,
  checkRequest,
  makeMailedLink,
  noteRequest,
  openLink,
  readMailSignIn,
} from './links/index.ts';

/** Parts it is made of. */
export interface SessionParts {
  readonly database: Database;
  readonly log: Logger;
  readonly react: React;
  /** Only tests give one. */
  readonly now?: () => Date;
  /** Places where providers may be; on the internet alone where left out. */
  readonly outgoing?: OutgoingRules;
  /** True if mail leaves this installation. */
  readonly mailsLinks?: boolean;
}

/** Signing in and out, and whose a cookie is. */
export interface Sessions {
  check(tenant: Tenant, token: string, origin: Origin): Promise<Actor | SessionRefusal>;
  /** The same for the token of a program that signed in from a terminal. */
  checkDevice(tenant: Tenant, token: string, origin: Origin): Promise<Actor | SessionRefusal>;
  /** Begins a sign-in from a terminal. See beginDevice. */
  beginDevice(tenant: Tenant, clientId: string, agent: string, origin: Origin): Promise<BegunDevice | DeviceError>;
  /** Answers a program's question. See exchangeDevice. */
  exchangeDevice(tenant: Tenant, clientId: string, deviceCode: string, origin: Origin): Promise<DeviceToken | DeviceError>;
  /** See showDevice; UNAUTHENTICATED without the cookie of a session, RATE_LIMITED for whoever tries many codes. */
  showDevice(tenant: Tenant, cookie: string, userCode: string, origin: Origin): Promise<ShownDevice>;
  /** See answerDevice; the same. */
  answerDevice(tenant: Tenant, cookie: string, userCode: string, isApproved: boolean, origin: Origin): Promise<void>;
  /** Opens a link; the session of `former`, which this browser had before, ends. See openLink. */
  openLink(tenant: Tenant, opening: LinkOpening, former: string, origin: Origin): Promise<OpenedLink>;
  /** True if somebody can have a link sent to them: whether mail leaves this installation. */
  readonly mailsLinks: boolean;
  /** True if mail leaves this installation and the tenant lets anybody sign in by it. */
  showsMail(tenant: Tenant, origin: Origin): Promise<boolean>;
  /** See requireFresh. */
  requireFresh(context: Context): Promise<void>;
  /**
   * Has a link sent to whoever has this address, and returns the secret that the browser keeps for it. It is the same for every address, and takes as
   * long: who that is is looked for afterwards. See checkRequest.
   */
  requestLink(tenant: Tenant, request: LinkRequest, origin: Origin): Promise<string>;
  listProviders(tenant: Tenant, origin: Origin): Promise<ShownProvider[]>;
  /** See beginSignIn. */
  begin(tenant: Tenant, beginning: Beginning, origin: Origin): Promise<{ url: string; browserSecret: string } | SignInError>;
  /** See finishSignIn; the session of `former`, which this browser had before, ends. */
  finish(tenant: Tenant, returning: Returning, former: string, origin: Origin): Promise<SignedIn | SignInError>;
  /** Records that a browser came back from a provider with a state that is not known. */
  noteUnknownState(tenant: Tenant, origin: Origin): Promise<void>;
  /** Says whether there was a session to end. */
  signOut(tenant: Tenant, token: string, origin: Origin): Promise<boolean>;
  /** Waits for links that are being made. */
  close(): Promise<void>;
}

/** The access token of a program, which is the token of its session. */
export interface DeviceToken {
  readonly token: string;
  /** At least so long it is good, if nothing ends its session. */
  readonly expiresInSeconds: number;
}

/** Puts the parts together. */
export function createSessions(parts: SessionParts): Sessions {
  const { database, log, react, now = () => new Date(), outgoing = { allowed: [], allowsLocal: false }, mailsLinks = false } = parts;
  const client = createProviderClient(outgoing);
  const rates = createRates(database, () => now().getTime());
  const failures = createSignInFailures(rates);
  const making = new Set<Promise<void>>();
  // Nobody is known yet while somebody signs in.
  const anonymous = ({ id: tenantId }: Tenant, origin: Origin): Context => ({
    ...{ db: database.tenant(tenantId), tenantId, now: now(), log, react },
    actor: anonymousActor(origin),
  });
  /** Runs a sign-in and records what it notes as refused. RATE_LIMITED where too many were from its place. */
  async function recording<T>(context: Context, run: (note: NoteFailure) => Promise<T>): Promise<T> {
    const noted: FailedSignIn[] = [];
    const [outcome] = await Promise.allSettled([run((one) => noted.push(one))]);
    for (const one of noted) {
      const retryAfterSeconds = await failures.fail(context, one);
      if (retryAfterSeconds > 0) {
        throw new AppError('RATE_LIMITED', 'Too many failed attempts from this address.', { retryAfterSeconds });
      }
    }
    if (outcome.status === 'rejected') {
      throw outcome.reason;
    }
    return outcome.value;
  }
  /** Gives what `answer` makes of RATE_LIMITED in its place. */
  function orBusy<B>(answer: (error: AppError) => B): (error: unknown) => B {
    return (error) => {
      if (isAppError(error, 'RATE_LIMITED')) {
        return answer(error);
      }
      throw error;
    };
  }
  /** The context of whoever is signed in with the cookie, counted as one who looks up a code. */
  async function byCookie(tenant: Tenant, cookie: string, origin: Origin): Promise<Context> {
    const context = anonymous(tenant, origin);
    const actor = await checkSession(context, cookie, origin, mailsLinks);
    if (typeof actor === 'string') {
      throw new AppError('UNAUTHENTICATED', 'You are signed out. Sign in, and open the address again.');
    }
    const { within, retryAfterSeconds } = await rates.count(tenant.id, limits.deviceCodeByPerson, actor.userId);
    if (within === 0) {
      throw new AppError('RATE_LIMITED', `Too many codes were tried. Try again in ${retryAfterSeconds} seconds.`, { retryAfterSeconds });
    }
    return { ...context, actor };
  }
  return {
    checkDevice: (tenant, token, origin) => checkSession(anonymous(tenant, origin), token, origin, mailsLinks, 'header'),
    async beginDevice(tenant, clientId, agent, origin) {
      const byPlace = await rates.count(tenant.id, limits.deviceByPlace, clientPlace(origin.sourceIp));
      const counted = byPlace.within === 0 ? byPlace : await rates.count(tenant.id, limits.deviceByTenant, '');
      if (counted.within === 0) {
        const refusal = deviceError('temporarily_unavailable', 'Too many sign-ins began from this address. Try again later.', 429);
        return { ...refusal, retryAfterSeconds: counted.retryAfterSeconds };
      }
      return beginDevice(anonymous(tenant, origin), clientId, agent);
    },
    async exchangeDevice(tenant, clientId, deviceCode, origin) {
      const context = anonymous(tenant, origin);
      const result = await recording(context, (note) => exchangeDevice(context, clientId, deviceCode, note)).catch(
        orBusy(({ message, retryAfterSeconds = 1 }) => ({
          ...deviceError('temporarily_unavailable', message, 429),
          retryAfterSeconds,
        })),
      );
      if ('error' in result) {
        return result;
      }
      const { idleSeconds } = (await findLimits(context)) ?? usualLimits;
      return { token: result.token, expiresInSeconds: idleSeconds };
    },
    showDevice: async (tenant, cookie, userCode, origin) => showDevice(await byCookie(tenant, cookie, origin), userCode),
    async answerDevice(tenant, cookie, userCode, isApproved, origin) {
      const context = await byCookie(tenant, cookie, origin);
      // The program acts as this person from then on, and usually makes a credential.
      if (isApproved && !isIssuedSession(context.actor)) {
        await requireFresh(context, mailsLinks);
      }
      return answerDevice(context, userCode, isApproved);
    },
    check: (tenant, token, origin) => checkSession(anonymous(tenant, origin), token, origin, mailsLinks),
    async openLink(tenant, opening, former, origin) {
      const context = anonymous(tenant, origin);
      const opened = await recording(context, (note) => openLink(context, opening, note));
      await endByToken(context, former, 'signed_in_again');
      return opened;
    },
    mailsLinks,
    showsMail: async (tenant, origin) => mailsLinks && (await readMailSignIn(anonymous(tenant, origin))).now !== 'NOBODY',
    requireFresh: (context) => requireFresh(context, mailsLinks),
    async requestLink(tenant, request, origin) {
      if (!mailsLinks) {
        throw new AppError('FAILED_PRECONDITION', 'No mail leaves this installation. Ask an administrator for a link.');
      }
      const isWanted = await checkRequest(tenant, request, origin.sourceIp, rates);
      const browserSecret = isSecret(request.browserSecret) ? request.browserSecret : makeSecret();
      if (!isWanted) {
        return browserSecret;
      }
      await noteRequest(tenant, browserSecret, request.email, rates);
      const context = anonymous(tenant, origin);
      const made = recording(context, (note) => makeMailedLink(context, tenant, { ...request, browserSecret }, rates, note))
        .catch(orBusy(() => undefined))
        .catch((error: unknown) => log.error({ err: error, tenantId: tenant.id }, 'a sign-in link could not be made'))
        .finally(() => making.delete(made));
      making.add(made);
      return browserSecret;
    },
    listProviders: (tenant, origin) => listProviders(anonymous(tenant, origin)),
    async begin(tenant, beginning, origin) {
      const { within } = await rates.count(tenant.id, limits.signInByPlace, clientPlace(origin.sourceIp));
      return within > 0 ? beginSignIn(anonymous(tenant, origin), tenant, client, beginning) : 'busy';
    },
    async finish(tenant, returning, former, origin) {
      const context = anonymous(tenant, origin);
      const result = await recording(context, async (note) => {
        const ended = await finishSignIn(context, tenant, client, returning, note);
        if (typeof ended === 'string' && !Object.hasOwn(refusalMessages, ended)) {
          note({ how: 'provider', why: ended, userId: '' });
        }
        return ended;
      }).catch(orBusy(() => 'busy' as const));
      if (typeof result !== 'string') {
        await endByToken(context, former, 'signed_in_again');
      }
      return result;
    },
    async noteUnknownState(tenant, origin) {
      await failures.fail(anonymous(tenant, origin), { how: 'provider', why: 'state', userId: '' });
    },
    signOut: (tenant, token, origin) => endByToken(anonymous(tenant, origin), token, 'signed_out'),
    async close() {
      await Promise.all(making);
    },
  };
}
