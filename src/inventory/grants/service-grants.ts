/**
 * Grants with their whole story: our own list, beside the public ones.
 */
import { AppUserType } from '../../gen/c1/api/app/v1/app_pb.js';
import { type Grant, GrantService } from '../../gen/countersign/v1/grants_pb.js';
import { wantedText } from '../../lib/where.ts';
import type { Row } from '../../wire/row.ts';
import { implement } from '../../wire/service.ts';
import { parseDate } from '../../wire/timestamps.ts';
import type { Sight } from '../../foundation/authority/index.ts';
import {
  type AccountRow,
  type AppRow,
  type EntitlementRow,
  listEntitlementsByIds,
  loadSight,
  requireApp,
  requireOwnAppOrInventory,
  shapeAccount,
  shapeEntitlement,
} from '../catalog/index.ts';
import { shapeUser, type UserRow } from '../../foundation/directory/index.ts';
import { listOwners, pageOfGrants } from './list-grants.ts';
import type { GrantRow } from './store-list.ts';
import type { AccountType } from './store-named.ts';
import { isDirect, shapePath } from './view.ts';

interface About {
  readonly app: AppRow;
  readonly entitlement: EntitlementRow | undefined;
  readonly account: AccountRow | undefined;
  readonly owner: UserRow | undefined;
}

function shapeGrant(sight: Sight, row: GrantRow, { app, entitlement, account, owner }: About): Row<Grant> {
  return {
    ...row,
    appId: app.id,
    appDisplayName: app.displayName,
    entitlement: entitlement && shapeEntitlement(sight, entitlement),
    account: account && shapeAccount(sight, account),
    owner: owner && shapeUser(sight.actor, owner),
    isDirect: isDirect(row.paths),
    paths: (row.paths ?? []).filter((path) => path.length > 0).map((path) => ({ entitlements: shapePath(app.id, path) })),
    connectorId: row.sourceId,
    appearedAt: row.appearedAt ?? row.createdAt,
    appearedByUserId: row.appearedById,
    appearedInImportId: row.appearedInId,
    absentFromImportId: row.absentFromId,
    vanishedByUserId: row.vanishedById,
    vanishedInImportId: row.vanishedInId,
    lastSeenInImportId: row.lastSeenInId,
  };
}

const given = (id: string): string | undefined => (id === '' ? undefined : id);

const accountTypes: Readonly<Record<AppUserType, AccountType | undefined>> = {
  [AppUserType.UNSPECIFIED]: undefined,
  [AppUserType.USER]: 'USER',
  [AppUserType.SERVICE_ACCOUNT]: 'SERVICE_ACCOUNT',
  [AppUserType.SYSTEM_ACCOUNT]: 'SYSTEM_ACCOUNT',
};

/** The grants of an app. */
export const grantService = implement(GrantService, {
  list: async (context, request, call) => {
    await requireOwnAppOrInventory(context, request.appId);
    const app = await requireApp(context, request.appId);
    const { rows, accounts, nextPageToken } = await pageOfGrants(context, call, {
      appId: app.id,
      entitlementId: given(request.entitlementId),
      accountId: given(request.accountId),
      userId: given(request.userId),
      accountType: accountTypes[request.accountType],
      query: wantedText(request.query),
      includeEnded: request.includeEnded,
      asOf: parseDate(typeof call.sent['asOf'] === 'string' ? call.sent['asOf'] : undefined),
      excludeDerived: request.excludeDerived,
      pastEnd: request.pastEnd,
    });
    const owners = await listOwners(context, accounts);
    const entitlements = await listEntitlementsByIds(
      context,
      rows.map((row) => row.entitlementId),
    );
    const sight = await loadSight(context);
    const list = rows.map((row) => {
      const account = accounts.get(row.accountId);
      const owner = owners.get(account?.userId ?? '');
      return { grant: shapeGrant(sight, row, { app, entitlement: entitlements.get(row.entitlementId), account, owner }) };
    });
    return { list, nextPageToken };
  },
});
