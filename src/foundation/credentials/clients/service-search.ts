/** The contract's service about the credentials of everybody: it reads the filter and shapes the rows. */
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { CredentialKind as WireKind, CredentialService, CredentialState } from '../../../gen/countersign/v1/credentials_pb.js';
import { some, wantedText } from '../../../lib/where.ts';
import { readPage } from '../../../wire/page.ts';
import { implement } from '../../../wire/service.ts';
import { type AllCredentialsFilter, listAllCredentials } from '../record/index.ts';
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
      query: wantedText(request.query),
      state: state === undefined ? undefined : { name: state, at: context.now },
      expiresBefore: request.expiresBefore === undefined ? undefined : timestampDate(request.expiresBefore),
      unusedSince: request.unusedSince === undefined ? undefined : timestampDate(request.unusedSince),
    };
    const { rows, nextPageToken } = await readPage(call, (before, limit) => listAllCredentials(context, filter, before, limit));
    return { list: rows.map(shapeOwnedCredential), nextPageToken };
  },
});
