/** Time stamp servers that take their time: what the signer reads after it, and that nobody else waits meanwhile. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decide, type SigningTest, startSigning } from '../support/signing.ts';

const signers = 100;
let test: SigningTest;

beforeAll(async () => {
  test = await startSigning();
});
afterAll(() => test.stop());

it.each(['/hanging', '/slow'])('that answers as %s does is given up after 10 s, for a hundred at once, while others work', async (path) => {
  const { reviewId, taskIds } = await test.openSigned({ stepUpProviderId: '' });
  const { db, tenantId } = test.server.system();
  const signature = await test.prepare(reviewId, decide(taskIds.slice(0, 2)));
  await db.run('UPDATE signatures SET tsp_url = $3 WHERE tenant_id = $1 AND id = $2', [tenantId, signature.id, `${test.tsa.url}${path}`]);
  const plain = await test.openSigned({ stepUpProviderId: '', tspUrl: '' });
  const other = await test.prepare(plain.reviewId, decide(plain.taskIds.slice(0, 1)));
  const sign = () => test.send('POST', `/api/v1/signatures/${signature.id}/sign`, {});
  let waiting = signers;
  const began = performance.now();
  const signing = Array.from({ length: signers }, () =>
    sign().then((answer) => {
      waiting -= 1;
      return { answer, took: performance.now() - began };
    }),
  );
  expect((await test.send('POST', `/api/v1/signatures/${other.id}/sign`, {})).status).toBe(200);
  // Another signature is given before the first of them is answered, since none of them holds a connection to the database.
  expect(waiting).toBe(signers);
  expect(await db.rows("SELECT 1 FROM pg_stat_activity WHERE state = 'idle in transaction'", [])).toEqual([]);

  const answers = await Promise.all(signing);
  const host = new URL(test.tsa.url).host;
  for (const { answer, took } of answers) {
    expect([answer.status, answer.body.message]).toEqual([
      503,
      expect.stringContaining(`The time stamp server ${host} did not answer in 10 s.`),
    ]);
    expect(took).toBeGreaterThan(9_900);
  }
  await db.run('UPDATE signatures SET tsp_url = $3 WHERE tenant_id = $1 AND id = $2', [tenantId, signature.id, `${test.tsa.url}/stamp`]);
  const once = await Promise.all(Array.from({ length: 10 }, sign));
  expect(once.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
});
