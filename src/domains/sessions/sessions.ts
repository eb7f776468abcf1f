/** Everything about signing in with a browser that a process has one of, put together. app.ts makes it, src/http uses it. */
import { AppError } from '../../errors.ts';
import type { Actor, Context, Logger, React } from '../../context.ts';
import type { Database } from '../../db/types.ts';
import type { Tenant } from '../tenants/index.ts';
import type { Origin } from './admit.ts';
import { checkSession, endByToken, type SessionRefusal } from './check-session.ts';
import { checkRequest, type LinkRequest, makeMailedLink } from './mailed-links.ts';
import { createPace } from './pace.ts';
import { createProviderClient } from './provider-client.ts';
import {
  type Beginning,
  beginSignIn,
  finishSignIn,
  listProviders,
  type Returning,
  type ShownProvider,
  type SignedIn,
  type SignInError,
} from './provider-sign-in.ts';
import { type LinkOpening, type OpenedLink, openLink } from './sign-in-links.ts';
import { isSecret, makeSecret } from './token.ts';

const minuteMs = 60_000;
const tenMinutesMs = 600_000;
/** Sign-ins by providers that begin from one address in a minute: an office may share one. */
const mostBeginnings = 120;

/** What it is made of. */
export interface SessionParts {
  readonly database: Database;
  readonly log: Logger;
  readonly react: React;
  /** Only tests give one. */
  readonly now?: () => Date;
  /** Whether providers may be on this machine over plain http; only tests say so. */
  readonly allowsLocal?: boolean;
  /** Whether mail leaves this installation. */
  readonly mailsLinks?: boolean;
}

/** Signing in and out, and whose a cookie is. */
export interface Sessions {
  check(tenant: Tenant, token: string, origin: Origin): Promise<Actor | SessionRefusal>;
  /** Opens a link; the session of `former`, which this browser had before, ends. See openLink. */
  openLink(tenant: Tenant, opening: LinkOpening, former: string, origin: Origin): Promise<OpenedLink>;
  /** Whether somebody can have a link sent to them: whether mail leaves this installation. */
  readonly mailsLinks: boolean;
  /**
   * Has a link sent to whoever has this address, and returns the secret that the browser keeps for it. It is the same for every address, and takes as
   * long: who that is is looked for afterwards. See checkRequest.
   */
  requestLink(tenant: Tenant, request: LinkRequest, origin: Origin): string;
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

/** Puts the parts together. */
export function createSessions(parts: SessionParts): Sessions {
  const { database, log, react, now = () => new Date(), allowsLocal = false, mailsLinks = false } = parts;
  const client = createProviderClient(allowsLocal);
  const beginnings = createPace(mostBeginnings, minuteMs, () => now().getTime());
  const milliseconds = () => now().getTime();
  const paces = { byAddress: createPace(3, tenMinutesMs, milliseconds), byPlace: createPace(60, tenMinutesMs, milliseconds) };
  const making = new Set<Promise<void>>();
  // Nobody is known yet while somebody signs in.
  const anonymous = ({ id: tenantId }: Tenant, origin: Origin): Context => ({
    ...{ db: database.tenant(tenantId), tenantId, now: now(), log, react },
    actor: { kind: 'anonymous', userId: '', credentialId: '', issuerId: '', roles: new Set(), ...origin },
  });
  return {
    check: (tenant, token, origin) => checkSession(anonymous(tenant, origin), token, origin),
    async openLink(tenant, opening, former, origin) {
      const context = anonymous(tenant, origin);
      const opened = await openLink(context, opening);
      await endByToken(context, former, 'signed_in_again');
      return opened;
    },
    mailsLinks,
    requestLink(tenant, request, origin) {
      if (!mailsLinks) {
        throw new AppError('FAILED_PRECONDITION', 'No mail leaves this installation. Ask an administrator for a link.');
      }
      checkRequest(tenant, request.email, origin.sourceIp, paces);
      const browserSecret = isSecret(request.browserSecret) ? request.browserSecret : makeSecret();
      const made = makeMailedLink(anonymous(tenant, origin), tenant, { ...request, browserSecret })
        .catch((error: unknown) => log.error({ err: error, tenantId: tenant.id }, 'a sign-in link could not be made'))
        .finally(() => making.delete(made));
      making.add(made);
      return browserSecret;
    },
    listProviders: (tenant, origin) => listProviders(anonymous(tenant, origin)),
    begin: async (tenant, beginning, origin) =>
      beginnings.take(`${tenant.id} ${origin.sourceIp}`) ? beginSignIn(anonymous(tenant, origin), tenant, client, beginning) : 'busy',
    async finish(tenant, returning, former, origin) {
      const context = anonymous(tenant, origin);
      const result = await finishSignIn(context, tenant, client, returning);
      if (typeof result !== 'string') {
        await endByToken(context, former, 'signed_in_again');
      }
      return result;
    },
    signOut: (tenant, token, origin) => endByToken(anonymous(tenant, origin), token, 'signed_out'),
    async close() {
      await Promise.all(making);
    },
  };
}
