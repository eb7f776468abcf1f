/** Merging a person into another, who is the same. What they are becomes the other one's; what they may do becomes nobody's. */
import { AppError, invalidField } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { isBehind } from '../../foundation/authority/index.ts';
import { moveOwnerships } from '../../inventory/catalog/index.ts';
import { moveReports, updateMerged } from '../../foundation/directory/index.ts';
import { listPersonKeys, matchPerson, moveAccounts } from '../../inventory/identity/index.ts';
import { findLiveStatus, moveRecords } from '../../inventory/people/index.ts';
import { moveBelongings } from '../../inventory/person-claims/index.ts';
import { moveReviews } from '../../governance/reviews/index.ts';
import { movePushed } from '../../inventory/scim/index.ts';
import { countOpenTasks, moveManaged } from '../../governance/tasks/index.ts';
import { moveTemplates } from '../../governance/templates/index.ts';
import { listEnded, listParts, maxNamed, type Outcome } from './parts.ts';
import { lockPeople, refuseDisputed, refuseErased, refuseLastAdministrator, requirePerson, settleFacts } from './people.ts';
import { actOrRehearse } from './rehearse.ts';

/** Most ids that an event names. */
const maxTold = 100;

/**
 * Merges one person into another, or says what that would do. NOT_FOUND for nobody, INVALID_ARGUMENT for nobody to merge into, FAILED_PRECONDITION for
 * oneself, for the last Super Administrator, for somebody who is gone or was merged before, and while a disputed record may be one of theirs or the data of
 * one of them is to be erased.
 */
export function mergePeople(context: Context, fromId: string, intoId: string, isRehearsal: boolean): Promise<Outcome> {
  return actOrRehearse(context, isRehearsal, async (inside) => {
    await lockPeople(inside, [fromId, intoId]);
    const from = await requirePerson(inside, fromId);
    const into = await requirePerson(inside, intoId, 'intoUserId');
    if (fromId === intoId) {
      throw invalidField('intoUserId', 'must be another person');
    }
    if (isBehind(inside.actor, fromId)) {
      throw new AppError('FAILED_PRECONDITION', 'Nobody can merge themselves into somebody else: merge the other person into yourself.');
    }
    await refuseLastAdministrator(inside, from);
    await refuseDisputed(inside, [fromId, intoId]);
    await refuseErased(inside, [from, into]);
    const items = await countOpenTasks(inside, fromId);
    const keysBefore = await listPersonKeys(inside, [fromId, intoId]);
    const records = await moveRecords(inside, fromId, intoId, maxTold);
    await movePushed(inside, fromId, intoId);
    await moveBelongings(inside, fromId, intoId);
    const reports = await moveReports(inside, fromId, intoId, maxNamed);
    await updateMerged(inside, fromId, intoId);
    const changes = await settleFacts(inside, into, { kept: into, status: await findLiveStatus(inside, intoId, false) });
    const ownerships = await moveOwnerships(inside, fromId, intoId, maxNamed);
    const reviews = await moveReviews(inside, fromId, intoId, maxTold);
    await moveManaged(inside, fromId, intoId);
    const templates = await moveTemplates(inside, fromId, intoId, maxNamed);
    const accounts = await moveAccounts(inside, fromId, intoId, maxNamed);
    const rematch = await matchPerson(inside, [fromId, intoId], keysBefore, 'MANUAL');
    await recordEvent(inside, {
      kind: 'user.merged',
      targetId: intoId,
      data: {
        fromId,
        recordIds: records.ids,
        records: records.count,
        accounts: accounts.count,
        matchedAccounts: rematch.changed,
        revisions: [...accounts.revisions, ...rematch.revisions],
        items,
        ownerships: ownerships.count,
        reviewIds: reviews.ids,
        reviews: reviews.count,
        templates: templates.count,
        reports: reports.count,
        changed: changes.map(({ name }) => name),
      },
    });
    return {
      userId: intoId,
      moved: listParts({
        RECORDS: { count: records.count, names: records.names.slice(0, maxNamed) },
        ACCOUNTS: accounts,
        REVIEW_ITEMS: { count: items, names: [] },
        OWNERSHIPS: ownerships,
        REVIEWS: { count: reviews.count, names: reviews.names.slice(0, maxNamed) },
        TEMPLATES: templates,
        REPORTS: reports,
      }),
      ended: await listEnded(inside, fromId),
      changes,
    };
  });
}
