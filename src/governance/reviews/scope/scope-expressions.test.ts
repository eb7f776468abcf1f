/** Reviews of people and accounts that an expression chooses: the same whether the database evaluates it or not, and errors select nobody. */
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itemsAsked, openReviewTest, type ReviewTest } from '../../../../test/support/review.ts';
import { importGrants } from '../../../inventory/syncs/import-grants.ts';
import { importPeople } from '../../../inventory/syncs/import-people.ts';
import { prepareReview } from '../life/prepare.ts';
import { previewReview } from './preview.ts';

const people = [
  'email,display_name,manager_email,department,job_title,employment_status,cc',
  'ann@corp.example,Ann,max@corp.example,Fin,Acct,ACTIVE,7',
  'bob@corp.example,Bob,max@corp.example,Fin,Acct,ACTIVE,',
  'cyn@corp.example,Cyn,ida@corp.example,Eng,Dev,TERMINATED,7',
  'max@corp.example,Max,,Fin,Head,ACTIVE,',
  'ida@corp.example,Ida,,Eng,Head,ACTIVE,',
].join('\n');

const grants = [
  'account,email,account_type,account_status,resource_type,resource,entitlement',
  'a1,ann@corp.example,USER,ENABLED,role,Payroll,pay',
  'a1,ann@corp.example,USER,ENABLED,book,Ledger,sub',
  'a1,ann@corp.example,USER,ENABLED,team,Staff,grp',
  'a1,ann@corp.example,USER,ENABLED,code,Repo,rep',
  'a2,bob@corp.example,USER,ENABLED,role,Payroll,pay',
  'a3,cyn@corp.example,USER,ENABLED,book,Ledger,sub',
  's1,,SERVICE_ACCOUNT,ENABLED,code,Repo,rep',
].join('\n');

let test: ReviewTest;
let appId: string;
let subId: string;
beforeAll(async () => {
  test = await openReviewTest();
  const body = (text: string) => ({ body: Readable.from([Buffer.from(text)]), encoding: '' });
  await importPeople(test.admin(), { source: 'hr', allowRemovals: false }, body(people));
  const imported = await importGrants(test.admin(), { app: 'P', allowRemovals: false }, body(grants));
  appId = imported.appId;
  const { id } = await test.ours.system.db.one<{ id: string }>(
    "SELECT e.id FROM entitlements e WHERE e.tenant_id = $1 AND e.app_id = $2 AND e.external_id = 'sub'",
    [test.ours.tenant.id, appId],
  );
  subId = id;
});
afterAll(() => test.close());

const draft = (celExpression: string, member = 'celExpression') =>
  test.draft({ singleApp: { appId }, scopeV2: { [member]: { expression: celExpression } } } as never);

/** The accounts that a review by this expression asks about; the preview counts the same items. */
async function chosen(expression: string, member = 'celExpression'): Promise<string[]> {
  const review = await draft(expression, member);
  const { items: counted } = await previewReview(test.admin(), review.id);
  await prepareReview(test.admin(), review.id);
  await test.until(review.id, 'REVIEW');
  const items = await itemsAsked(test.admin(), review.id);
  expect(counted).toBe(items.length);
  return [...new Set(items.map((item) => item.split(' ')[0] ?? ''))];
}

async function refusal(expression: string, member = 'celExpression'): Promise<string> {
  const review = await draft(expression, member);
  const error = await prepareReview(test.admin(), review.id).catch((caught: unknown) => caught);
  return error instanceof Error ? error.message : 'not refused';
}

