/** The contract's services about sessions and sign-in links: each method calls one rule and shapes the reply. */
import type { OutgoingRules } from '../../lib/outgoing.ts';
import {
  ProviderTestService,
  type Session,
  SessionService,
  SignInLinkService,
  UserSessionService,
} from '../../gen/countersign/v1/sessions_pb.js';
import type { Context } from '../../context.ts';
import { some } from '../../lib/where.ts';
import { readPage } from '../../wire/page.ts';
import { type Row, unset } from '../../wire/row.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import { type SessionRow, getCurrent, getDraftKey, listAll, listOwn } from './session/index.ts';
import { endAllOf, endByAdministrator, endOthers, endOwn, freshUntil, testProvider } from './sign-in/index.ts';
import { linkUrl, printLink } from './links/index.ts';
import { createAuthConfigService } from './service-auth-configs.ts';

function shapeSession({ actor }: Context, row: SessionRow): Row<Session> {
  return { ...row, isCurrent: row.id === actor.credentialId };
}

const sessionService = implement(SessionService, {
  get: async (context) => {
    const { row, expiresAt, idleExpiresAt } = await getCurrent(context);
    return {
      session: shapeSession(context, row),
      expiresAt,
      idleExpiresAt,
      address: context.actor.sourceIp,
      userId: row.userId,
      freshUntil: freshUntil(row.provenAt),
    };
  },
  getDraftKey: async (context) => ({ key: await getDraftKey(context) }),
  list: async (context, _request, call) => {
    const { rows, nextPageToken } = await readPage(call, (before, limit) => listOwn(context, before, limit));
    return { list: rows.map((row) => shapeSession(context, row)), nextPageToken };
  },
  delete: async (context, request) => {
    await endOwn(context, request.id);
    return {};
  },
  endOthers: async (context) => ({ endedCount: await endOthers(context) }),
});

const userSessionService = implement(UserSessionService, {
  search: async (context, request, call) => {
    const userIds = some(request.users.map(({ id }) => id));
    const { rows, nextPageToken } = await readPage(call, (before, limit) => listAll(context, userIds, before, limit));
    const list = rows.map((row) => ({ ...row, session: shapeSession(context, row), providerDisplayName: row.providerName }));
    return { list, nextPageToken };
  },
  delete: async (context, request) => {
    await endByAdministrator(context, request.id);
    return {};
  },
  endAll: async (context, request) => ({ endedCount: await endAllOf(context, request.userId) }),
});

const signInLinkService = implement(SignInLinkService, {
  print: async (context, request, call) => {
    const { token, expiresAt } = await printLink(context, request.userId);
    return { url: linkUrl(call.baseUrl, token), expiresAt };
  },
});

function createProviderTestService(outgoing: OutgoingRules): BoundService {
  return implement(ProviderTestService, {
    test: async (_context, request) => {
      const result = await testProvider(request.issuerId, outgoing);
      return result.problem === undefined
        ? { authorizationEndpoint: result.authorizationEndpoint, ...unset('problem', 'detail') }
        : { ...result, ...unset('authorizationEndpoint') };
    },
  });
}

/** Services of the module sessions; see createAuthConfigService. */
export function createServices(outgoing: OutgoingRules): readonly BoundService[] {
  return [
    sessionService,
    userSessionService,
    signInLinkService,
    createAuthConfigService(outgoing.allowsLocal),
    createProviderTestService(outgoing),
  ];
}
