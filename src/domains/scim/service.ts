/**
 * The contract's service about SCIM: letting an identity provider in. What it then speaks is served by src/http/scim-routes.ts.
 */
import {
  ScimService,
  ScimServiceCreateTokenResponseSchema,
  ScimServiceRevokeTokenResponseSchema,
} from '../../gen/countersign/v1/scim_pb.js';
import { shape } from '../../wire/reply.ts';
import { implement } from '../../wire/service.ts';
import { requireSource, shapeSource } from '../sources/index.ts';
import { createToken, revokeToken } from './scim-token.ts';

/** Where the service is, under the host of the tenant. */
export const scimPath = '/scim/v2';

/** Tokens for identity providers. */
export const scimService = implement(ScimService, {
  createToken: async (context, request, call) => {
    const { sourceId, token } = await createToken(context, request.appId);
    const source = shapeSource(await requireSource(context, sourceId));
    return shape(ScimServiceCreateTokenResponseSchema, { source, token, baseUrl: `${call.baseUrl}${scimPath}` });
  },
  revokeToken: async (context, request) => {
    await revokeToken(context, request.appId);
    return shape(ScimServiceRevokeTokenResponseSchema, {});
  },
});
