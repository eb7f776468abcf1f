/** The contract's service about the credentials of everybody: it reads the filter and shapes the rows. */
import { timestampDate } from '@bufbuild/protobuf/wkt';
import {
  CredentialKind as WireKind,
  CredentialService,
  CredentialServiceSearchResponseSchema,
  CredentialState,
} from '../../gen/countersign/v1/credentials_pb.js';
import { some, textOf } from '../../lib/where.ts';
import { pageOf } from '../../wire/page.ts';
import { shape } from '../../wire/reply.ts';
import { implement } from '../../wire/service.ts';
import { type AllCredentialsFilter, listAllCredentials } from './store.ts';
import { shapeOwnedCredential } from './view.ts';

const kinds = { [WireKind.UNSPECIFIED]: undefined, [WireKind.PERSONAL]: 'PERSONAL', [WireKind.SERVICE]: 'SERVICE' } as const;
const states = {
  [CredentialState.UNSPECIFIED]: undefined,
  [CredentialState.LIVE]: 'LIVE',
  [CredentialState.EXPIRED]: 'EXPIRED',
  [CredentialState.WITHOUT_END]: 'WITHOUT_END',
} as const;

/** The service. */
export const credentialSearchService = implement(CredentialService, {
  search: async (context, request, call) => {
    const state = states[request.state];
    const filter: AllCredentialsFilter = {
      kind: kinds[request.kind],
      userIds: some(request.users.map(({ id }) => id)),
      query: textOf(request.query),
      state: state === undefined ? undefined : { name: state, at: context.now },
      expiresBefore: request.expiresBefore === undefined ? undefined : timestampDate(request.expiresBefore),
      unusedSince: request.unusedSince === undefined ? undefined : timestampDate(request.unusedSince),
    };
    const { rows, nextPageToken } = await pageOf(
      call,
      (before, limit) => listAllCredentials(context, filter, before, limit),
      (row) => row.id,
    );
    return shape(CredentialServiceSearchResponseSchema, { list: rows.map(shapeOwnedCredential), nextPageToken });
  },
});
