/** The contract's services about sessions and sign-in links: each method calls one rule and shapes the reply. */
import {
  ProviderTestService,
  ProviderTestServiceTestResponseSchema,
  type SessionJson,
  SessionSchema,
  SessionService,
  SessionServiceDeleteResponseSchema,
  SessionServiceEndOthersResponseSchema,
  SessionServiceGetResponseSchema,
  SessionServiceListResponseSchema,
  SignInLinkService,
  SignInLinkServicePrintResponseSchema,
  UserSessionSchema,
  UserSessionService,
  UserSessionServiceDeleteResponseSchema,
  UserSessionServiceEndAllResponseSchema,
  UserSessionServiceSearchResponseSchema,
} from '../../gen/countersign/v1/sessions_pb.js';
import type { Context } from '../../context.ts';
import { some } from '../../lib/where.ts';
import { pageOf } from '../../wire/page.ts';
import { shape, timestamp } from '../../wire/reply.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import { endAllOf, endByAdministrator, endOthers, endOwn } from './end-sessions.ts';
import { linkUrl } from './link-path.ts';
import { getCurrent, listAll, listOwn } from './read-sessions.ts';
import { printLink } from './sign-in-links.ts';
import { createAuthConfigService } from './service-auth-configs.ts';
import type { SessionRow } from './store.ts';
import { testProvider } from './test-provider.ts';

function shapeSession({ actor }: Context, row: SessionRow): SessionJson {
  return shape(SessionSchema, {
    id: row.id,
    createdAt: timestamp(row.createdAt),
    lastUsedAt: timestamp(row.lastUsedAt),
    address: row.address,
    browser: row.browser,
    isCurrent: row.id === actor.credentialId,
    how: row.how,
  });
}

const sessionService = implement(SessionService, {
  get: async (context) => {
    const { row, expiresAt, idleExpiresAt } = await getCurrent(context);
    return shape(SessionServiceGetResponseSchema, {
      session: shapeSession(context, row),
      expiresAt: timestamp(expiresAt),
      idleExpiresAt: timestamp(idleExpiresAt),
      address: context.actor.sourceIp,
      userId: row.userId,
    });
  },
  list: async (context, _request, call) => {
    const { rows, nextPageToken } = await pageOf(
      call,
      (before, limit) => listOwn(context, before, limit),
      (row) => row.id,
    );
    return shape(SessionServiceListResponseSchema, { list: rows.map((row) => shapeSession(context, row)), nextPageToken });
  },
  delete: async (context, request) => {
    await endOwn(context, request.id);
    return shape(SessionServiceDeleteResponseSchema, {});
  },
  endOthers: async (context) => shape(SessionServiceEndOthersResponseSchema, { endedCount: await endOthers(context) }),
});

const userSessionService = implement(UserSessionService, {
  search: async (context, request, call) => {
    const userIds = some(request.users.map(({ id }) => id));
    const { rows, nextPageToken } = await pageOf(
      call,
      (before, limit) => listAll(context, userIds, before, limit),
      (row) => row.id,
    );
    const list = rows.map((row) =>
      shape(UserSessionSchema, {
        session: shapeSession(context, row),
        userId: row.userId,
        displayName: row.displayName,
        email: row.email,
        issuerId: row.issuerId,
        providerDisplayName: row.providerName,
      }),
    );
    return shape(UserSessionServiceSearchResponseSchema, { list, nextPageToken });
  },
  delete: async (context, request) => {
    await endByAdministrator(context, request.id);
    return shape(UserSessionServiceDeleteResponseSchema, {});
  },
  endAll: async (context, request) =>
    shape(UserSessionServiceEndAllResponseSchema, { endedCount: await endAllOf(context, request.userId) }),
});

const signInLinkService = implement(SignInLinkService, {
  print: async (context, request, call) => {
    const { token, expiresAt } = await printLink(context, request.userId);
    return shape(SignInLinkServicePrintResponseSchema, { url: linkUrl(call.baseUrl, token), expiresAt: timestamp(expiresAt) });
  },
});

function createProviderTestService(allowsLocal: boolean): BoundService {
  return implement(ProviderTestService, {
    test: async (_context, request) => {
      const result = await testProvider(request.issuerId, allowsLocal);
      return result.problem === undefined
        ? shape(ProviderTestServiceTestResponseSchema, { authorizationEndpoint: result.authorizationEndpoint })
        : shape(ProviderTestServiceTestResponseSchema, { problem: `PROVIDER_PROBLEM_${result.problem}`, detail: result.detail });
    },
  });
}

/** What the module sessions serves; see createAuthConfigService. */
export function createServices(allowsLocal: boolean): readonly BoundService[] {
  return [
    sessionService,
    userSessionService,
    signInLinkService,
    createAuthConfigService(allowsLocal),
    createProviderTestService(allowsLocal),
  ];
}
