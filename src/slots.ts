/**
 * Fills slots of earlier modules, which may not import later ones: each slot of an earlier module, and what fills it. Whoever runs the program, or
 * a part of it, imports this file.
 */
import {
  catalogSlot,
  getAppAccessId,
  getHasAccountInSql,
  listAccountsInApps,
  updateAllGrantCounts,
  updateGrantCounts,
  updateLastUses,
  updateUserCount,
} from './inventory/catalog/index.ts';
import { conflictSlot } from './governance/conflicts/index.ts';
import { connectorTaskSlot } from './inventory/connector-tasks/index.ts';
import { credentialSlot } from './foundation/credentials/index.ts';
import { auditSlot } from './foundation/audit/index.ts';
import { attributeSlot, directorySlot, listWordsAt } from './foundation/directory/index.ts';
import { eraseAct } from './outward/erasures/index.ts';
import { grantSlot } from './inventory/grants/index.ts';
import { checkSettings, findStaleAfter, getFetchesSql, listNext } from './inventory/fetches/index.ts';
import { findDirectoryOrder, getDirectoryIdsSql, identitySlot, isDirectory } from './inventory/identity/index.ts';
import { counts } from './inventory/ledger/index.ts';
import { evidenceSlot } from './foundation/log-proofs/index.ts';
import { countReminders } from './outward/notifications/index.ts';
import { findNoDelegation, lockPolicyTypes, policySlot } from './governance/policies/index.ts';
import {
  acknowledgementEvidence,
  evidence as reviewEvidence,
  listReviewNames,
  isProviderInUse,
  listPolicyUses,
  reviewsItem,
  reviewSlot,
} from './governance/reviews/index.ts';
import { lockRemovals, noteEnded, noteSent, removalsItem, revocationSlot } from './governance/revocations/index.ts';
import { findPushedPerson, getPushedAccountsSql, getSourceColumnsSql, pushAgain, settle } from './inventory/scim/index.ts';
import { getDisputedCountSql, getRecordKeysSql, peopleSlot } from './inventory/people/index.ts';
import { findSecondReviewCounts } from './governance/second-reviews/index.ts';
import { getHasProviderSql, lockLiveSession } from './foundation/sessions/index.ts';
import { evidence as signatureEvidence, signatureSlot } from './foundation/signatures/index.ts';
import { evidence as snapshotEvidence, getIsInReviewSql } from './governance/snapshots/index.ts';
import { liftAct, holdSlot } from './foundation/holds/index.ts';
import { secondPersonSlot } from './foundation/second-persons/index.ts';
import { restoreAct } from './foundation/suspensions/index.ts';
import { shortenAct, updateLookAgain } from './outward/reports/index.ts';
import { getIsFromSourceSql, ownsSourceOf, sourceIdOfEntitlement, sourceSlot } from './inventory/sources/index.ts';
import { mergeNamesOf } from './outward/name-merges/index.ts';
import { evidence as syncEvidence, getLastSyncSql, listPreviousSyncs, syncSlot } from './inventory/syncs/index.ts';
import { evidence, getIsAskedSql, getIsCertifiedSql, taskSlot } from './governance/tasks/index.ts';
import { hasTemplate, isHiddenTemplate } from './governance/templates/index.ts';

auditSlot.fill({ listWordsAt });
credentialSlot.fill({ getHasProvider: getHasProviderSql, lockLiveSession });
attributeSlot.fill({ listAccounts: listAccountsInApps });
directorySlot.fill({
  getHasAccountIn: getHasAccountInSql,
  getDirectoryIds: getDirectoryIdsSql,
  getSourceColumns: getSourceColumnsSql,
  findNoDelegation,
});
counts.fill({ updateGrantCounts, updateAllGrantCounts, updateLastUses, updateUserCount, getAppAccessId });
catalogSlot.fill({
  isDirectory,
  sourceId: sourceIdOfEntitlement,
  getIsFromSource: getIsFromSourceSql,
  getIsInReview: getIsInReviewSql,
  getIsAsked: getIsAskedSql,
  ownsSource: ownsSourceOf,
  lockPolicyTypes,
});
sourceSlot.fill({
  findDirectoryOrder,
  getPushedAccounts: getPushedAccountsSql,
  getLastSync: getLastSyncSql,
  getFetches: getFetchesSql,
  getDisputedCount: getDisputedCountSql,
  getStaleAfter: findStaleAfter,
  listNextFetches: listNext,
  readSettings: checkSettings,
});
identitySlot.fill({ findPushedPerson, getRecordKeys: getRecordKeysSql });
peopleSlot.fill({ pushAgain, settle });
syncSlot.fill({ mergeNames: mergeNamesOf });
grantSlot.fill({ listPreviousSyncs });
policySlot.fill({ listPolicyUses });
conflictSlot.fill({ getIsCertified: getIsCertifiedSql });
taskSlot.fill({ reviews: reviewsItem, removals: removalsItem, lockRemovals, countReminders });
connectorTaskSlot.fill({ sendRemoval: noteSent, endRemoval: noteEnded });
revocationSlot.fill({ reviews: reviewsItem });
evidenceSlot.fill([...syncEvidence, ...snapshotEvidence, ...evidence, ...signatureEvidence, ...reviewEvidence, acknowledgementEvidence]);
signatureSlot.fill({ isInUse: isProviderInUse });
reviewSlot.fill({ findSecondReviewCounts, hasTemplate, isHiddenTemplate });
holdSlot.fill({ listReviewNames });
secondPersonSlot.fill({
  LIFT_HOLD: {
    ...liftAct,
    async apply(context, request) {
      await liftAct.apply(context, request);
      // What the hold kept may be over by now.
      await updateLookAgain(context);
    },
  },
  SHORTEN_RETENTION: shortenAct,
  ERASE_PERSON: eraseAct,
  RESTORE_PERSON: restoreAct,
});
