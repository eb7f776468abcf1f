/**
 * kill -9 at random moments of processes that do what is due at dates: each wait ends once, each escalation happens once, and each occurrence of a
 * template is made or missed once. COUNTERSIGN_KILLS and COUNTERSIGN_KILL_SEED as everywhere.
 */
import { describe, expect, it } from 'vitest';
import { createPolicy } from '../../src/governance/policies/create.ts';
import { createTemplate } from '../../src/governance/templates/create.ts';
import { kills, seed, useEngine } from '../support/engine.ts';

const hourMs = 3_600_000;
const engine = useEngine(300, ['pay', 'read', 'post', 'sign']);

describe('what is due at dates', () => {
  it(`happens once to each task through ${2 + 2 * kills} kills (seed ${seed})`, { timeout: 500_000 }, async () => {
    const policy = await createPolicy(engine.as(), {
      displayName: 'Wait, then hurry',
      policyType: 'POLICY_TYPE_CERTIFY',
      policySteps: {
        certify: {
          steps: [
            { wait: { duration: { duration: '3600s' }, commentOnFirstWait: 'One hour.' } },
            {
              approval: {
                manager: { fallback: true },
                escalationEnabled: true,
                escalation: { expiration: '3600', reassignToApprovers: { approverIds: [engine.test().ours.basicId] } },
              },
            },
          ],
        },
      },
    } as never);
    const id = await engine.prepare({ policyId: (policy as { id: string }).id });
    await engine.open(id);
    await engine.strike(2, 2_000);
    await engine.untilNone("SELECT state FROM reviews WHERE id = $1 AND state <> 'OPEN'", [id]);
    await engine.untilNone(
      `SELECT t.id FROM tasks t WHERE t.review_id = $1
         AND NOT EXISTS (SELECT FROM task_actions x WHERE x.tenant_id = t.tenant_id AND x.task_id = t.id AND x.kind = 'COMMENTED')`,
      [id],
    );
    await engine.stop();
    const [{ count: tasks } = {}] = await engine.rows('SELECT count(*)::int FROM tasks WHERE review_id = $1', [id]);
    expect(tasks).toBe(1200);
    await engine.strike(kills, 2_000, 1.5 * hourMs);
    await engine.untilNone("SELECT id FROM tasks WHERE review_id = $1 AND (state <> 'OPEN' OR step <> 1)", [id]);
    await engine.stop();
    await engine.strike(kills, 2_000, 4 * hourMs);
    await engine.untilNone(
      `SELECT t.id FROM tasks t JOIN task_assignments s ON s.tenant_id = t.tenant_id AND s.id = t.assignment_id
       WHERE t.review_id = $1 AND (t.state <> 'OPEN' OR NOT $2 = ANY (s.user_ids))`,
      [id, engine.test().ours.basicId],
    );
    await engine.stop();
    const count = (sql: string) => engine.rows(sql, [id]);
    expect(
      await count(
        `SELECT happened, count(*)::int FROM (SELECT array_agg(x.kind ORDER BY x.id) AS happened FROM task_actions x
         WHERE x.review_id = $1 GROUP BY x.task_id) h GROUP BY happened`,
      ),
    ).toEqual([{ happened: ['COMMENTED', 'PASSED', 'ESCALATED'], count: 1200 }]);
    expect(
      await count(
        `SELECT kind, count(*)::int, count(DISTINCT target_id)::int AS once FROM events
         WHERE review_id = $1 AND kind IN ('task.wait_passed', 'task.escalated', 'task.timer_failed') GROUP BY kind ORDER BY kind`,
      ),
    ).toEqual([
      { kind: 'task.escalated', count: 1200, once: 1200 },
      { kind: 'task.wait_passed', count: 1200, once: 1200 },
    ]);
    console.log(`seed ${seed}: 1200 waits and 1200 escalations, ${2 + 2 * kills} kills`);
  });

  it(`is made once of each template through ${kills} kills (seed ${seed})`, { timeout: 400_000 }, async () => {
    const startDate = new Date(Date.now() + hourMs).toISOString();
    const templates = 120;
    for (let number = 0; number < templates; number++) {
      const recurrenceRule = { frequency: 'FREQUENCY_DAILY', startDate } as const;
      await createTemplate(engine.as(), { displayName: `Daily ${number}`, isCampaignScheduleEnabled: true, recurrenceRule }, []);
    }
    await engine.strike(kills, 500, 4 * 24 * hourMs);
    await engine.untilNone('SELECT id FROM review_templates WHERE reviews_made = 0');
    await engine.stop();
    const outcomes = await engine.rows(
      `SELECT outcomes, made, said, count(*)::int FROM (SELECT t.id, t.reviews_made AS made,
         (SELECT array_agg(o.outcome ORDER BY o.number) FROM template_occurrences o WHERE o.template_id = t.id) AS outcomes,
         (SELECT array_agg(e.kind ORDER BY e.id) FROM events e WHERE e.target_id = t.id AND e.kind LIKE 'template.occurrence%') AS said
       FROM review_templates t) x GROUP BY outcomes, made, said`,
    );
    const said = ['MISSED', 'MISSED', 'MISSED', 'MADE'].map((outcome) => `template.occurrence_${outcome.toLowerCase()}`);
    expect(outcomes).toEqual([{ outcomes: ['MISSED', 'MISSED', 'MISSED', 'MADE'], made: 1, said, count: templates }]);
    expect(
      await engine.rows('SELECT count(*)::int, count(DISTINCT template_id)::int AS once FROM reviews WHERE template_id <> $1', ['']),
    ).toEqual([{ count: templates, once: templates }]);
    console.log(`seed ${seed}: ${templates} templates, ${kills} kills`);
  });
});
