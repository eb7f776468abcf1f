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
import { pageOf, wholeOrPageOf } from '../../wire/page.ts';
import { shape } from '../../wire/reply.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import { secondsOf } from './check-input.ts';
import { createCredential, issueCredential } from './create-credential.ts';
import { changeCredential, getCredential, listOwnCredentials, revokeCredential, searchCredentials } from './manage-credentials.ts';
import { defaultSecretLabel } from './secret.ts';
import { credentialSearchService } from './service-search.ts';
import { createPrincipalService } from './service-principals.ts';
import { sessionSettingsService } from './service-settings.ts';
import { shapeCredential } from './view.ts';

/** The services, with the label of new secrets. */
export function createServices(settings: { secretLabel: string }): readonly BoundService[] {
  const { secretLabel } = settings;
  const personalClients = implement(PersonalClientService, {
    create: async (context, request) => {
      const { row, secret } = await createCredential(context, {
        userId: context.actor.userId,
        displayName: request.displayName,
        allowSourceCidr: request.allowSourceCidr,
        expiresInSeconds: secondsOf(request.expires),
        scopedRoles: request.scopedRoles,
        secretLabel,
      });
      return shape(PersonalClientServiceCreateResponseSchema, { client: shapeCredential(row), clientSecret: secret });
    },
    get: async (context, request) =>
      shape(PersonalClientServiceGetResponseSchema, { client: shapeCredential(await getCredential(context, request.id)) }),
    list: async (context, _request, call) => {
      const { rows, nextPageToken } = await wholeOrPageOf(
        call,
        (after, limit) => listOwnCredentials(context, after, limit),
        (row) => row.id,
      );
      return shape(PersonalClientServiceListResponseSchema, { list: rows.map(shapeCredential), nextPageToken });
    },
    update: async (context, request, call) => {
      const row = await changeCredential(context, request.id, (call.sent.client ?? {}) as JsonObject, call.mask);
      return shape(PersonalClientServiceUpdateResponseSchema, { client: shapeCredential(row) });
    },
    delete: async (context, request) => {
      await revokeCredential(context, request.id);
      return shape(PersonalClientServiceDeleteResponseSchema, {});
    },
  });
  const search = implement(PersonalClientSearchService, {
    search: async (context, request, call) => {
      const filter = {
        userIds: some(request.users.map((user) => user.id)),
        query: textOf(request.query),
      };
      const { rows, nextPageToken } = await pageOf(
        call,
        (after, limit) => searchCredentials(context, filter, after, limit),
        (row) => row.id,
      );
      return shape(PersonalClientSearchServiceSearchResponseSchema, { list: rows.map(shapeCredential), nextPageToken });
    },
  });
  const issued = implement(IssuedCredentialService, {
    issue: async (context, request) => {
      const { row, secret } = await issueCredential(context, {
        userId: request.userId,
        displayName: request.displayName,
        allowSourceCidr: request.allowSourceCidr,
        expiresInSeconds: secondsOf(request.expires),
        scopedRoles: request.scopedRoles,
        secretLabel,
      });
      return shape(IssuedCredentialServiceIssueResponseSchema, { client: shapeCredential(row), clientSecret: secret });
    },
  });
  return [personalClients, search, issued, credentialSearchService, createPrincipalService(secretLabel), sessionSettingsService];
}

/** The services with the label that public clients accept. */
export const services = createServices({ secretLabel: defaultSecretLabel });
