/** A database of the release before removals kept the issuers of their steps: the log and the decisions know them, and what was inherited goes. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestDatabase } from '../../test/support/database.ts';
import { openDatabaseBefore } from '../../test/support/upgrade.ts';
import { silentLogger } from '../context.ts';
import { migrate } from './migrate.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await openDatabaseBefore('_issuers_of_removals.sql');
});
afterAll(() => test.close());

const at = (day: number): Date => new Date(Date.UTC(2026, 5, day));

async function move(id: string, state: string, day: number, actorId: string, claim = ''): Promise<void> {
  await test.admin(
    `UPDATE revocations SET state = $2, state_at = $3, actor_id = $4 ${claim} WHERE tenant_id = 'one' AND id = $1 RETURNING id`,
    [id, state, at(day), actorId],
  );
}

async function addEvent(id: string, kind: string, day: number, issuerId: string): Promise<void> {
  await test.admin(
    `INSERT INTO events (tenant_id, id, occurred_at, kind, actor_kind, actor_id, issuer_id, target_type, target_id)
     VALUES ('one', $1 || $2, $3, $2, 'user', 'ann', $4, 'revocation', $1)`,
    [id, kind, at(day), issuerId],
  );
}

it('gives each step of a removal the issuer that is known of it', async () => {
  for (const id of ['moved', 'plain']) {
    const issuer = id === 'moved' ? 'super' : '';
    await test.admin(
      `INSERT INTO revocations (tenant_id, id, certify_task_id, app_id, entitlement_id, account_id, denied_by_id, state, state_at, actor_id, created_at, updated_at)
       VALUES ('one', $1, $1, 'app', 'entitlement', $1, 'ann', 'HELD', $2, 'ann', $2, $2)`,
      [id, at(1)],
    );
    await test.admin(
      `INSERT INTO task_actions (tenant_id, task_id, id, review_id, kind, step, step_generation, actor_id, issuer_id, comment, created_at)
       VALUES ('one', $1, 'deny', 'review', 'DENIED', 0, 1, 'ann', $2, '', $3)`,
      [id, issuer, at(1)],
    );
    await move(id, 'REQUESTED', 2, '');
    await move(id, 'CLAIMED', 3, 'ann', `, actor_issuer_id = '${issuer}', claimed_issuer_id = '${issuer}'`);
    await addEvent(id, 'revocation.claimed', 3, issuer);
    // As the release before left it: with the issuer of the claim.
    await move(id, 'STILL_PRESENT', 4, '');
  }
  await migrate(test.database, silentLogger);
  expect(
    await test.admin(
      `SELECT r.id, r.denied_issuer_id AS denied, r.actor_issuer_id AS actor, r.claimed_issuer_id AS claimed,
         (SELECT json_agg(c.state || ' ' || c.actor_issuer_id ORDER BY c.id) FROM revocation_changes c WHERE c.revocation_id = r.id) AS steps
       FROM revocations r ORDER BY r.id`,
    ),
  ).toEqual([
    { id: 'moved', denied: 'super', actor: '', claimed: 'super', steps: ['HELD super', 'REQUESTED ', 'CLAIMED super', 'STILL_PRESENT '] },
    { id: 'plain', denied: '', actor: '', claimed: '', steps: ['HELD ', 'REQUESTED ', 'CLAIMED ', 'STILL_PRESENT '] },
  ]);
});
