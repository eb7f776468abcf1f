/**
 * The contract's service about service principals and their credentials: each method calls one rule and shapes the reply.
 */
import { ServicePrincipalService as Service } from '../../gen/c1/api/service_principal/v1/service_principal_service_pb.js';
import * as replies from '../../gen/c1/api/service_principal/v1/service_principal_service_pb.js';
import type { JsonObject } from '../../wire/mask.ts';
import { pageOf } from '../../wire/page.ts';
import { shape } from '../../wire/reply.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import { secondsOf } from './check-input.ts';
import { changePrincipal, createPrincipal, deletePrincipal, getPrincipal, listPrincipalUsers } from './manage-principals.ts';
import {
  changePrincipalCredential,
  createPrincipalCredential,
  getPrincipalCredential,
  listPrincipalCredentials,
  revokePrincipalCredential,
} from './principal-credentials.ts';
import { shapePrincipal, shapePrincipalCredential } from './view.ts';

/** The service, with the label of new secrets. */
export function createPrincipalService(secretLabel: string): BoundService {
  return implement(Service, {
    create: async (scope, request) =>
      shape(replies.ServicePrincipalServiceCreateResponseSchema, {
        servicePrincipal: shapePrincipal(scope.actor, await createPrincipal(scope, request.displayName)),
      }),
    get: async (scope, request) =>
      shape(replies.ServicePrincipalServiceGetResponseSchema, {
        servicePrincipal: shapePrincipal(scope.actor, await getPrincipal(scope, request.id)),
      }),
    list: async (scope, _request, call) => {
      const { rows, nextPageToken } = await pageOf(
        call,
        (after, limit) => listPrincipalUsers(scope, after, limit),
        (row) => row.id,
      );
      const list = rows.map((user) => shapePrincipal(scope.actor, user));
      return shape(replies.ServicePrincipalServiceListResponseSchema, { list, nextPageToken });
    },
    update: async (scope, request, call) => {
      const sent = (call.sent.servicePrincipal ?? {}) as JsonObject;
      const user = await changePrincipal(scope, request.id, sent, call.mask);
      return shape(replies.ServicePrincipalServiceUpdateResponseSchema, { servicePrincipal: shapePrincipal(scope.actor, user) });
    },
    delete: async (scope, request) => {
      await deletePrincipal(scope, request.id);
      return shape(replies.ServicePrincipalServiceDeleteResponseSchema, {});
    },
    createCredential: async (scope, request) => {
      const { row, secret } = await createPrincipalCredential(scope, {
        principalId: request.servicePrincipalId,
        displayName: request.displayName,
        allowSourceCidrs: request.allowSourceCidrs,
        expiresInSeconds: secondsOf(request.expires),
        requireDpop: request.requireDpop,
        scopedRoles: request.scopedRoles,
        secretLabel,
      });
      return shape(replies.ServicePrincipalServiceCreateCredentialResponseSchema, {
        credential: shapePrincipalCredential(row),
        clientSecret: secret,
      });
    },
    getCredential: async (scope, request) =>
      shape(replies.ServicePrincipalServiceGetCredentialResponseSchema, {
        credential: shapePrincipalCredential(await getPrincipalCredential(scope, request.servicePrincipalId, request.id)),
      }),
    listCredentials: async (scope, request, call) => {
      const { rows, nextPageToken } = await pageOf(
        call,
        (after, limit) => listPrincipalCredentials(scope, request.servicePrincipalId, after, limit),
        (row) => row.id,
      );
      const list = rows.map(shapePrincipalCredential);
      return shape(replies.ServicePrincipalServiceListCredentialsResponseSchema, { list, nextPageToken });
    },
    updateCredential: async (scope, request, call) => {
      const sent = (call.sent.credential ?? {}) as JsonObject;
      const row = await changePrincipalCredential(scope, request.servicePrincipalId, request.id, sent, call.mask);
      return shape(replies.ServicePrincipalServiceUpdateCredentialResponseSchema, { credential: shapePrincipalCredential(row) });
    },
    revokeCredential: async (scope, request) => {
      await revokePrincipalCredential(scope, request.servicePrincipalId, request.id);
      return shape(replies.ServicePrincipalServiceRevokeCredentialResponseSchema, {});
    },
  });
}
