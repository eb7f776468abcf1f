/** A policy with rules, as the documents show it, from prepare to start: which item takes which steps, and what it decides by itself. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, request, tokenOf } from '../support/api.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

const people = [
  'email,display_name,employment_status,department,job_title,manager_email',
  'ann@corp.test,Ann,ACTIVE,Fin,Acct,max@corp.test',
  'bob@corp.test,Bob,ACTIVE,Fin,Acct,max@corp.test',
  'cyn@corp.test,Cyn,TERMINATED,Eng,Dev,ida@corp.test',
  'max@corp.test,Max,ACTIVE,,,',
  'ida@corp.test,Ida,ACTIVE,,,',
].join('\n');
const grants = [
  'account,email,account_type,account_status,resource_type,resource,entitlement',
  ...['pay', 'sub', 'grp', 'rep'].map((entitlement) => `a1,ann@corp.test,USER,ENABLED,role,R,${entitlement}`),
  'a2,bob@corp.test,USER,ENABLED,role,R,pay',
  'a3,cyn@corp.test,USER,ENABLED,role,R,sub',
  's1,,SERVICE_ACCOUNT,ENABLED,role,R,rep',
].join('\n');

describe('a policy with rules', () => {
  let server: TestServer;
  let appId: string;
  let high: string;
  const call = async (method: string, path: string, body?: unknown, status = 200): Promise<Loose> => {
    const answer = await request(server, server.admin, method, path, body);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(status);
    return answer.body;
  };
  const importCsv = async (path: string, csv: string): Promise<void> => {
    const headers = { authorization: `Bearer ${await tokenOf(server, server.admin)}`, 'content-type': 'text/csv' };
    expect((await server.fetch(path, { method: 'POST', headers, body: csv })).status).toBe(200);
  };

  beforeAll(async () => {
    server = await useTestServer();
    await importCsv('/api/v1/imports/people', people);
    await importCsv('/api/v1/imports/grants?app=P', grants);
    const { db, tenantId } = server.system();
    appId = (await db.one<{ id: string }>('SELECT a.id FROM apps a WHERE a.tenant_id = $1', [tenantId])).id;
    high = (await call('POST', '/api/v1/attributes/risk_levels', { value: 'Very high' })).value.id;
    const { id } = await db.one<{ id: string }>(`SELECT e.id FROM entitlements e WHERE e.tenant_id = $1 AND e.external_id = 'pay'`, [
      tenantId,
    ]);
    await call('POST', `/api/v1/apps/${appId}/entitlements/${id}`, { entitlement: { riskLevelValueId: high } });
  });
  afterAll(() => server.stop());

  const draft = async (policyId: string): Promise<string> => {
    const { id } = (await call('POST', '/api/v1/access_review', { displayName: 'Rules', policyId })).accessReview.accessReview;
    await call('POST', `/api/v1/access_review/${id}`, { accessReview: { singleApp: { appId } } });
    return id;
  };
  const act = async (id: string, action: string, state: string): Promise<void> => {
    await call('POST', `/api/v1/access_review/${id}/action/${action}`, {});
    await expect
      .poll(async () => (await call('GET', `/api/v1/access_review/${id}`)).accessReview.accessReview.state, { timeout: 60_000 })
      .toBe(`ACCESS_REVIEW_STATE_${state}`);
  };

  const askedIn = async (id: string): Promise<Loose> => {
    const { db, tenantId } = server.system();
    const rows = await db.rows<Loose>(
      `SELECT a.external_id || ' ' || e.display_name AS item, ARRAY(SELECT split_part(u.email, '@', 1) FROM users u WHERE u.id = ANY (s.user_ids) ORDER BY 1) AS asked, s.reason
       FROM tasks t JOIN review_accounts a ON a.review_id = t.review_id AND a.account_id = t.account_id
       JOIN review_entitlements e ON e.review_id = t.review_id AND e.entitlement_id = t.entitlement_id
       LEFT JOIN task_assignments s ON s.id = t.assignment_id
       WHERE t.tenant_id = $1 AND t.review_id = $2 ORDER BY 1`,
      [tenantId, id],
    );
    return Object.fromEntries(rows.map(({ item, asked, reason }) => [item, reason === 'EXPRESSION' ? asked.join() : reason]));
  };

  it('takes each item along the steps of the first rule that holds for it', async () => {
    const page = await readFile(join(import.meta.dirname, '../../docs/policies.md'), 'utf8');
    const example = /```json\n(.*?)```/s.exec(page)?.[1] ?? '';
    const { policy } = await call('POST', '/api/v1/policies', JSON.parse(example.replace('HIGH', high)));
    const id = await draft(policy.id);
    await act(id, 'prepare', 'REVIEW');
    await act(id, 'start', 'OPEN');
    const { db, tenantId } = server.system();
    const rows = await db.rows<Loose>(
      `SELECT a.external_id || ' ' || e.display_name AS item, jsonb_array_length(r.document #> '{policySteps,certify,steps}') AS steps, t.state, t.outcome,
         coalesce(t.decided_by_id, '') AS decider, ARRAY(SELECT split_part(u.email, '@', 1) FROM users u WHERE u.id = ANY (s.user_ids)) AS asked
       FROM tasks t JOIN review_routes r ON r.review_id = t.review_id AND r.route_no = t.route_no
       JOIN review_accounts a ON a.review_id = t.review_id AND a.account_id = t.account_id
       JOIN review_entitlements e ON e.review_id = t.review_id AND e.entitlement_id = t.entitlement_id
       LEFT JOIN task_assignments s ON s.id = t.assignment_id
       WHERE t.tenant_id = $1 AND t.review_id = $2 ORDER BY 1`,
      [tenantId, id],
    );
    const open = (item: string, steps: number, asked: string) => ({ item, steps, state: 'OPEN', outcome: '', decider: '', asked: [asked] });
    expect(rows).toEqual([
      open('a1 R grp', 1, 'max'),
      open('a1 R pay', 2, 'max'),
      open('a1 R rep', 1, 'max'),
      open('a1 R sub', 1, 'max'),
      open('a2 R pay', 2, 'max'),
      open('a3 R sub', 1, 'ida'),
      { item: 's1 R rep', steps: 1, state: 'CLOSED', outcome: 'CERTIFIED', decider: '', asked: [] },
    ]);

    // The policy changes: what is asked already stays, and a task that is reset starts over by the policy of today.
    const ida = (await db.one<{ id: string }>(`SELECT u.id FROM users u WHERE u.tenant_id = $1 AND u.email = 'ida@corp.test'`, [tenantId]))
      .id;
    const changed = { policySteps: { certify: { steps: [{ approval: { users: { userIds: [ida] } } }] } }, rules: [] };
    await call('POST', `/api/v1/policies/${policy.id}`, { policy: changed });
    const tasks = await db.rows<{ id: string }>(
      `SELECT t.id FROM tasks t JOIN review_entitlements e ON e.review_id = t.review_id AND e.entitlement_id = t.entitlement_id
       WHERE t.tenant_id = $1 AND t.review_id = $2 AND e.display_name IN ('R grp', 'R rep') ORDER BY e.display_name, t.outcome`,
      [tenantId, id],
    );
    expect(tasks).toHaveLength(3);
    for (const task of [tasks[0], tasks[2]]) {
      const { taskView } = await call('POST', `/api/v1/tasks/${task?.id}/action/reset`, { comment: 'The policy was wrong.' });
      expect(taskView.task.state).toBe('TASK_STATE_OPEN');
    }
    expect(await askedIn(id)).toMatchObject({ 'a1 R grp': 'USERS', 's1 R rep': 'USERS', 'a1 R pay': 'MANAGER', 'a1 R sub': 'MANAGER' });
    const versions = await db.rows<Loose>(
      `SELECT v.version, (SELECT count(*) FROM review_routes r WHERE r.review_id = v.review_id AND r.version = v.version) AS routes
       FROM review_policy_versions v WHERE v.tenant_id = $1 AND v.review_id = $2`,
      [tenantId, id],
    );
    expect(versions).toEqual([{ version: 1, routes: 1 }]);
    const events = await db.rows<Loose>(
      `SELECT data ->> 'version' AS version FROM events WHERE tenant_id = $1 AND review_id = $2 AND kind = 'task.hard_reset'`,
      [tenantId, id],
    );
    expect(events).toEqual([{ version: '1' }, { version: '1' }]);
  });

  it('asks those whom the first expression with people finds, by what it reads', async () => {
    const page = await readFile(join(import.meta.dirname, '../../docs/policies.md'), 'utf8');
    const example = JSON.parse([...page.matchAll(/```json\n(.*?)```/gs)][1]?.[1] ?? '');
    const ask = async (expressions: readonly string[]): Promise<string> => {
      const sent = { ...example, policySteps: { certify: { steps: [{ approval: { expression: { expressions } } }] } } };
      return draft((await call('POST', '/api/v1/policies', sent)).policy.id);
    };
    const { policy } = await call('POST', '/api/v1/policies', example);
    const byPerson = await draft(policy.id);
    await act(byPerson, 'prepare', 'REVIEW');
    const managed = { 'a1 R grp': 'max', 'a1 R pay': 'max', 'a1 R rep': 'max', 'a1 R sub': 'max', 'a2 R pay': 'max', 'a3 R sub': 'ida' };
    expect(await askedIn(byPerson)).toEqual({ ...managed, 's1 R rep': 'REVIEW_OWNERS' });
    const { db, tenantId } = server.system();
    const events = await db.rows<Loose>(
      `SELECT data FROM events WHERE tenant_id = $1 AND target_id = $2 AND kind = 'review.approvers_failed' ORDER BY id`,
      [tenantId, byPerson],
    );
    expect(events.length).toBeGreaterThan(0);

    const find = (mail: string): string => `c1.directory.users.v1.FindByEmail("${mail}@corp.test")`;
    const byEntitlement = await ask([`entitlement.displayName == "R pay" ? [${find('ann')}, ${find('bob')}] : []`, find('ida')]);
    await act(byEntitlement, 'prepare', 'REVIEW');
    expect(await askedIn(byEntitlement)).toMatchObject({ 'a1 R pay': 'bob', 'a2 R pay': 'ann', 'a1 R sub': 'ida', 's1 R rep': 'ida' });

    const byAccount = await ask([`account.appUserType == AppUserType.SERVICE_ACCOUNT ? [${find('ida')}] : []`, find('max')]);
    await act(byAccount, 'prepare', 'REVIEW');
    expect(await askedIn(byAccount)).toMatchObject({ 'a1 R pay': 'max', 's1 R rep': 'ida' });

    const both = await ask([
      `subject.displayName == "Ann" && entitlement.displayName == "R pay" ? [${find('ida')}] : []`,
      `[${find('max')}, ${find('ann')}]`,
    ]);
    const { items, reviewers } = await call('POST', `/api/v1/access_review/${both}/preview`, {});
    expect([items, reviewers.map((one: Loose) => [one.displayName, one.items])]).toEqual([
      '7',
      [
        ['Max', '6'],
        ['Ann', '3'],
        ['Ida', '1'],
      ],
    ]);
    await act(both, 'prepare', 'REVIEW');
    expect(await askedIn(both)).toMatchObject({ 'a1 R pay': 'ida', 'a1 R sub': 'max', 'a2 R pay': 'ann,max', 's1 R rep': 'ann,max' });
  });

  it('counts what a condition fails for', async () => {
    const make = async (condition: string): Promise<string> => {
      const steps = { steps: [{ approval: { manager: {} } }] };
      const rules = [{ condition, stepKey: 'other' }];
      const sent = { displayName: 'P', policyType: 'POLICY_TYPE_CERTIFY', rules, policySteps: { certify: steps, other: steps } };
      return (await call('POST', '/api/v1/policies', sent)).policy.id;
    };
    const dated = await draft(await make('task.createdAt > timestamp("2020-01-01T00:00:00Z") && task.origin == TaskOrigin.ACCESS_REVIEW'));
    await act(dated, 'prepare', 'REVIEW');
    const keys = await server
      .system()
      .db.rows<Loose>(
        'SELECT DISTINCT r.step_key AS key FROM tasks t JOIN review_routes r ON r.review_id = t.review_id AND r.route_no = t.route_no WHERE t.review_id = $1',
        [dated],
      );
    expect(keys).toEqual([{ key: 'other' }]);
    const id = await draft(await make('subject.profile.none == "x"'));
    await act(id, 'prepare', 'REVIEW');
    const { db, tenantId } = server.system();
    const events = await db.rows<Loose>(
      `SELECT data FROM events WHERE tenant_id = $1 AND target_id = $2 AND kind = 'review.conditions_failed'`,
      [tenantId, id],
    );
    expect(events).toEqual([{ data: expect.objectContaining({ counts: [{ condition: 'subject.profile.none == "x"', count: 4 }] }) }]);
  });

  /** The items that take the rule's steps, in the database's hands and in ours, and what the preview says of that. */
  const ruled = async (condition: string): Promise<{ id: string; items: string[]; accepted: string }> => {
    const other = { steps: [{ accept: {} }] };
    const steps = { certify: { steps: [{ approval: { manager: {} } }] }, other };
    const sent = { displayName: 'P', policyType: 'POLICY_TYPE_CERTIFY', rules: [{ condition, stepKey: 'other' }], policySteps: steps };
    const id = await draft((await call('POST', '/api/v1/policies', sent)).policy.id);
    const { acceptedItems } = await call('POST', `/api/v1/access_review/${id}/preview`, {});
    await act(id, 'prepare', 'REVIEW');
    const rows = await server.system().db.rows<{ item: string }>(
      `SELECT a.external_id || ' ' || e.display_name AS item FROM tasks t JOIN review_routes r ON r.review_id = t.review_id AND r.route_no = t.route_no
       JOIN review_accounts a ON a.review_id = t.review_id AND a.account_id = t.account_id
       JOIN review_entitlements e ON e.review_id = t.review_id AND e.entitlement_id = t.entitlement_id
       WHERE t.review_id = $1 AND r.step_key = 'other' ORDER BY 1`,
      [id],
    );
    return { id, items: rows.map(({ item }) => item), accepted: acceptedItems };
  };

  it('decides by rules that read the entitlement and its holder together, whoever evaluates them', async () => {
    const { db, tenantId } = server.system();
    // trim() has no translation, and changes nothing here.
    for (const [condition, items] of [
      ['entitlement.riskLevelValueId == "HIGH" && subject.department == "Fin"', ['a1 R pay', 'a2 R pay']],
      ['entitlement.riskLevelValueId == "HIGH" && subject.department.trim() == "Fin"', ['a1 R pay', 'a2 R pay']],
      ['entitlement.displayName.endsWith("pay") != (subject.displayName == "Ann")', ['a1 R grp', 'a1 R rep', 'a1 R sub', 'a2 R pay']],
      ['entitlement.displayName == "R " + account.username.trim() || entitlement.displayName.trim() == account.displayName', []],
      [
        '(entitlement.displayName + subject.displayName).contains("payBob") || task.subjectUserId == "" && task.isGrantPermanent',
        ['a2 R pay', 's1 R rep'],
      ],
      ['subject == null && entitlement.displayName < "S" && task.grantDuration < duration("1h")', []],
      [
        'c1.user.v1.HasEntitlement(subject, entitlement.appId, entitlement.id) && entitlement.displayName == "R sub"',
        ['a1 R sub', 'a3 R sub'],
      ],
      ['!task.analysis.hasConflictViolations && task.analysis.id == "" && entitlement.displayName == "R grp"', ['a1 R grp']],
    ] as const) {
      const found = await ruled(condition.replace('HIGH', high));
      expect([condition, found.items, found.accepted]).toEqual([condition, items, String(items.length)]);
      const kept = await db.rows('SELECT 1 FROM review_items WHERE tenant_id = $1', [tenantId]);
      expect(kept).toEqual([]);
    }
    for (const condition of [
      'subject.department == "Fin" && entitlement.displayName < subject.profile.none',
      'subject.department.trim() == "Fin" && entitlement.displayName.trim() < subject.profile.none',
    ]) {
      const { id, items } = await ruled(condition);
      const events = await db.rows<Loose>(
        `SELECT data FROM events WHERE tenant_id = $1 AND target_id = $2 AND kind = 'review.conditions_failed'`,
        [tenantId, id],
      );
      expect([items, events.map(({ data }) => [data.counts, data.examples.length])]).toEqual([[], [[[{ condition, count: 6 }], 6]]]);
      expect(events[0]?.data.examples[0]).toEqual({ condition, id: expect.stringContaining('/'), error: expect.any(String) });
    }
  });

  it('refuses a condition over items that would take too long, and says what to do', async () => {
    const lines = Array.from({ length: 30 }, (_, at) => `q${at},,USER,ENABLED,role,R,use`);
    await importCsv(
      '/api/v1/imports/grants?app=Q',
      ['account,email,account_type,account_status,resource_type,resource,entitlement', ...lines].join('\n'),
    );
    const { db, tenantId } = server.system();
    const { id: other } = await db.one<{ id: string }>(`SELECT a.id FROM apps a WHERE a.tenant_id = $1 AND a.display_name = 'Q'`, [
      tenantId,
    ]);
    const compared = Array.from({ length: 18 }, () => 'letter == account.displayName.trim()').join(' || ');
    const rules = [{ condition: `entitlement.slug.split("").exists(letter, ${compared})`, stepKey: 'certify' }];
    const policySteps = { certify: { steps: [{ approval: { manager: {} } }] } };
    const { policy } = await call('POST', '/api/v1/policies', { displayName: 'P', policyType: 'POLICY_TYPE_CERTIFY', rules, policySteps });
    const id = await draft(policy.id);
    await call('POST', `/api/v1/access_review/${id}`, { accessReview: { singleApp: { appId: other } } });
    for (const path of ['preview', 'action/prepare']) {
      const refused = await call('POST', `/api/v1/access_review/${id}/${path}`, {}, 400);
      expect(refused.message).toMatch(
        /accessReview.policyId: the condition .* for each of 30 items, more than 20000000; .*narrow the scope/,
      );
    }
  });
});
