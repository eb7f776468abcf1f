/** People: a commitment to each who was reviewed, which stays for ever, and beside it what it commits to, which may be erased; and those who reviewed. */
import { canonicalJson } from '../../lib/log/canonical-json.ts';
import { type CommittedRow, listSnapshotLines, listSnapshotPeople } from '../../governance/snapshots/index.ts';
import { type BundleMember, lineMember } from './member.ts';
import { listReviewers } from './list-reviewers.ts';

/** The line of what a commitment stands for, under these names: salt and value, or that they were erased. */
export function detailLine({ key, committed, salt }: CommittedRow, names: readonly string[], value: string): string {
  const ids = names.map((name, at) => `"${name}":${JSON.stringify(key[at] ?? '')}`);
  const said = salt === null ? ['"erased":true'] : [`"${value}":${committed}`, `"salt":"${salt}"`];
  // Members in order: canonical JSON has them so.
  return `{${[...ids, ...said].sort().join(',')}}`;
}

export const peopleMembers: readonly BundleMember[] = [
  lineMember(
    'people.jsonl',
    (context, reviewId, after, limit) => listSnapshotLines(context, 'review_people', reviewId, after, limit),
    ({ key }) => key,
    ({ line }) => line,
    'people',
  ),
  lineMember(
    'people-details.jsonl',
    listSnapshotPeople,
    ({ key }) => key,
    (row) => detailLine(row, ['id'], 'person'),
  ),
  lineMember(
    'reviewers.jsonl',
    listReviewers,
    ({ id }) => [id],
    (line) => canonicalJson({ ...line }),
  ),
];
