/**
 * Deleting an entitlement that was made manually, with the grants that were given of it.
 */
import { AppError } from '../../../errors.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import { removeEntitlement, requireLockedApp, requireLockedEntitlement } from '../../catalog/index.ts';
import { endGrantsOf, takeRevision } from '../../ledger/index.ts';

/**
 * Deletes an entitlement and ends its open grants, all in one revision; both stay as history. Waits for an import into the app. NOT_FOUND
 * for none; FAILED_PRECONDITION for app access, and for one that a source delivers, since its next sync would bring it back.
 */
export function deleteEntitlement(context: Context, appId: string, id: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    await requireLockedApp(inside, appId);
    const row = await requireLockedEntitlement(inside, appId, id);
    if (row.isAppAccess) {
      throw new AppError('FAILED_PRECONDITION', 'App access belongs to its app. Delete the app to delete it.');
    }
    if (!row.isManual) {
      throw new AppError(
        'FAILED_PRECONDITION',
        'This entitlement comes from a source, which would bring it back. End its grants there. Only manual entitlements can be deleted here.',
      );
    }
    const revision = row.grantCount === 0 ? null : await takeRevision(inside, appId, 'MANUAL');
    const endedGrants = revision === null ? 0 : await endGrantsOf(inside, { appId, revision }, id);
    await removeEntitlement(inside, row);
    await recordEvent(inside, {
      kind: 'entitlement.deleted',
      targetId: id,
      data: { appId, displayName: row.displayName, endedGrants, revision },
    });
  });
}
