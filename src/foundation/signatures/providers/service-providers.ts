/** The contract's service about step-up providers: each method calls one rule and shapes the reply. */
import {
  ProviderType,
  type StepUpProvider,
  StepUpProviderSchema,
  type StepUpProviderService,
} from '../../../gen/c1/api/stepup/v1/stepup_pb.js';
import { some } from '../../../lib/where.ts';
import { readPage } from '../../../wire/page.ts';
import { keptRow, type Row } from '../../../wire/row.ts';
import type { ServiceMethods } from '../../../wire/service.ts';
import { changeProvider, changeProviderSecret, createProvider, deleteProvider, requireProvider } from './change-providers.ts';
import { listProviders, type StepUpProviderRow } from './store-providers.ts';

/** Answers no secret, since what is stored holds none. */
function shapeProvider(row: StepUpProviderRow): Row<StepUpProvider> {
  return { ...keptRow(StepUpProviderSchema, row.document), ...row };
}

const kinds = { [ProviderType.UNSPECIFIED]: undefined, [ProviderType.OAUTH2]: 'oauth2', [ProviderType.MICROSOFT]: 'microsoft' } as const;

/** Methods about providers, all but Test; `allowsLocal` lets issuers be on this machine over plain http, which only tests do. */
export function createProviderMethods(allowsLocal: boolean): Omit<ServiceMethods<typeof StepUpProviderService>, 'test'> {
  return {
    create: async (context, _request, call) => ({ stepUpProvider: shapeProvider(await createProvider(context, call.sent, allowsLocal)) }),
    get: async (context, request) => ({ stepUpProvider: shapeProvider(await requireProvider(context, request.id)) }),
    list: async (context, _request, call) => {
      const { rows, nextPageToken } = await readPage(call, (after, limit) => listProviders(context, {}, after, limit));
      return { list: rows.map(shapeProvider), nextPageToken };
    },
    search: async (context, request, call) => {
      const filter = { kind: kinds[request.providerType], query: request.query, ids: some(request.refs.map(({ id }) => id)) };
      const { rows, nextPageToken } = await readPage(call, (after, limit) => listProviders(context, filter, after, limit));
      return { list: rows.map(shapeProvider), nextPageToken };
    },
    update: async (context, request, call) => {
      const sent = call.sent.stepUpProvider ?? {};
      return { stepUpProvider: shapeProvider(await changeProvider(context, request.id, { sent, mask: call.mask }, allowsLocal)) };
    },
    updateSecret: async (context, request) => ({
      stepUpProvider: shapeProvider(await changeProviderSecret(context, request.id, request.clientSecret)),
    }),
    delete: async (context, request) => {
      await deleteProvider(context, request.id);
      return {};
    },
  };
}
