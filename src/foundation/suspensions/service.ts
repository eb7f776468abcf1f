/** The contract's service about what people had when they left: each method calls one rule and shapes the reply. */
import { SuspensionKind as WireKind, SuspensionService } from '../../gen/countersign/v1/suspensions_pb.js';
import { invalidField } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { pageByKey, readPage } from '../../wire/page.ts';
import { unset } from '../../wire/row.ts';
import { implement } from '../../wire/service.ts';
import { listCredentialNames } from '../credentials/index.ts';
import {
  findRole,
  type ListedSuspension,
  listSuspendedPeople,
  listSuspensions,
  getUser,
  type SuspensionKey,
  type SuspensionKind,
} from '../directory/index.ts';
import { shapeRequest } from '../second-persons/index.ts';
import { restoreOrAsk } from './restore.ts';

const maxChosen = 1_000;

async function shapeSuspensions(context: Context, rows: readonly ListedSuspension[]) {
  const credentials = await listCredentialNames(
    context,
    rows.flatMap(({ kind, objectId }) => (kind === 'CREDENTIAL' ? objectId : [])),
  );
  return rows.map(({ kind, objectId, otherName, sourceId, expiresAt, ...row }) => {
    const credential = kind === 'CREDENTIAL' ? credentials.get(objectId) : undefined;
    const name = kind === 'ROLE' ? findRole(objectId)?.displayName : credential?.displayName;
    return {
      ...row,
      kind,
      objectId,
      displayName: name ?? otherName,
      expiresAt: expiresAt ?? credential?.expiresAt ?? null,
      connectorId: sourceId,
    };
  });
}

function readChosen(sent: readonly { readonly kind: WireKind; readonly objectId: string }[]): SuspensionKey[] {
  if (sent.length > maxChosen) {
    throw invalidField('suspensions', `names at most ${maxChosen}; none for all`);
  }
  const keys = sent.map(({ kind, objectId }, index) => {
    if (kind === WireKind.UNSPECIFIED || objectId === '') {
      throw invalidField(`suspensions[${index}]`, 'has a kind and an objectId, as the list has them');
    }
    return { kind: WireKind[kind] as SuspensionKind, objectId };
  });
  return [...new Map(keys.map((key) => [`${key.kind} ${key.objectId}`, key])).values()];
}

const suspensionService = implement(SuspensionService, {
  list: async (context, { userId }, call) => {
    const { id } = await getUser(context, userId);
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => listSuspensions(context, id, after && { kind: after[0] as SuspensionKind, objectId: after[1] ?? '' }, limit),
      ({ kind, objectId }) => [kind, objectId],
    );
    return { list: await shapeSuspensions(context, rows), nextPageToken };
  },
  restore: async (context, { userId, suspensions, reason }) => {
    const done = await restoreOrAsk(context, userId, readChosen(suspensions), reason);
    return 'askedById' in done
      ? { ...unset('roles', 'credentials', 'delegations', 'left'), request: await shapeRequest(context, done) }
      : { ...done, ...unset('request') };
  },
  listPeople: async (context, { onlyEnabled }, call) => {
    const { rows, nextPageToken } = await readPage(
      call,
      (after, limit) => listSuspendedPeople(context, onlyEnabled, after, limit),
      (row) => row.userId,
    );
    return { list: rows, nextPageToken };
  },
});

/** Services of the module. */
export const services = [suspensionService];
