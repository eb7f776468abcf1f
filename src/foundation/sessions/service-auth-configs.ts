/** The contract's service about identity providers: each method calls one rule and shapes the reply. */
import { type TenantAuthConfig, TenantAuthConfigSchema } from '../../gen/c1/api/auth_config/v1/auth_config_pb.js';
import { TenantAuthConfigService } from '../../gen/c1/api/auth_config/v1/auth_config_service_pb.js';
import { readPage } from '../../wire/page.ts';
import { keptRow, type Row } from '../../wire/row.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import {
  type AuthConfigRow,
  changeAuthConfig,
  createAuthConfig,
  deleteAuthConfig,
  listAuthConfigs,
  requireAuthConfig,
  providerType,
} from './sign-in/index.ts';

/** Answers no secret, since what is stored holds none. */
function shapeConfig(row: AuthConfigRow): Row<TenantAuthConfig> {
  return { ...keptRow(TenantAuthConfigSchema, row.document), ...row, providerType: providerType(row.document) };
}

/** The service; `allowsLocal` lets issuers be on this machine over plain http, which only tests do. */
export function createAuthConfigService(allowsLocal: boolean): BoundService {
  return implement(TenantAuthConfigService, {
    create: async (context, _request, call) => {
      const row = await createAuthConfig(context, call.sent, allowsLocal);
      return { authConfig: shapeConfig(row) };
    },
    get: async (context, request) => ({ authConfig: shapeConfig(await requireAuthConfig(context, request.id)) }),
    list: async (context, _request, call) => {
      const { rows, nextPageToken } = await readPage(call, (after, limit) => listAuthConfigs(context, after, limit));
      return { list: rows.map(shapeConfig), nextPageToken };
    },
    update: async (context, request, call) => {
      const sent = call.sent.authConfig ?? {};
      const row = await changeAuthConfig(context, request.id, { sent, mask: call.mask }, allowsLocal);
      return { authConfig: shapeConfig(row) };
    },
    delete: async (context, request) => {
      await deleteAuthConfig(context, request.id);
      return {};
    },
  });
}
