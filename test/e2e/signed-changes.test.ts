/** Single changes of signed submissions in the database: whatever a hand there changes of them, the check of the log names it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkLog, sealFirst } from '../../src/foundation/log-proofs/index.ts';
import { createRandom } from '../support/random.ts';
import { runs } from '../support/runs.ts';
import { seedOfRun } from '../support/seed.ts';
import { makeSignedReview, type SignedReview } from '../support/signed-review.ts';
import { type SigningTest, startSigning } from '../support/signing.ts';
import { changeCell, type ChangedRow, listCells } from '../support/single-changes.ts';

/** Columns of which nothing is known but what they say, each with the reason. Whatever else these tables have or get is evidence. */
const noEvidence: Readonly<Record<string, string>> = {
  'signatures.idempotency_key': 'The client made it up, to send a request again.',
  'signatures.request_digest': 'It tells whether a request with the same key is the same.',
  'signatures.expires_at': 'It ended what waited, and this was signed.',
  'submissions.idempotency_key': 'As that of signatures.',
  'submissions.request_digest': 'As that of signatures.',
  'submissions.results': 'The answer to a client that sends its request again; what was decided is in the actions.',
  'step_up_transactions.state_hash': 'It found the step-up when the browser came back, once.',
  'events.xact': 'It finds events that are to be sealed.',
  'events.seq': 'It orders events that are to be sealed.',
};

/** What of a task is its decision; where it is in a queue is none, and what it is about was recorded when it was made. */
const decided = ['state', 'outcome', 'end_reason', 'decided_by_id', 'decided_issuer_id', 'ended_at', 'certify_until'];

let test: SigningTest;
let signed: SignedReview;
let since: number;
let before: ReadonlySet<string>;

const check = async (): Promise<readonly string[]> => (await checkLog(test.server.system(), { outside: [] }, since)).sentences;

/** Every row that belongs to the signatures of the review. */
async function listRows(): Promise<ChangedRow[]> {
  const ids = (rows: Record<string, unknown>[]): string[] => rows.map((row) => String(row['id']));
  const of = (table: string, column: string, found: readonly string[]): ChangedRow[] =>
    found.map((id) => ({ table, where: `${column} = '${id}'` }));
  const find = async (table: string, where: string, column = 'id') =>
    ids(await test.server.test.admin(`SELECT ${column} AS id FROM countersign.${table} WHERE ${where}`));
  const ofReview = `review_id = '${signed.reviewId}'`;
  const signatures = await find('signatures', ofReview);
  const stepUps = await find('step_up_transactions', `signature_id IN ('${signatures.join("', '")}')`);
  const actions = await find('task_actions', ofReview);
  const events = await find(
    'events',
    `target_id IN ('${[...signatures, ...stepUps].join("', '")}') OR kind IN ('review.submitted', 'review.acknowledged') AND ${ofReview}`,
  );
  const tasks = await find('task_actions', `${ofReview} AND submission_id <> ''`, 'DISTINCT task_id');
  return [
    ...of('signatures', 'id', signatures),
    ...of('step_up_transactions', 'id', stepUps),
    ...of('submissions', 'id', await find('submissions', ofReview)),
    ...of('task_actions', 'id', actions),
    ...of('tasks', 'id', tasks),
    ...of('events', 'id', events),
    ...of('log_leaves', 'event_id', events),
  ];
}

beforeAll(async () => {
  test = await startSigning();
  const { db, tenantId } = test.server.system();
  ({ size: since } = await db.one<{ size: number }>('SELECT max(size) AS size FROM logs WHERE tenant_id = $1', [tenantId]));
  signed = await makeSignedReview(test);
  await sealFirst(test.server.system());
  // The samples of the world have rows that were written past the services.
  before = new Set(await check());
});
afterAll(() => test.stop());

it('are none at first', () => {
  const own = [signed.reviewId, ...signed.taskIds, signed.submission, signed.amendment, signed.byCredential, signed.acknowledgement];
  expect([...before].filter((sentence) => own.some((id) => sentence.includes(id)))).toEqual([]);
});

// In rounds, none of which takes long.
it.each(Array.from({ length: runs(1, 10) }, (_, round) => round))('are all found, round %i', async (round) => {
  const random = createRandom(seedOfRun + round);
  const cells = (await listCells(test.server, await listRows())).filter(
    ({ table, column }) => noEvidence[`${table}.${column}`] === undefined && (table !== 'tasks' || decided.includes(column)),
  );
  const byColumn = [...Map.groupBy(cells, ({ table, column }) => `${table}.${column}`).values()];
  const missed: string[] = [];
  for (let made = 0; made < runs(50, 100); ) {
    // Each column as often as any other, however many rows there are.
    const own = byColumn[Math.floor(random() * byColumn.length)] ?? [];
    const [cell] = own.slice(Math.floor(random() * own.length));
    const change = cell === undefined ? undefined : await changeCell(test.server, random, cell);
    if (change === undefined) {
      continue;
    }
    made++;
    if ((await check()).every((sentence) => before.has(sentence))) {
      missed.push(change.words);
    }
    await change.takeBack();
  }
  expect(missed).toEqual([]);
  expect(await check()).toEqual([...before]);
});
