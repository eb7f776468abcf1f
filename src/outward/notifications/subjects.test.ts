/** Mails on access conflicts, templates that made no review, and removals: once each, over a real mail server, after outages too. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MailRun, openMailRun } from '../../../test/support/mail-run.ts';
import { readMessage } from '../../../test/support/mail-server.ts';
import { addBinding } from '../../governance/conflicts/change-entitlements.ts';
import { changeMonitor, createMonitor, deleteMonitor, enableMonitor } from '../../governance/conflicts/change-monitor.ts';
import { exemptAlert, withdrawExemption } from '../../governance/conflicts/exempt.ts';
import { listAlerts } from '../../governance/conflicts/store-alerts.ts';
import { drawSecondReview } from '../../governance/second-reviews/draw.ts';
import { claimRemoval } from '../../governance/revocations/act.ts';
import { requestRemoval } from '../../governance/revocations/create.ts';
import { followRemoval } from '../../governance/revocations/index.ts';
import { closeReview } from '../../governance/reviews/life/close.ts';
import { decideTask } from '../../governance/tasks/decisions/decide.ts';
import { reassignTask } from '../../governance/tasks/steering/reassign.ts';
import { createTemplate } from '../../governance/templates/create.ts';
import { deleteTemplate } from '../../governance/templates/delete.ts';

const header = 'account,email,account_type,account_status,resource_type,resource,entitlement';

let run: MailRun;
beforeAll(async () => {
  run = await openMailRun('2026-06-01T12:00:00Z');
});
afterAll(() => run.close());

/** Imports who has what in the app: "ann pay". */
const hold = (...lines: string[]): Promise<void> =>
  run.importGrants(
    [header, ...lines.map((line) => line.split(' ')).map(([who, what]) => `${who},${who}@mail.example,USER,ENABLED,role,Ledger,${what}`)],
    'Ledger',
  );
const lastTo = (name: string): string => readMessage(run.mail.to(`${name}@mail.example`).at(-1)?.raw ?? '').text;

describe('mails about access conflicts', () => {
  it('go to those whom the monitor names, about whoever comes into conflict, and about nothing else', async () => {
    const emailNotifications = { enabled: true, identityUserIds: [await run.userId('max'), await run.userId('cyn')] };
    const { id } = await createMonitor(run.as(), { displayName: 'Pays and reads', notificationConfig: { emailNotifications } });
    const silent = await createMonitor(run.as(), {
      displayName: 'Silent',
      notificationConfig: { emailNotifications: { ...emailNotifications, enabled: false } },
    });
    await hold('ann pay', 'ann read', 'bob pay', 'dan pay');
    for (const monitorId of [id, silent.id]) {
      for (const [name, side] of [
        ['pay', 'A'],
        ['read', 'B'],
      ] as const) {
        const [row] = await run.admin('SELECT id FROM entitlements WHERE app_id = $1 AND external_id = $2', [run.appId, name]);
        await addBinding(run.as(), { monitorId, appId: run.appId, entitlementId: String(row?.id), side });
      }
      await enableMonitor(run.as(), monitorId);
    }
    await run.moveTo('2026-06-01T12:30:00Z');
    const one = '1 person or account is in the access conflict "Pays and reads"';
    expect(run.news().map((line) => line.slice(18))).toEqual([`cyn: ${one}`, `max: ${one}`]);
    expect(lastTo('max')).toContain('  - Ann\n');
    // It lasts, is accepted, and is not accepted any more: nobody new is in conflict.
    const [alert] = await listAlerts(run.as(), { monitorId: id }, '', 10);
    await exemptAlert(run.as(), String(alert?.id), 'Small office', null);
    await withdrawExemption(run.as(), String(alert?.id));
    await run.moveTo('2026-06-01T14:30:00Z');
    expect(run.news()).toEqual([]);
    await hold('ann pay', 'ann read', 'bob pay', 'bob read', 'dan pay', 'dan read');
    await run.moveTo('2026-06-01T15:30:00Z');
    const two = '2 people or accounts are in the access conflict "Pays and reads"';
    expect(run.news().map((line) => line.slice(18))).toEqual([`cyn: ${two}`, `max: ${two}`]);
    expect(lastTo('cyn')).not.toContain('Ann');
    // What is over before its mail leaves is not said.
    await hold('ann pay', 'ann read');
    await hold('ann pay', 'ann read', 'bob pay', 'bob read');
    await hold('ann pay', 'ann read');
    await run.moveTo('2026-06-01T16:30:00Z');
    expect(run.news()).toEqual([]);
    await changeMonitor(run.as(), id, { displayName: 'Pays and reads' });
    await deleteMonitor(run.as(), id);
    await deleteMonitor(run.as(), silent.id);
  });
});

