/** The route beside the contract to which a provider sends people back once they proved anew who they are. What counts is decided in signatures. */
import type { FastifyInstance } from 'fastify';
import { anonymousActor, type Logger, type React } from '../context.ts';
import type { Database } from '../db/types.ts';
import type { Sessions } from '../foundation/sessions/index.ts';
import { callbackUrl, finishStepUp, type Signing } from '../foundation/signatures/index.ts';
import { readCookie, requestBaseUrl } from './session-cookie.ts';

/** Needs of the route. */
export interface StepUpRouteParts {
  readonly database: Database;
  readonly sessions: Sessions;
  readonly signing: Signing;
  readonly log: Logger;
  readonly react: React;
}

/** Registers the route; to be passed to createServer among its `extraRoutes`. */
export function registerStepUpRoutes(app: FastifyInstance, { database, sessions, signing, log, react }: StepUpRouteParts): void {
  app.get('/auth/step-up/callback', async (request, reply) => {
    const { tenant, id: requestId, clientAddress: sourceIp } = request;
    const origin = { sourceIp, requestId };
    const signedIn = await sessions.check(tenant, readCookie(request, 'session'), origin);
    const { userId, credentialId: sessionId } = typeof signedIn === 'string' ? { userId: '', credentialId: '' } : signedIn;
    const actor = anonymousActor(origin);
    const context = { db: database.tenant(tenant.id), tenantId: tenant.id, now: signing.clock(), log, react, actor };
    const returnedTo = new URL(callbackUrl(requestBaseUrl(request)));
    returnedTo.search = request.url.split('?')[1] ?? '';
    const found = await finishStepUp(context, signing.client, { returnedTo, userId, sessionId });
    if (found === undefined) {
      await sessions.noteUnknownState(tenant, origin);
    }
    if (found?.sessionId === '') {
      const text = found.state === 'VERIFIED' ? 'You proved who you are.' : found.errorMessage;
      return reply.header('content-type', 'text/plain; charset=utf-8').send(`${text} You can close this window.\n`);
    }
    // With GET, whatever the request was; addresses with secrets are no referrer of anything.
    return reply.code(303).header('location', pathOf(found)).send();
  });
}

/** The path on which the browser goes on. */
function pathOf(found: { readonly id: string; readonly signatureId: string } | undefined): string {
  if (found === undefined) {
    return '/sign-in?error=state';
  }
  return found.signatureId === ''
    ? `/settings/step-up?transaction=${found.id}`
    : `/signatures/${found.signatureId}?transaction=${found.id}`;
}
