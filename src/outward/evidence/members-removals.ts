/** The fate of denied access, the sources of the population, and the sums that hang it all together. */
import { canonicalJson } from '../../lib/log/canonical-json.ts';
import { writeCompleteness } from './completeness.ts';
import { listArrivalLines } from '../../governance/reviews/index.ts';
import { type BundleMember, lineMember, wholeMember } from './member.ts';
import { snapshotMember } from './members-population.ts';
import { listRemovals } from './store.ts';

export const removalMembers: readonly BundleMember[] = [
  lineMember('revocations.jsonl', listRemovals, ({ id }) => [id], canonicalJson),
  snapshotMember('sources.jsonl', 'review_sources'),
  snapshotMember('source-changes.jsonl', 'review_source_changes'),
  lineMember(
    'arrivals.jsonl',
    listArrivalLines,
    ({ key }) => key,
    ({ line }) => line,
  ),
  wholeMember('completeness.json', (context, { review }) => writeCompleteness(context, review)),
];
