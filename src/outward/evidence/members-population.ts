/** The population: what there was in the chosen apps when the review was prepared, and why what was left out was. */
import { canonicalJson } from '../../lib/log/canonical-json.ts';
import { readSnapshotItems } from '../../governance/reviews/index.ts';
import {
  listPopulation,
  listSnapshotAccounts,
  listSnapshotLines,
  listSourceCounts,
  type PagedTable,
} from '../../governance/snapshots/index.ts';
import { type BundleMember, lineMember, linesPerBlock } from './member.ts';
import { detailLine } from './members-people.ts';

/** The lines of a table of the snapshot, as its event has them. */
export const snapshotMember = (path: string, table: PagedTable): BundleMember =>
  lineMember(
    path,
    (context, reviewId, after, limit) => listSnapshotLines(context, table, reviewId, after, limit),
    ({ key }) => key,
    ({ line }) => line,
  );

const grants: BundleMember = {
  path: 'population/grants.jsonl',
  counted: 'grants',
  async read(context, { review }, after) {
    const key = after === '' ? [] : (JSON.parse(after) as string[]);
    const page = await listPopulation(context, await readSnapshotItems(context, review), key, linesPerBlock);
    const sources = await listSourceCounts(context, review.id);
    const sourceOf = new Map(sources.map(({ appId, sourceNo, sourceId }) => [`${appId}/${sourceNo}`, sourceId]));
    const lines = page.grants.map((grant) =>
      canonicalJson({
        account: grant.accountId,
        app: grant.appId,
        endsAt: grant.endsAt?.toISOString() ?? null,
        entitlement: grant.entitlementId,
        firstSeenAt: grant.firstSeenAt.toISOString(),
        grantedAt: grant.grantedAt?.toISOString() ?? null,
        held: grant.held,
        kind: grant.kind,
        lastUsedAt: grant.lastUsedAt?.toISOString() ?? null,
        revision: grant.revision,
        source: sourceOf.get(`${grant.appId}/${grant.sourceNo}`) ?? '',
        verdict: grant.verdict,
      }),
    );
    return { lines, after: page.next && JSON.stringify(page.next) };
  },
};

export const populationMembers: readonly BundleMember[] = [
  snapshotMember('population/entitlements.jsonl', 'review_entitlements'),
  snapshotMember('population/accounts.jsonl', 'review_accounts'),
  lineMember(
    'population/account-details.jsonl',
    listSnapshotAccounts,
    ({ key }) => key,
    (row) => detailLine(row, ['app', 'id'], 'account'),
  ),
  grants,
  snapshotMember('population/conflicts.jsonl', 'review_conflict_grants'),
  snapshotMember('population/reviewed.jsonl', 'review_reviewed'),
];
