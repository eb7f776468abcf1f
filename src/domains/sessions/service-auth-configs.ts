/** The contract's service about identity providers: each method calls one rule and shapes the reply. */
import type { JsonObject } from '@bufbuild/protobuf';
import { type TenantAuthConfigJson, TenantAuthConfigSchema } from '../../gen/c1/api/auth_config/v1/auth_config_pb.js';
import {
  TenantAuthConfigService,
  TenantAuthConfigServiceCreateResponseSchema,
  TenantAuthConfigServiceDeleteResponseSchema,
  TenantAuthConfigServiceGetResponseSchema,
  TenantAuthConfigServiceListResponseSchema,
  TenantAuthConfigServiceUpdateResponseSchema,
} from '../../gen/c1/api/auth_config/v1/auth_config_service_pb.js';
import { pageOf } from '../../wire/page.ts';
import { shape, shapeDeep, timestamp } from '../../wire/reply.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import { typeOf } from './auth-config.ts';
import { changeAuthConfig, createAuthConfig, deleteAuthConfig, requireAuthConfig } from './change-auth-configs.ts';
import { type AuthConfigRow, listAuthConfigs } from './store-auth-configs.ts';

/** What is stored holds no secret, so none is answered. */
function shapeConfig(row: AuthConfigRow): TenantAuthConfigJson {
  return shapeDeep(TenantAuthConfigSchema, {
    ...(row.document as TenantAuthConfigJson),
    id: row.id,
    providerType: typeOf(row.document) as NonNullable<TenantAuthConfigJson['providerType']>,
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
  });
}

/** The service; `allowsLocal` lets issuers be on this machine over plain http, which only tests do. */
export function createAuthConfigService(allowsLocal: boolean): BoundService {
  return implement(TenantAuthConfigService, {
    create: async (context, _request, call) => {
      const row = await createAuthConfig(context, call.sent, allowsLocal);
      return shape(TenantAuthConfigServiceCreateResponseSchema, { authConfig: shapeConfig(row) });
    },
    get: async (context, request) =>
      shape(TenantAuthConfigServiceGetResponseSchema, { authConfig: shapeConfig(await requireAuthConfig(context, request.id)) }),
    list: async (context, _request, call) => {
      const { rows, nextPageToken } = await pageOf(
        call,
        (after, limit) => listAuthConfigs(context, after, limit),
        (row) => row.id,
      );
      return shape(TenantAuthConfigServiceListResponseSchema, { list: rows.map(shapeConfig), nextPageToken });
    },
    update: async (context, request, call) => {
      const sent = (call.sent.authConfig ?? {}) as JsonObject;
      const row = await changeAuthConfig(context, request.id, { sent, mask: call.mask }, allowsLocal);
      return shape(TenantAuthConfigServiceUpdateResponseSchema, { authConfig: shapeConfig(row) });
    },
    delete: async (context, request) => {
      await deleteAuthConfig(context, request.id);
      return shape(TenantAuthConfigServiceDeleteResponseSchema, {});
    },
  });
}
