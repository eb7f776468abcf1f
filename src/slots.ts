/**
 * Fills slots of earlier modules, which may not import later ones: each slot of an earlier module, and what fills it. Whoever runs the program, or
 * a part of it, imports this file.
 */
import {
  catalogSlot,
  getAppAccessId,
  getHasAccountInSql,
  getIsInLiveAppSql,
  updateAllGrantCounts,
  updateGrantCounts,
  updateLastUses,
  updateUserCount,
} from './domains/catalog/index.ts';
import { conflictSlot } from './domains/conflicts/index.ts';
import { connectorTaskSlot } from './domains/connector-tasks/index.ts';
import { credentialSlot } from './domains/credentials/index.ts';
import { auditSlot } from './domains/audit/index.ts';
import { attributeSlot, directorySlot, listWordsAt } from './domains/directory/index.ts';
import { eraseAct } from './domains/erasures/index.ts';
import { grantSlot } from './domains/grants/index.ts';
import { checkSettings, findStaleAfter, getFetchesSql, listNext } from './domains/fetches/index.ts';
import { getDirectoryIdsSql, getDirectoryOrderSql, identitySlot, isDirectory } from './domains/identity/index.ts';
import { counts } from './domains/ledger/index.ts';
import { evidenceSlot } from './domains/log-proofs/index.ts';
import { getRemindersSql } from './domains/notifications/index.ts';
import { findNoDelegation, lockPolicyTypes, policySlot } from './domains/policies/index.ts';
import {
  acknowledgementEvidence,
  evidence as reviewEvidence,
  listReviewNames,
  getIsProviderInUseSql,
  listPolicyUses,
  reviewsItem,
  reviewSlot,
} from './domains/reviews/index.ts';
import { lockRemovals, noteEnded, noteSent, removalsItem, revocationSlot } from './domains/revocations/index.ts';
import { getPushedAccountsSql, getPushedPersonSql, getSourceColumnsSql, pushAgain, settle } from './domains/scim/index.ts';
import { getDisputedCountSql, getRecordKeysSql, peopleSlot } from './domains/people/index.ts';
import { findSecondReviewCounts } from './domains/second-reviews/index.ts';
import { getHasProviderSql, lockLiveSession } from './domains/sessions/index.ts';
import { evidence as signatureEvidence, signatureSlot } from './domains/signatures/index.ts';
import { evidence as snapshotEvidence, getIsInReviewSql } from './domains/snapshots/index.ts';
import { liftAct, holdSlot } from './domains/holds/index.ts';
import { secondPersonSlot } from './domains/second-persons/index.ts';
import { restoreAct } from './domains/suspensions/index.ts';
import { shortenAct, updateLookAgain } from './domains/reports/index.ts';
import { getIsFromSourceSql, ownsSourceOf, sourceIdOfEntitlement, sourceSlot } from './domains/sources/index.ts';
import { mergeNamesOf } from './domains/name-merges/index.ts';
import { evidence as syncEvidence, getLastSyncSql, getPreviousSyncIdSql, syncSlot } from './domains/syncs/index.ts';
import { evidence, getIsAskedSql, getIsCertifiedSql, taskSlot } from './domains/tasks/index.ts';
import { hasTemplate, isHiddenTemplate } from './domains/templates/index.ts';

auditSlot.fill({ listWordsAt });
credentialSlot.fill({ getHasProvider: getHasProviderSql, lockLiveSession });
attributeSlot.fill({ getIsInLiveApp: getIsInLiveAppSql });
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
  getDirectoryOrder: getDirectoryOrderSql,
  getPushedAccounts: getPushedAccountsSql,
  getLastSync: getLastSyncSql,
  getFetches: getFetchesSql,
  getDisputedCount: getDisputedCountSql,
  getStaleAfter: findStaleAfter,
  listNextFetches: listNext,
  readSettings: checkSettings,
});
identitySlot.fill({ getPushedPerson: getPushedPersonSql, getRecordKeys: getRecordKeysSql });
peopleSlot.fill({ pushAgain, settle });
syncSlot.fill({ mergeNames: mergeNamesOf });
grantSlot.fill({ getPreviousSyncId: getPreviousSyncIdSql });
policySlot.fill({ listPolicyUses });
conflictSlot.fill({ getIsCertified: getIsCertifiedSql });
taskSlot.fill({ reviews: reviewsItem, removals: removalsItem, lockRemovals, getReminders: getRemindersSql });
connectorTaskSlot.fill({ sendRemoval: noteSent, endRemoval: noteEnded });
revocationSlot.fill({ reviews: reviewsItem });
evidenceSlot.fill([...syncEvidence, ...snapshotEvidence, ...evidence, ...signatureEvidence, ...reviewEvidence, acknowledgementEvidence]);
signatureSlot.fill({ getIsInUse: getIsProviderInUseSql });
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
