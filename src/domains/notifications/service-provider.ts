/** The contract's service about whom mails come from: each method calls one rule and shapes the reply. */
import type { JsonObject } from '@bufbuild/protobuf';
import {
  GetEmailCapabilitiesResponseSchema,
  GetTenantEmailProviderResponseSchema,
  SearchEmailAuditEventsResponseSchema,
  TenantEmailProviderSchema,
  TenantEmailProviderService,
  TestTenantEmailProviderResponseSchema,
  UpdateTenantEmailProviderResponseSchema,
} from '../../gen/c1/api/settings/v1/tenant_email_provider_service_pb.js';
import type { Context } from '../../context.ts';
import { pageOf } from '../../wire/page.ts';
import { shape, timestamp } from '../../wire/reply.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import type { MailSettings } from './mail-settings.ts';
import { changeProvider, readSender, testProvider } from './provider.ts';
import { type ListedMail, listMails } from './store-lists.ts';
import { findProvider } from './store-provider.ts';

function describeMail({ id, personId, address, subject, digest, state, attempts, answer, createdAt, updatedAt }: ListedMail): JsonObject {
  return {
    ...{ id, state, userId: personId, address, subject, digest, attempts, answer },
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** The service, with the way out of the installation; undefined where no mail leaves. */
export function createProviderService(settings: MailSettings | undefined): BoundService {
  const shapeProvider = async (context: Context) => {
    const row = await findProvider(context);
    return shape(TenantEmailProviderSchema, {
      ...(await readSender(context, settings?.from ?? '')),
      c1Builtin: {},
      createdAt: timestamp(row?.createdAt ?? null),
      updatedAt: timestamp(row?.updatedAt ?? null),
    });
  };
  return implement(TenantEmailProviderService, {
    get: async (context) => shape(GetTenantEmailProviderResponseSchema, { emailProvider: await shapeProvider(context) }),
    getEmailCapabilities: async () => shape(GetEmailCapabilitiesResponseSchema, { externalEmailSupported: settings !== undefined }),
    searchAuditEvents: async (context, _request, call) => {
      const { rows, nextPageToken } = await pageOf(
        call,
        (before, limit) => listMails(context, undefined, before, limit),
        (row) => row.id,
      );
      return shape(SearchEmailAuditEventsResponseSchema, { list: rows.map(describeMail), nextPageToken });
    },
    test: async (context, request) =>
      shape(TestTenantEmailProviderResponseSchema, await testProvider(context, settings, request.testRecipientEmail.trim())),
    update: async (context, _request, call) => {
      await changeProvider(context, (call.sent.emailProvider ?? {}) as JsonObject, call.mask);
      return shape(UpdateTenantEmailProviderResponseSchema, { emailProvider: await shapeProvider(context) });
    },
  });
}
