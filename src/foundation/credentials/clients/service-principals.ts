/**
 * The contract's service about service principals and their credentials: each method calls one rule and shapes the reply.
 */
import { ServicePrincipalService as Service } from '../../../gen/c1/api/service_principal/v1/service_principal_service_pb.js';
import { wholeOrPageOf } from '../../../wire/page.ts';
import { type BoundService, implement } from '../../../wire/service.ts';
import { durationSeconds } from '../record/index.ts';
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
    create: async (context, request) => ({
      servicePrincipal: shapePrincipal(context.actor, await createPrincipal(context, request.displayName)),
    }),
    get: async (context, request) => ({ servicePrincipal: shapePrincipal(context.actor, await getPrincipal(context, request.id)) }),
    list: async (context, _request, call) => {
      const { rows, nextPageToken } = await wholeOrPageOf(call, (after, limit) => listPrincipalUsers(context, after, limit));
      const list = rows.map((user) => shapePrincipal(context.actor, user));
      return { list, nextPageToken };
    },
    update: async (context, request, call) => {
      const sent = call.sent.servicePrincipal ?? {};
      const user = await changePrincipal(context, request.id, sent, call.mask);
      return { servicePrincipal: shapePrincipal(context.actor, user) };
    },
    delete: async (context, request) => {
      await deletePrincipal(context, request.id);
      return {};
    },
    createCredential: async (context, request) => {
      const { row, secret } = await createPrincipalCredential(context, {
        principalId: request.servicePrincipalId,
        displayName: request.displayName,
        allowSourceCidrs: request.allowSourceCidrs,
        expiresInSeconds: durationSeconds(request.expires),
        requireDpop: request.requireDpop,
        scopedRoles: request.scopedRoles,
        secretLabel,
      });
      return { credential: shapePrincipalCredential(row), clientSecret: secret };
    },
    getCredential: async (context, request) => ({
      credential: shapePrincipalCredential(await getPrincipalCredential(context, request.servicePrincipalId, request.id)),
    }),
    listCredentials: async (context, request, call) => {
      const { rows, nextPageToken } = await wholeOrPageOf(call, (after, limit) =>
        listPrincipalCredentials(context, request.servicePrincipalId, after, limit),
      );
      const list = rows.map(shapePrincipalCredential);
      return { list, nextPageToken };
    },
    updateCredential: async (context, request, call) => {
      const sent = call.sent.credential ?? {};
      const row = await changePrincipalCredential(context, request.servicePrincipalId, request.id, sent, call.mask);
      return { credential: shapePrincipalCredential(row) };
    },
    revokeCredential: async (context, request) => {
      await revokePrincipalCredential(context, request.servicePrincipalId, request.id);
      return {};
    },
  });
}