describe('mails about templates', () => {
  it('tell their owners, once, on which dates no review was made', async () => {
    const owners = [await run.userId('bob')];
    const recurrenceRule = { frequency: 'FREQUENCY_DAILY', startDate: '2026-06-03T08:00:00Z' };
    const { id } = await createTemplate(
      run.as(),
      { displayName: 'Daily', isCampaignScheduleEnabled: true, recurrenceRule } as never,
      owners,
    );
    await run.moveTo('2026-06-03T09:00:00Z');
    expect(run.news()).toEqual([]);
    await run.moveTo('2026-06-04T09:00:00Z');
    expect(run.news()).toEqual(['2026-06-04T08:05Z bob: The template "Daily" made no review on 1 date']);
    expect(lastTo('bob')).toContain('nobody has looked at the draft');
    await run.wakeAt('2026-06-08T09:00:00Z');
    await run.moveTo('2026-06-08T09:30:00Z');
    expect(run.news().map((line) => line.slice(18))).toEqual(['bob: The template "Daily" made no review on 4 dates']);
    expect(lastTo('bob')).toMatch(
      /on 3 dates of the schedule[\s\S]*On 1 date no review[\s\S]*- Friday, 5 June 2026\n {2}- Saturday, 6 June 2026/,
    );
    await deleteTemplate(run.as(), id);
    await run.moveTo('2026-06-10T12:00:00Z');
    expect(run.news()).toEqual([]);
  });
});

