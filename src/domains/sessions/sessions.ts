/** Everything about signing in with a browser that a process has one of, put together. app.ts makes it, src/http uses it. */
import { AppError, isAppError } from '../../errors.ts';
import { type Actor, anonymousActor, type Context, type Logger, type React } from '../../context.ts';
import type { Database } from '../../db/types.ts';
import type { OutgoingRules } from '../../lib/outgoing.ts';
import { clientPlace } from '../../lib/place.ts';
import { isIssuedSession } from '../authority/index.ts';
import { createRates, rates as limits } from '../rates/index.ts';
import type { Tenant } from '../tenants/index.ts';
import { type Origin, findLimits, isSecret, makeSecret, recordFailure, refusalMessages, usualLimits } from './session/index.ts';
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
  const making = new Set<Promise<void>>();
  // Nobody is known yet while somebody signs in.
  const anonymous = ({ id: tenantId }: Tenant, origin: Origin): Context => ({
    ...{ db: database.tenant(tenantId), tenantId, now: now(), log, react },
    actor: anonymousActor(origin),
  });
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
      const result = await exchangeDevice(context, clientId, deviceCode);
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
      const opened = await openLink(context, opening).catch(async (error: unknown) => {
        if (isAppError(error, 'UNAUTHENTICATED')) {
          await recordFailure(context, rates, 'link', 'spent');
        }
        throw error;
      });
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
      const made = makeMailedLink(anonymous(tenant, origin), tenant, { ...request, browserSecret })
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
      const result = await finishSignIn(context, tenant, client, returning);
      if (typeof result !== 'string') {
        await endByToken(context, former, 'signed_in_again');
      } else if (!Object.hasOwn(refusalMessages, result)) {
        await recordFailure(context, rates, 'provider', result);
      }
      return result;
    },
    signOut: (tenant, token, origin) => endByToken(anonymous(tenant, origin), token, 'signed_out'),
    async close() {
      await Promise.all(making);
    },
  };
}
