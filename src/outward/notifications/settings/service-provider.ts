/** The contract's service about whom mails come from: each method calls one rule and shapes the reply. */
import type { JsonObject } from '@bufbuild/protobuf';
import { TenantEmailProviderService } from '../../../gen/c1/api/settings/v1/tenant_email_provider_service_pb.js';
import type { Context } from '../../../context.ts';
import { readPage } from '../../../wire/page.ts';
import { type BoundService, implement } from '../../../wire/service.ts';
import type { MailSettings } from '../mailers/index.ts';
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
    return { ...(await readSender(context, settings?.from ?? '')), c1Builtin: {}, createdAt: row?.createdAt, updatedAt: row?.updatedAt };
  };
  return implement(TenantEmailProviderService, {
    get: async (context) => ({ emailProvider: await shapeProvider(context) }),
    getEmailCapabilities: async () => ({ externalEmailSupported: settings !== undefined }),
    searchAuditEvents: async (context, _request, call) => {
      const { rows, nextPageToken } = await readPage(call, (before, limit) => listMails(context, undefined, before, limit));
      return { list: rows.map(describeMail), nextPageToken };
    },
    test: async (context, request) => testProvider(context, settings, request.testRecipientEmail.trim()),
    update: async (context, _request, call) => {
      await changeProvider(context, (call.sent.emailProvider ?? {}) as JsonObject, call.mask, settings?.from ?? '');
      return { emailProvider: await shapeProvider(context) };
    },
  });
}
