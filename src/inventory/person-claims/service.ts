/** The contract's service about claims on people: each method calls one rule and shapes the reply. */
import { type PersonClaim, PersonClaimService, PersonClaimState as WireState } from '../../gen/countersign/v1/person_claims_pb.js';
import type { Context } from '../../context.ts';
import { wantedText } from '../../lib/where.ts';
import { readPage } from '../../wire/page.ts';
import type { Row } from '../../wire/row.ts';
import { implement } from '../../wire/service.ts';
import { countDisputed } from '../people/index.ts';
import { requireSource } from '../sources/index.ts';
import { claimable } from './content.ts';
import { acceptClaim, acceptEasyClaims, rejectClaim, requireClaim } from './decide-claim.ts';
import { type ClaimState, countWaiting, listClaims, type ListedClaim } from './store-claims.ts';

function shapeClaim(row: ListedClaim): Row<PersonClaim> {
  return {
    ...row,
    changes: claimable.flatMap((attribute) => {
      const to = row.wanted[attribute];
      if (to === undefined) {
        return [];
      }
      const [fromDisplayName, toDisplayName] = attribute === 'managerId' ? [row.managerName, row.wantedManagerName] : ['', ''];
      return [{ attribute, from: row.said[attribute] ?? '', to, fromDisplayName, toDisplayName }];
    }),
  };
}

async function getClaim(context: Context, id: string): Promise<Row<PersonClaim>> {
  return shapeClaim(await requireClaim(context, id));
}

const personClaimService = implement(PersonClaimService, {
  list: async (context, request, call) => {
    const filter = {
      state: request.state === WireState.UNSPECIFIED ? undefined : (WireState[request.state] as ClaimState),
      sourceId: wantedText(request.sourceId),
      userId: wantedText(request.userId),
    };
    const { rows, nextPageToken } = await readPage(call, (after, limit) => listClaims(context, filter, after, limit));
    const waitingCount = await countWaiting(context);
    return { list: rows.map(shapeClaim), nextPageToken, waitingCount, disputedCount: await countDisputed(context) };
  },
  get: async (context, { id }) => ({ claim: await getClaim(context, id) }),
  accept: async (context, { id }) => {
    await acceptClaim(context, id);
    return { claim: await getClaim(context, id) };
  },
  reject: async (context, { id }) => {
    await rejectClaim(context, id);
    return { claim: await getClaim(context, id) };
  },
  acceptAll: async (context, { sourceId }) => {
    await requireSource(context, sourceId);
    return acceptEasyClaims(context, sourceId);
  },
});

/** Services of the module. */
export const services = [personClaimService];
