/** Owned things, page by page: apps, then resources, then entitlements. */
import { type UserOwnershipEntry, UserOwnershipType } from '../../../gen/c1/api/app/v1/app_pb.js';
import type { SearchUserOwnershipRequest } from '../../../gen/c1/api/app/v1/app_service_pb.js';
import type { Context } from '../../../context.ts';
import type { Row } from '../../../wire/row.ts';
import type { Call } from '../../../wire/service.ts';
import { pageByKey } from '../record/index.ts';
import { listOwned, type OwnedKind, ownedKinds, type OwnedRow } from './store-ownership.ts';

const kindOf: Partial<Record<UserOwnershipType, OwnedKind>> = {
  [UserOwnershipType.APP]: 'APP',
  [UserOwnershipType.RESOURCE]: 'RESOURCE',
  [UserOwnershipType.ENTITLEMENT]: 'ENTITLEMENT',
};

/** A page of what the person owns, of the caller where none is named; without types, of all of them. Nobody owns nothing. */
export async function pageOfOwnership(
  context: Context,
  request: SearchUserOwnershipRequest,
  call: Call,
): Promise<{ list: Row<UserOwnershipEntry>[]; nextPageToken: string }> {
  const userId = request.userId === '' ? context.actor.userId : request.userId;
  const chosen = request.ownershipTypes.flatMap((type) => kindOf[type] ?? []);
  const { rows, nextPageToken } = await pageByKey(
    call,
    (after, limit) => listOwned(context, userId, chosen.length === 0 ? ownedKinds : chosen, after && placeOf(after), limit),
    (row) => [row.kind, row.appId, row.id],
  );
  return { list: rows.map(shapeOwned), nextPageToken };
}

function placeOf([kind, appId = '', id = '']: readonly string[]): { kind: OwnedKind; appId: string; id: string } {
  return { kind: kind as OwnedKind, appId, id };
}

function shapeOwned(row: OwnedRow): Row<UserOwnershipEntry> {
  const { appId, appDisplayName, resourceTypeId, resourceId, resourceDisplayName, entitlementDisplayName } = row;
  return {
    ownershipType: row.kind,
    appId,
    appDisplayName,
    resourceTypeId,
    resourceId,
    resourceDisplayName,
    entitlementId: row.kind === 'ENTITLEMENT' ? row.id : '',
    entitlementDisplayName,
  };
}
