/**
 * Grants with their whole story: our own list, beside the public ones.
 */
import { AppUserType } from '../../gen/c1/api/app/v1/app_pb.js';
import {
  type GrantJson,
  GrantSchema,
  GrantService,
  GrantServiceListResponseSchema,
  GrantPathSchema,
} from '../../gen/countersign/v1/grants_pb.js';
import { textOf } from '../../lib/where.ts';
import { shape, timestamp } from '../../wire/reply.ts';
import { implement } from '../../wire/service.ts';
import { dateOf } from '../../wire/timestamps.ts';
import {
  type AccountRow,
  type AppRow,
  type EntitlementRow,
  listEntitlementsByIds,
  requireApp,
  shapeAccount,
  shapeEntitlement,
} from '../catalog/index.ts';
import { shapeUser, type UserRow } from '../directory/index.ts';
import { listOwners, pageOfGrants } from './list-grants.ts';
import type { Cause, GrantRow } from './store-list.ts';
import type { AccountType } from './store-named.ts';
import { isDirect, shapePath } from './view.ts';

interface About {
  readonly app: AppRow;
  readonly entitlement: EntitlementRow | undefined;
  readonly account: AccountRow | undefined;
  readonly owner: UserRow | undefined;
}

const causeOf = (cause: Cause | null) => (cause === null ? 'GRANT_CHANGE_CAUSE_UNSPECIFIED' : (`GRANT_CHANGE_CAUSE_${cause}` as const));

function shapeGrant(row: GrantRow, { app, entitlement, account, owner }: About): GrantJson {
  return shape(GrantSchema, {
    appId: app.id,
    appDisplayName: app.displayName,
    entitlement: entitlement && shapeEntitlement(entitlement),
    account: account && shapeAccount(account),
    owner: owner && shapeUser(owner),
    isDerived: row.isDerived,
    isDirect: isDirect(row.paths),
    paths: (row.paths ?? [])
      .filter((path) => path.length > 0)
      .map((path) => shape(GrantPathSchema, { entitlements: shapePath(app.id, path) })),
    grantedAt: timestamp(row.grantedAt),
    lastUsedAt: timestamp(row.lastUsedAt),
    deprovisionAt: timestamp(row.deprovisionAt),
    connectorId: row.sourceId ?? '',
    appearedAt: timestamp(row.appearedAt ?? row.createdAt),
    appearedCause: causeOf(row.appearedCause),
    appearedByUserId: row.appearedById ?? '',
    appearedInImportId: row.appearedInId ?? '',
    absentFromImportId: row.absentFromId ?? '',
    endedAt: timestamp(row.endedAt),
    vanishedCause: causeOf(row.vanishedCause),
    vanishedByUserId: row.vanishedById ?? '',
    vanishedInImportId: row.vanishedInId ?? '',
    lastSeenInImportId: row.lastSeenInId ?? '',
  });
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
    const app = await requireApp(context, request.appId);
    const { rows, accounts, nextPageToken } = await pageOfGrants(context, call, {
      appId: app.id,
      entitlementId: given(request.entitlementId),
      accountId: given(request.accountId),
      userId: given(request.userId),
      accountType: accountTypes[request.accountType],
      query: textOf(request.query),
      includeEnded: request.includeEnded,
      asOf: dateOf(typeof call.sent['asOf'] === 'string' ? call.sent['asOf'] : undefined),
      excludeDerived: request.excludeDerived,
    });
    const owners = await listOwners(context, accounts);
    const entitlements = await listEntitlementsByIds(
      context,
      rows.map((row) => row.entitlementId),
    );
    const list = rows.map((row) => {
      const account = accounts.get(row.accountId);
      const owner = owners.get(account?.userId ?? '');
      return { grant: shapeGrant(row, { app, entitlement: entitlements.get(row.entitlementId), account, owner }) };
    });
    return shape(GrantServiceListResponseSchema, { list, nextPageToken });
  },
});