describe('mails about removals', () => {
  it('tell who removes what, what is overdue, and what is back; each once', async () => {
    await run.admin('INSERT INTO app_owners (tenant_id, app_id, user_id, created_at) VALUES ($1, $2, $3, now())', [
      run.ours.tenant.id,
      run.appId,
      await run.userId('dan'),
    ]);
    await hold('ann pay', 'ann read');
    const id = await run.open({ displayName: 'June' }, [await run.userId('bob')]);
    for (const task of await run.admin("SELECT id FROM tasks WHERE review_id = $1 AND state = 'OPEN'", [id])) {
      await decideTask(run.as(await run.userId('max')), { taskId: String(task.id), decision: 'DENY', comment: '', policyStepId: '' });
    }
    await closeReview(run.as(), id, '');
    await run.moveTo('2026-06-10T13:00:00Z');
    expect(run.news().map((line) => line.slice(18))).toEqual(['dan: 2 removals wait for you in "Ledger"']);
    expect(lastTo('dan')).toContain('  - Ledger: Ledger pay, account ann, Ann\n  - Ledger: Ledger read, account ann, Ann\n');
    // One of both is gone before it is due; the other one is overdue two weeks later, though nothing ran then.
    await hold('ann pay');
    await run.wakeAt('2026-06-24T13:00:00Z');
    await run.moveTo('2026-06-24T14:00:00Z');
    expect(run.news().map((line) => line.slice(18))).toEqual([
      'bob: 1 removal is overdue after the access review "June"',
      'dan: 1 removal is overdue in "Ledger"',
    ]);
    await run.moveTo('2026-07-03T12:00:00Z');
    expect(run.news().map((line) => line.slice(18))).toEqual(['admin@ours.example: 1 removal is overdue in "Ledger"']);
    await hold('bob pay');
    await hold('bob pay', 'ann pay');
    await run.moveTo('2026-07-03T13:00:00Z');
    expect(run.news().map((line) => line.slice(18))).toEqual([
      'bob: 1 removed grant is back after the access review "June"',
      'dan: 1 removed grant is back in "Ledger"',
    ]);
    await hold('bob pay');
    await run.moveTo('2026-09-01T13:00:00Z');
    expect(run.news()).toEqual([]);
    // The owners of the review have it in its evidence.
    expect((await run.events(id)).filter((kind) => kind === 'mail.sent')).toHaveLength(2);
  });

  it('go to the Super Administrators where an app has no owner, and to nobody about what was said to be done', async () => {
    await run.admin('DELETE FROM app_owners WHERE app_id = $1', [run.appId]);
    await hold('bob pay', 'bob read');
    const id = await run.open({ displayName: 'September' });
    for (const task of await run.admin("SELECT id FROM tasks WHERE review_id = $1 AND state = 'OPEN'", [id])) {
      await decideTask(run.as(await run.userId('max')), { taskId: String(task.id), decision: 'DENY', comment: '', policyStepId: '' });
    }
    await closeReview(run.as(), id, '');
    await run.settle();
    const [removal] = await run.admin("SELECT id FROM revocations WHERE review_id = $1 AND state = 'IN_PROGRESS' ORDER BY id LIMIT 1", [
      id,
    ]);
    await claimRemoval(run.as(), String(removal?.id), 'Done');
    await run.moveTo('2026-09-01T14:00:00Z');
    expect(run.news().map((line) => line.slice(18))).toEqual(['admin@ours.example: 1 removal waits for you in "Ledger"']);
  });

  it('ask those who have to approve a removal, and whoever carries it out once they did', async () => {
    const steps = [{ approval: { users: { userIds: [await run.userId('cyn')] } } }, { provision: {} }];
    const document = { displayName: 'Approved', policyType: 'POLICY_TYPE_REVOKE', policySteps: { revoke: { steps } } };
    await run.admin(
      `INSERT INTO policies (tenant_id, id, display_name, policy_type, document, created_at, updated_at)
       VALUES ($1, 'approved', 'Approved', 'POLICY_TYPE_REVOKE', $2, now(), now())`,
      [run.ours.tenant.id, JSON.stringify(document)],
    );
    await run.admin(`UPDATE apps SET document = document || '{"revokePolicyId": "approved"}' WHERE id = $1`, [run.appId]);
    await hold('bob pay', 'bob read', 'dan read');
    await run.moveTo('2026-10-01T12:00:00Z');
    run.news();
    const [held] = await run.admin(
      `SELECT a.id AS account, e.id AS entitlement FROM accounts a JOIN entitlements e ON e.app_id = a.app_id AND e.external_id = 'read'
       WHERE a.app_id = $1 AND a.external_id = 'dan'`,
      [run.appId],
    );
    const asked = { appId: run.appId, entitlementId: String(held?.entitlement), accountId: String(held?.account), userId: '' };
    const taskId = await requestRemoval(run.as(), { ...asked, description: '' });
    await run.moveTo('2026-10-01T12:30:00Z');
    expect(run.news().map((line) => line.slice(18))).toEqual(['cyn: 1 removal waits for your approval in "Ledger"']);
    expect(lastTo('cyn')).toContain('  - Ledger: Ledger read, account dan, Dan\n');
    await reassignTask(run.as(), { taskId, newUserIds: [await run.userId('max')], comment: '', policyStepId: '' });
    await run.moveTo('2026-10-01T12:45:00Z');
    expect(run.news().map((line) => line.slice(18))).toEqual(['max: 1 removal waits for your approval in "Ledger"']);
    await decideTask(run.as(await run.userId('max')), { taskId, decision: 'APPROVE', comment: '', policyStepId: '' }, followRemoval);
    await run.moveTo('2026-10-01T13:00:00Z');
    // Those of September wait for the same person.
    expect(run.news().map((line) => line.slice(18))).toContainEqual(
      expect.stringMatching(/^admin@ours\.example: [23] removals wait for you in "Ledger"$/),
    );
  });

  it('count what asks their reader alone, and go to whoever is asked in the place of somebody who left', async () => {
    const { db } = run.ours.system;
    const [cyn, max] = [await run.userId('cyn'), await run.userId('max')];
    const manual = { manual: { assignee: { users: { userIds: [cyn], fallbackUserIds: [max] } } } };
    const document = { policySteps: { revoke: { steps: [{ provision: { provisionPolicy: manual } }] } } };
    await run.admin(`UPDATE policies SET document = document || $1 WHERE id = 'approved'`, [JSON.stringify(document)]);
    await hold('bob pay', 'bob read', 'dan read', 'dan pay');
    await run.moveTo('2026-10-05T12:00:00Z');
    run.news();
    const [held] = await run.admin(
      `SELECT a.id AS account, e.id AS entitlement FROM accounts a JOIN entitlements e ON e.app_id = a.app_id AND e.external_id = 'pay'
       WHERE a.app_id = $1 AND a.external_id = 'dan'`,
      [run.appId],
    );
    const asked = { appId: run.appId, entitlementId: String(held?.entitlement), accountId: String(held?.account), userId: '' };
    const taskId = await requestRemoval(run.as(), { ...asked, description: '' });
    await run.moveTo('2026-10-05T12:30:00Z');
    // Others of the app ask somebody else.
    expect(run.news().map((line) => line.slice(18))).toEqual(['cyn: 1 removal waits for you in "Ledger"']);
    const people = (status: string): string[] => [
      'email,display_name,status,manager_email',
      'max@mail.example,Max Manager,ENABLED,',
      `cyn@mail.example,Cyn Chief,${status},`,
      ...['ann', 'bob', 'dan'].map((name) => `${name}@mail.example,${name},ENABLED,max@mail.example`),
    ];
    await run.importPeople(people('DISABLED'));
    await run.moveTo('2026-10-05T13:00:00Z');
    expect(run.news().map((line) => line.slice(18))).toEqual(['max: 1 removal waits for you in "Ledger"']);
    expect(
      await db.rows(`SELECT data -> 'tasks' AS tasks, data -> 'disabledIds' AS gone FROM events WHERE kind = 'revocations.handed_over'`),
    ).toEqual([{ tasks: 1, gone: [cyn] }]);
    await decideTask(run.as(max), { taskId, decision: 'APPROVE', comment: '', policyStepId: '' }, followRemoval);
    await run.importPeople(people('ENABLED'));
  });
});

