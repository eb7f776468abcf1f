/** Migration of routes on a database of a release before: open reviews go on by the policies that they froze. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../test/support/database.ts';
import { openDatabaseBefore } from '../../test/support/upgrade.ts';
import { silentLogger } from '../context.ts';
import { readPlans } from '../governance/snapshots/index.ts';
import { scopeOf } from '../../test/support/tasks.ts';
import { migrate } from './migrate.ts';

describe('routes of a database of a release before', () => {
  let test: TestDatabase;
  const tenant = 'TenantA';
  const steps = (approval: object) => ({ steps: [{ approval }] });
  beforeAll(async () => {
    test = await openDatabaseBefore('_routes.sql');
    const db = test.database.tenant(tenant);
    await db.run(
      `INSERT INTO policies (tenant_id, id, display_name, policy_type, document, created_at, updated_at) VALUES
         ($1, 'P1', 'P1', 'POLICY_TYPE_CERTIFY', $2, now(), now()), ($1, 'P2', 'P2', 'POLICY_TYPE_CERTIFY', '{}', now(), now())`,
      [tenant, JSON.stringify({ baselinePolicyId: 'P2', rules: [{ policyId: 'P2' }, { stepKey: 'x' }] })],
    );
    for (const [id, number, document] of [
      ['P1', 1, { displayName: 'First', policySteps: { certify: steps({ manager: {} }) } }],
      ['P2', 2, { displayName: 'Second', policySteps: { other: steps({ appOwners: {} }) } }],
    ] as const) {
      await db.run(`INSERT INTO review_policies (tenant_id, review_id, policy_id, document) VALUES ($1, 'R', $2, $3)`, [
        tenant,
        id,
        JSON.stringify({ ...document, id }),
      ]);
      await db.run(
        `INSERT INTO tasks (tenant_id, id, review_id, numeric_id, app_id, entitlement_id, account_id, policy_id, created_at, updated_at)
         VALUES ($1, $2, 'R', $3, 'app', $2, 'a', $2, now(), now())`,
        [tenant, id, number],
      );
      await db.run(
        `INSERT INTO task_subject_assignments (tenant_id, review_id, policy_id, app_id, user_id, assignment_id) VALUES ($1, 'R', $2, 'app', 'u', $2)`,
        [tenant, id],
      );
    }
    await migrate(test.database, silentLogger);
  });
  afterAll(() => test.close());

  it('are one for each policy of each review, and tasks and their first reviewers are on them', async () => {
    const db = test.database.tenant(tenant);
    expect(
      await db.rows(`SELECT route_no AS no, policy_id AS id, document FROM review_routes WHERE tenant_id = $1 ORDER BY route_no`, [tenant]),
    ).toEqual([
      {
        no: 0,
        id: 'P1',
        document: { id: 'P1', displayName: 'First', policySteps: { certify: steps({ manager: {}, allowDelegation: true }) } },
      },
      {
        no: 1,
        id: 'P2',
        document: { id: 'P2', displayName: 'Second', policySteps: { certify: steps({ appOwners: {}, allowDelegation: true }) } },
      },
    ]);
    expect(await db.rows('SELECT id, route_no AS no FROM tasks WHERE tenant_id = $1 ORDER BY id', [tenant])).toEqual([
      { id: 'P1', no: 0 },
      { id: 'P2', no: 1 },
    ]);
    expect(
      await db.rows(
        'SELECT route_no AS no, object_id AS object, assignment_id AS id FROM task_subject_assignments WHERE tenant_id = $1 ORDER BY 1',
        [tenant],
      ),
    ).toEqual([
      { no: 0, object: '', id: 'P1' },
      { no: 1, object: '', id: 'P2' },
    ]);
    expect(await db.rows('SELECT policy_id AS id, referenced_id AS other FROM policy_references WHERE tenant_id = $1', [tenant])).toEqual([
      { id: 'P1', other: 'P2' },
    ]);
  });

  it('are the same as those a fill that goes on reads', async () => {
    const plans = await readPlans(scopeOf(test.database.tenant(tenant), tenant, ''), 'R');
    expect(plans.turns.get('P1')).toEqual([{ conditions: [], rules: [], policies: ['P1'], route: 0 }]);
    expect(plans.turns.get('P2')).toEqual([{ conditions: [], rules: [], policies: ['P2'], route: 1 }]);
  });
});
