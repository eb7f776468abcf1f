/**
 * The contract's services about API credentials: each method calls one rule and shapes the reply.
 */
import { PersonalClientSearchService } from '../../gen/c1/api/iam/v1/personal_client_search_service_pb.js';
import { PersonalClientService } from '../../gen/c1/api/iam/v1/personal_client_service_pb.js';
import { IssuedCredentialService } from '../../gen/countersign/v1/people_pb.js';
import { some, wantedText } from '../../lib/where.ts';
import { readPage, wholeOrPageOf } from '../../wire/page.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import { durationSeconds } from './record/index.ts';
import {
  changeCredential,
  createCredential,
  createPrincipalService,
  credentialSearchService,
  getCredential,
  issueCredential,
  listOwnCredentials,
  revokeCredential,
  searchCredentials,
  shapeCredential,
} from './clients/index.ts';
import { sessionSettingsService } from './settings/index.ts';

/** The services, with the label of new secrets. */
export function createServices(settings: { secretLabel: string }): readonly BoundService[] {
  const { secretLabel } = settings;
  const personalClients = implement(PersonalClientService, {
    create: async (context, request) => {
      const { row, secret } = await createCredential(context, {
        userId: context.actor.userId,
        displayName: request.displayName,
        allowSourceCidr: request.allowSourceCidr,
        expiresInSeconds: durationSeconds(request.expires),
        scopedRoles: request.scopedRoles,
        secretLabel,
      });
      return { client: shapeCredential(row), clientSecret: secret };
    },
    get: async (context, request) => ({ client: shapeCredential(await getCredential(context, request.id)) }),
    list: async (context, _request, call) => {
      const { rows, nextPageToken } = await wholeOrPageOf(call, (after, limit) => listOwnCredentials(context, after, limit));
      return { list: rows.map(shapeCredential), nextPageToken };
    },
    update: async (context, request, call) => {
      const row = await changeCredential(context, request.id, call.sent.client ?? {}, call.mask);
      return { client: shapeCredential(row) };
    },
    delete: async (context, request) => {
      await revokeCredential(context, request.id);
      return {};
    },
  });
  const search = implement(PersonalClientSearchService, {
    search: async (context, request, call) => {
      const filter = {
        userIds: some(request.users.map((user) => user.id)),
        query: wantedText(request.query),
      };
      const { rows, nextPageToken } = await readPage(call, (after, limit) => searchCredentials(context, filter, after, limit));
      return { list: rows.map(shapeCredential), nextPageToken };
    },
  });
  const issued = implement(IssuedCredentialService, {
    issue: async (context, request) => {
      const { row, secret } = await issueCredential(context, {
        userId: request.userId,
        displayName: request.displayName,
        allowSourceCidr: request.allowSourceCidr,
        expiresInSeconds: durationSeconds(request.expires),
        scopedRoles: request.scopedRoles,
        secretLabel,
      });
      return { client: shapeCredential(row), clientSecret: secret };
    },
  });
  return [personalClients, search, issued, credentialSearchService, createPrincipalService(secretLabel), sessionSettingsService];
}