describe('mails about second reviews', () => {
  it('go to those who are asked about something, once, and say nothing of what was decided', async () => {
    await run.moveTo('2026-11-02T12:00:00Z');
    run.news();
    const id = await run.open({ displayName: 'November' });
    for (const name of ['max', 'cyn']) {
      await run.finish(id, name);
    }
    await run.moveTo('2026-11-02T13:00:00Z');
    run.news();
    await drawSecondReview(run.as(), id, { sharePercent: 100, number: 0, reviewerIds: [await run.userId('ann'), await run.userId('dan')] });
    await run.moveTo('2026-11-02T14:00:00Z');
    expect(run.news().map((line) => line.slice(18))).toEqual(
      ['ann', 'dan'].map((name) => `${name}: The access review "November" asks for your second opinion`),
    );
    expect(lastTo('dan')).not.toMatch(/certified|approved|denied/i);
    await run.moveTo('2026-11-09T14:00:00Z');
    expect(run.news()).toEqual([]);
  });
});

describe('mails that leave later', () => {
  /** Asks to remove all access of an app that is made for it; the ids of the tasks. */
  const removeAll = async (name: string, ownerId: string, policy: object): Promise<string[]> => {
    const lines = ['ann', 'bob', 'dan'].map((who) => `${who},${who}@mail.example,USER,ENABLED,role,${name},pay`);
    await run.importGrants([header, ...lines], name);
    const [app] = await run.admin('SELECT id FROM apps WHERE display_name = $1', [name]);
    const appId = String(app?.id);
    await run.admin('UPDATE apps SET document = document || $2 WHERE id = $1', [appId, JSON.stringify(policy)]);
    await run.admin('INSERT INTO app_owners (tenant_id, app_id, user_id, created_at) VALUES ($1, $2, $3, now())', [
      run.ours.tenant.id,
      appId,
      ownerId,
    ]);
    const tasks: string[] = [];
    for (const { account, entitlement } of await run.admin(
      `SELECT a.id AS account, e.id AS entitlement FROM accounts a JOIN entitlements e ON e.app_id = a.app_id
       WHERE a.app_id = $1 AND e.external_id = 'pay' ORDER BY a.id`,
      [appId],
    )) {
      const asked = { appId, entitlementId: String(entitlement), accountId: String(account), userId: '' };
      tasks.push(await requestRemoval(run.as(), { ...asked, description: '' }));
    }
    await run.settle();
    return tasks;
  };
  const linesOf = (name: string): string[] =>
    run
      .news()
      .map((line) => line.slice(18))
      .filter((line) => line.startsWith(name));

  it('say of removals what still concerns their reader, and nothing else', async () => {
    await run.moveTo('2026-11-20T12:00:00Z');
    const [max, cyn] = [await run.userId('max'), await run.userId('cyn')];
    // Cyn is asked about all of them, and two go to somebody else before the mail leaves.
    const tasks = await removeAll('Vault', max, { revokePolicyId: 'approved' });
    for (const taskId of tasks.slice(1)) {
      await reassignTask(run.as(), { taskId, newUserIds: [max], comment: '', policyStepId: '' });
    }
    await run.moveTo('2026-11-20T12:30:00Z');
    expect(linesOf('cyn')).toEqual(['cyn: 1 removal waits for you in "Vault"']);
    // Of what is overdue, too, she hears of her own; of all of it whoever owns the app.
    await run.wakeAt('2026-12-15T12:00:00Z');
    await run.moveTo('2026-12-15T13:00:00Z');
    const overdue = run.news().map((line) => line.slice(18));
    expect(overdue).toContainEqual(expect.stringMatching(/^cyn: .*"Vault"$/));
    expect(lastTo('cyn')).not.toContain('Vault pay, account bob');
    expect(lastTo('max')).toContain('Vault pay, account bob');
    // She owns another app no more, and all its removals go to somebody else.
    const others = await removeAll('Safe', cyn, { revokePolicyId: 'approved' });
    await run.admin(`DELETE FROM app_owners USING apps a WHERE a.id = app_id AND a.display_name = 'Safe'`, []);
    for (const taskId of others) {
      await reassignTask(run.as(), { taskId, newUserIds: [max], comment: '', policyStepId: '' });
    }
    await run.moveTo('2026-12-15T14:00:00Z');
    expect(linesOf('cyn')).toEqual([]);
  });

  it('say nothing of conflicts to those who are not told of them any more', async () => {
    const [ann, dan] = [await run.userId('ann'), await run.userId('dan')];
    const told = (ids: string[]) => ({ notificationConfig: { emailNotifications: { enabled: true, identityUserIds: ids } } });
    const { id: monitorId } = await createMonitor(run.as(), { displayName: 'Both', ...told([ann, dan]) });
    const vault = (...whats: string[]) =>
      run.importGrants([header, ...whats.map((what) => `bob,bob@mail.example,USER,ENABLED,role,Vault,${what}`)], 'Vault');
    await vault('pay', 'read');
    await vault('pay');
    for (const [name, side] of [
      ['pay', 'A'],
      ['read', 'B'],
    ] as const) {
      const [row] = await run.admin(
        `SELECT e.id, e.app_id FROM entitlements e JOIN apps a ON a.id = e.app_id WHERE a.display_name = 'Vault' AND e.external_id = $1`,
        [name],
      );
      await addBinding(run.as(), { monitorId, appId: String(row?.app_id), entitlementId: String(row?.id), side });
    }
    await enableMonitor(run.as(), monitorId);
    await run.moveTo('2026-12-16T12:00:00Z');
    run.news();
    await vault('pay', 'read');
    await changeMonitor(run.as(), monitorId, told([dan]));
    await run.moveTo('2026-12-16T13:00:00Z');
    expect(run.news().map((line) => line.slice(18))).toEqual([expect.stringMatching(/^dan: 1 person .*"Both"$/)]);
  });
});
