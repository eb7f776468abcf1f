/**
 * The contract's services about API credentials: each method calls one rule and shapes the reply.
 */
import {
  PersonalClientSearchService,
  PersonalClientSearchServiceSearchResponseSchema,
} from '../../gen/c1/api/iam/v1/personal_client_search_service_pb.js';
import {
  PersonalClientService,
  PersonalClientServiceCreateResponseSchema,
  PersonalClientServiceDeleteResponseSchema,
  PersonalClientServiceGetResponseSchema,
  PersonalClientServiceListResponseSchema,
  PersonalClientServiceUpdateResponseSchema,
} from '../../gen/c1/api/iam/v1/personal_client_service_pb.js';
import { IssuedCredentialService, IssuedCredentialServiceIssueResponseSchema } from '../../gen/countersign/v1/people_pb.js';
import { some, textOf } from '../../lib/where.ts';
import type { JsonObject } from '../../wire/mask.ts';
import { pageByKey } from '../../wire/page.ts';
import { shape } from '../../wire/reply.ts';
import { type BoundService, type Call, implement } from '../../wire/service.ts';
import { secondsOf } from './check-input.ts';
import { createCredential, issueCredential } from './create-credential.ts';
import { changeCredential, getCredential, listOwnCredentials, revokeCredential, searchCredentials } from './manage-credentials.ts';
import { defaultSecretLabel } from './secret.ts';
import { createPrincipalService } from './service-principals.ts';
import { sessionSettingsService } from './service-settings.ts';
import type { CredentialRow } from './store.ts';
import { shapeCredential } from './view.ts';

async function pageOfCredentials(call: Call, list: (after: string | undefined, limit: number) => Promise<CredentialRow[]>) {
  const { rows, nextPageToken } = await pageByKey(
    call,
    (after, limit) => list(after?.[0], limit),
    (row) => [row.id],
  );
  return { list: rows.map(shapeCredential), nextPageToken };
}

/** The services, with the label of new secrets. */
export function createServices(settings: { secretLabel: string }): readonly BoundService[] {
  const { secretLabel } = settings;
  const personalClients = implement(PersonalClientService, {
    create: async (scope, request) => {
      const { row, secret } = await createCredential(scope, {
        userId: scope.actor.userId,
        displayName: request.displayName,
        allowSourceCidr: request.allowSourceCidr,
        expiresInSeconds: secondsOf(request.expires),
        scopedRoles: request.scopedRoles,
        secretLabel,
      });
      return shape(PersonalClientServiceCreateResponseSchema, { client: shapeCredential(row), clientSecret: secret });
    },
    get: async (scope, request) =>
      shape(PersonalClientServiceGetResponseSchema, { client: shapeCredential(await getCredential(scope, request.id)) }),
    list: async (scope, _request, call) =>
      shape(
        PersonalClientServiceListResponseSchema,
        await pageOfCredentials(call, (after, limit) => listOwnCredentials(scope, after, limit)),
      ),
    update: async (scope, request, call) => {
      const row = await changeCredential(scope, request.id, (call.sent.client ?? {}) as JsonObject, call.mask);
      return shape(PersonalClientServiceUpdateResponseSchema, { client: shapeCredential(row) });
    },
    delete: async (scope, request) => {
      await revokeCredential(scope, request.id);
      return shape(PersonalClientServiceDeleteResponseSchema, {});
    },
  });
  const search = implement(PersonalClientSearchService, {
    search: async (scope, request, call) => {
      const filter = {
        userIds: some(request.users.map((user) => user.id)),
        query: textOf(request.query),
      };
      return shape(
        PersonalClientSearchServiceSearchResponseSchema,
        await pageOfCredentials(call, (after, limit) => searchCredentials(scope, filter, after, limit)),
      );
    },
  });
  const issued = implement(IssuedCredentialService, {
    issue: async (scope, request) => {
      const { row, secret } = await issueCredential(scope, {
        userId: request.userId,
        displayName: request.displayName,
        allowSourceCidr: request.allowSourceCidr,
        expiresInSeconds: secondsOf(request.expires),
        secretLabel,
      });
      return shape(IssuedCredentialServiceIssueResponseSchema, { client: shapeCredential(row), clientSecret: secret });
    },
  });
  return [personalClients, search, issued, createPrincipalService(secretLabel), sessionSettingsService];
}

/** The services with the label that public clients accept. */
export const services = createServices({ secretLabel: defaultSecretLabel });
