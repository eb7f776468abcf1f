/**
 * The contract's service about SCIM: letting an identity provider in. What it then speaks is served by src/http/scim/scim-routes.ts.
 */
import { ScimService } from '../../gen/countersign/v1/scim_pb.js';
import { implement } from '../../wire/service.ts';
import { requireSource, viewSources } from '../sources/index.ts';
import { createToken, revokeToken } from './scim-token.ts';

/** Path of the service, under the host of the tenant. */
export const scimPath = '/scim/v2';

/** Tokens for identity providers. */
export const scimService = implement(ScimService, {
  createToken: async (context, request, call) => {
    const { sourceId, token } = await createToken(context, request.appId);
    const [source] = await viewSources(context, [await requireSource(context, sourceId)]);
    return { source, token, baseUrl: `${call.baseUrl}${scimPath}` };
  },
  revokeToken: async (context, request) => {
    await revokeToken(context, request.appId);
    return {};
  },
});