describe('people by expressions', () => {
  it.each([
    ['subject.profile.cc == "7"', ['a1', 'a3']],
    ['!has(subject.profile.cc)', ['a2']],
    ['type(subject.profile.cc) == string && type(subject.department) == string', ['a1', 'a3']],
    ['type(subject.profile.cc) == int', []],
    ['subject.profile.cc == "7" || subject.department == "Fin"', ['a1', 'a2', 'a3']],
    ['subject.manager == "max@corp.example" && subject.status == UserStatus.ENABLED', ['a1', 'a2']],
    ['subject.emails.exists(e, e.startsWith("cyn"))', ['a3']],
    ['c1.user.v1.HasApp(subject, "APP") && c1.user.v1.HasEntitlement(subject, "APP", "SUB")', ['a1', 'a3']],
    ['c1.user.v1.HasEntitlement(subject, "nowhere", "SUB") || subject.id == ""', []],
    ['c1.user.v1.GetAppUserStatus(subject, "APP") == UserStatus.ENABLED', ['a1', 'a2', 'a3']],
    ['c1.directory.users.v1.GetManagers(subject).exists(m, m.displayName == "Ida")', ['a3']],
    ['subject.id in c1.directory.users.v1.DirectReports(c1.directory.users.v1.FindByEmail("max@corp.example")).map(u, u.id)', ['a1', 'a2']],
    ['c1.directory.users.v1.GetManagers(subject)[0].department.split("i")[0] == "F"', ['a1', 'a2']],
    ['c1.directory.apps.v1.GetEntitlementMembers("APP", "SUB")', ['a1', 'a3']],
    ['[c1.directory.users.v1.FindByName("Bob")]', ['a2']],
    // As all names are compared.
    ['[c1.directory.users.v1.FindByName("\u00a0Bob\u200b ")]', ['a2']],
    ['c1.directory.users.v1.FindByEmail("nobody@corp.example").id == subject.id || subject.displayName == "Bob"', ['a2']],
  ])('%s', async (expression, accounts) => {
    const text = expression.replaceAll('APP', appId).replaceAll('SUB', subId);
    if (accounts.length === 0) {
      expect(await refusal(text)).toContain('no access is in scope');
      return;
    }
    expect(await chosen(text)).toEqual(accounts);
    // The same written so that the database does not evaluate it.
    if (!text.startsWith('[') && !text.startsWith('c1.directory.apps')) {
      expect(await chosen(`(${text}) && subject.id.split("x").size() >= 1`)).toEqual(accounts);
    }
  });

  it('that fail for everybody left are nobody', async () => {
    expect(await refusal('!(subject.profile.cc == "7")')).toContain('no access is in scope');
  });

  it('that make no list, or take too long, are refused at prepare', async () => {
    expect(await refusal('[c1.directory.users.v1.FindByEmail("nobody@corp.example")]')).toContain(
      'the list cannot be made: nobody has this address',
    );
  });

  it('say for each person and account why it is out', async () => {
    const review = await draft('subject.profile.cc == "7"');
    await prepareReview(test.admin(), review.id);
    await test.until(review.id, 'REVIEW');
    const rows = await test.admin().db.rows<{ account: string; excluded: string; error: string }>(
      `SELECT a.external_id AS account, a.excluded_by AS excluded, a.cel_error AS error FROM review_accounts a
       WHERE a.tenant_id = $1 AND a.review_id = $2 ORDER BY a.external_id`,
      [test.admin().tenantId, review.id],
    );
    expect(rows).toEqual([
      { account: 'a1', excluded: '', error: '' },
      { account: 'a2', excluded: 'CEL_ERROR', error: 'there is no cc' },
      { account: 'a3', excluded: '', error: '' },
      { account: 's1', excluded: 'UNOWNED', error: '' },
    ]);
  });
});

describe('accounts by expressions', () => {
  it.each([
    ['subject.appUserType == AppUserType.SERVICE_ACCOUNT', ['s1']],
    [
      'account.email.endsWith("@corp.example") && subject.status.status == Status.ENABLED && !(account.username in ["a1"])',
      ['a1', 'a2', 'a3'],
    ],
    ['"a2" in subject.usernames || subject.identityUserId == ""', ['a2', 's1']],
    ['c1.user.v1.ListAppUsersForUser(c1.directory.users.v1.FindByEmail("cyn@corp.example"), "APP")', ['a3']],
  ])('%s', async (expression, accounts) => {
    const text = expression.replaceAll('APP', appId);
    expect(await chosen(text, 'accountCelExpression')).toEqual(accounts);
    if (!text.startsWith('c1')) {
      expect(await chosen(`(${text}) && subject.id.split("x").size() >= 1`, 'accountCelExpression')).toEqual(accounts);
    }
  });
});
