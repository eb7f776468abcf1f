/** From a request of the contract to the `Call` its method is given: the page asked for, the mask, expansion, the streamed body. */
import type { Readable } from 'node:stream';
import type { DescMethod, JsonObject } from '@bufbuild/protobuf';
import type { Tenant } from '../foundation/tenants/index.ts';
import type { Context } from '../context.ts';
import { expand, type Loaders } from '../wire/expand.ts';
import { filterOf, openPageToken, type PageBinding, sealPageToken } from '../wire/page-token.ts';
import type { Call, Page } from '../wire/service.ts';

const defaultPageSize = 25;
const minPageSize = 10;
const maxPageSize = 100;

/** Parts that make a call. */
export interface CallParts {
  readonly method: DescMethod;
  readonly tenant: Tenant;
  readonly context: Context;
  readonly sent: JsonObject;
  readonly loaders: Loaders;
  readonly body: Readable | undefined;
  readonly left: AbortSignal | undefined;
  readonly contentEncoding: string;
  readonly contentType: string;
  readonly baseUrl: string;
}

/** The call; INVALID_ARGUMENT where the page token is not one for this request. */
export function makeCall(parts: CallParts): Call {
  const { method, tenant, context, sent } = parts;
  let binding: PageBinding | undefined;
  const bind = (): PageBinding => {
    binding ??= {
      tenantId: tenant.id,
      tenantSecret: tenant.secret,
      operation: `${method.parent.typeName}.${method.name}`,
      filter: filterOf(sent),
    };
    return binding;
  };
  const token = sent['pageToken'];
  const page: Page = {
    size: pageSizeOf(sent['pageSize']),
    after: typeof token === 'string' && token !== '' ? openPageToken(bind(), token, context.now) : undefined,
  };
  return {
    sent,
    mask: maskOf(sent['updateMask']),
    page,
    nextPageToken: (key) => (key === undefined ? '' : sealPageToken(bind(), key, context.now)),
    expand: (wanted, requested) => expand(context, parts.loaders, wanted, requested),
    body: parts.body,
    left: parts.left,
    contentEncoding: parts.contentEncoding,
    contentType: parts.contentType,
    baseUrl: parts.baseUrl,
  };
}

function pageSizeOf(sent: unknown): number {
  return typeof sent === 'number' ? Math.min(maxPageSize, Math.max(minPageSize, sent)) : defaultPageSize;
}

function maskOf(sent: unknown): readonly string[] | undefined {
  return typeof sent === 'string' && sent !== '' ? sent.split(',') : undefined;
}
