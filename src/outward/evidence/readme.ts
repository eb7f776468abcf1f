/** The page in words with which a bundle begins. */
import type { Context } from '../../context.ts';
import { escapeHtml } from '../../lib/html.ts';
import { readVersion } from '../../lib/version.ts';
import { type ArrivalCounts, findArrivalCounts } from '../../governance/reviews/index.ts';
import { countOutcomes, countSigned, type SignedCounts, type TaskCounts } from '../../governance/tasks/index.ts';
import type { BundlePlace } from './member.ts';

/** Contents of the members, for somebody who has never seen one. */
const contents: readonly (readonly [names: string, holds: string])[] = [
  ['review.json, policies.jsonl', 'what was reviewed, and the policies that decided who was asked, as they were frozen'],
  ['summary.pdf', 'the review in twenty pages at most, to be read and printed'],
  ['people.jsonl, people-details.jsonl', 'a commitment to each person who was reviewed; beside it the name, unless it was erased'],
  [
    'reviewers.jsonl, signers.jsonl',
    'who was asked, decided, claimed a removal, issued what that came through, or owns the review; and who signed',
  ],
  ['population/', 'every entitlement, account and grant of the apps when the review was prepared, with what left it out, if anything did'],
  ['items.jsonl, decisions.jsonl, comments.jsonl, outcomes.jsonl', 'what was asked of whom, every act on it, and how it ended'],
  ['signatures.jsonl', 'signed submissions: the record, the ID token of the signer, the time stamp'],
  ['revocations.jsonl', 'what became of access that was denied'],
  [
    'sources.jsonl, source-changes.jsonl, completeness.json',
    'where the access came from, by file and hash, and the sums that tie it all together',
  ],
  ['arrivals.jsonl', 'access that came into the scope after the snapshot until the review closed, about which this review asked nobody'],
  [
    'second-review.json, second-review.jsonl, tie-out.json, tie-out-lines.jsonl',
    'a blind second review, and the comparison with the review before, where there are any',
  ],
  [
    'log/',
    'the events of the review and those it rests on, the tree of the log that they are in, its signed checkpoint, and checkpoints that others hold',
  ],
  ['keys/', 'keys to check with; better are those that you have from elsewhere'],
  ['hashes.jsonl, manifest.json, seal/', 'the hashes of all of this, and the proof that the log holds the hash of the manifest'],
  [
    'seal/timestamp.tsr',
    'when a time stamp server saw the seal; it is not there where none was chosen, or none answered when the file was made',
  ],
];

const listed = (items: readonly string[]): string => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;

/** Tells what came after the snapshot, and names the reviews that ask about it. */
function describeArrivals({ counted, arrived, unasked, supplements, supplementOf }: ArrivalCounts): string[] {
  const nameOf = ({ displayName, accessReviewId }: ArrivalCounts['supplements'][number]): string =>
    `${escapeHtml(displayName)} (<code>${escapeHtml(accessReviewId)}</code>)`;
  const came =
    arrived === 0
      ? 'No access came into the scope after the snapshot.'
      : `${arrived} ${arrived === 1 ? 'grant' : 'grants'} came into the scope after the snapshot, and this review asked nobody about ${arrived === 1 ? 'it' : 'them'}. ${unasked === 0 ? 'Supplementary reviews ask about all of it' : `No review asks about ${unasked} of them`}.`;
  return [
    ...(counted ? [`<p>${came}</p>`] : []),
    ...(supplements.length > 0 ? [`<p>Supplementary reviews: ${supplements.map(nameOf).join(', ')}.</p>`] : []),
    ...(supplementOf === undefined ? [] : [`<p>It supplements the review ${nameOf(supplementOf)}.</p>`]),
  ];
}

/** Tells how the items ended, and how many of them a person decided. */
function describeItems({ total, certified, revoked, cancelled, withoutOutcome, byPeople }: TaskCounts): string {
  const ends: readonly (readonly [count: number, words: string])[] = [
    [certified, 'certified'],
    [revoked, 'denied or revoked'],
    [cancelled, 'cancelled'],
    [withoutOutcome, 'without an outcome'],
  ];
  const said = ends.flatMap(([count, words]) => (count === 0 ? [] : [`${count} ${words}`]));
  return `${total} ${total === 1 ? 'item' : 'items'}: ${said.join(', ')}. A person decided ${byPeople} of them.`;
}

/** Tells how many items are signed; nothing of a review that asks for no signatures. */
function describeSigned(counts: SignedCounts | undefined): string[] {
  if (counts === undefined) {
    return [];
  }
  const { signed, notByPerson, notSigned } = counts;
  const without =
    notSigned === 0 ? '' : ` ${notSigned} that a person is said to have decided ${notSigned === 1 ? 'is' : 'are'} NOT SIGNED.`;
  return [
    `<p>The review asked for signatures. ${signed} of its items ${signed === 1 ? 'is' : 'are'} signed by the person who decided. ${notByPerson} ended without a person, by a policy, an earlier review, the close or the loss of the access, and nobody signed that.${without}</p>`,
  ];
}

/** The page. It loads nothing and runs nothing. */
export async function getReadme(context: Context, { report, review }: BundlePlace): Promise<string> {
  const name = escapeHtml(review.document.displayName ?? '');
  const counts = await countOutcomes(context, review.id);
  const day = (at: Date | null): string => at?.toISOString().slice(0, 10) ?? 'never';
  return [
    `<!doctype html><meta charset="utf-8"><title>Evidence of ${name}</title><h1>${name}</h1>`,
    `<p>An access review, started on ${day(review.startedAt)} and closed on ${day(review.closedAt)}. ${describeItems(counts)}</p>`,
    ...describeSigned(await countSigned(context, review.id)),
    ...describeArrivals(await findArrivalCounts(context, review)),
    '<p>This file proves what was decided to somebody who trusts neither the service nor whoever runs it. Check it with either of two programs, ',
    'without a network:</p>',
    '<pre>countersign verify FILE --key KEY\npython3 verify.py FILE --key KEY</pre>',
    '<p>KEY is the public key of the log, which you should have from somebody other than who gave you this file. Without it the programs believe the ',
    'key in here, and say so. They end with 0 where all holds, 1 where something does not, and name the file and the line.</p>',
    `<h2>What is in it</h2>${listed(contents.map(([names, holds]) => `<code>${names}</code>: ${holds}`))}`,
    '<h2>What you still have to believe</h2>',
    listed([
      'that the service recorded what people did while they did it; a signature of a person shows more than the log alone',
      'that the sources said the truth about who has which access',
      'the key, if nobody outside vouches for it',
    ]),
    `<p>Made ${report.createdAt.toISOString()} by Countersign ${escapeHtml(readVersion())}.</p>\n`,
  ].join('\n');
}
