/** Expressions that compile in each place, what they read and cost, and the errors of those that do not. */
import { describe, expect, it } from 'vitest';
import { compileExpression } from './compile.ts';
import { directoryFunctions, type Environment, environmentNames } from './environments.ts';

const messages = (text: string, environment: Environment = 'REVIEW_USERS'): string[] => {
  const compiled = compileExpression(text, environment);
  return 'errors' in compiled ? compiled.errors.map(({ message }) => message) : [];
};
const compile = (text: string, environment: Environment = 'REVIEW_USERS') => {
  const compiled = compileExpression(text, environment);
  if ('errors' in compiled) {
    throw new Error(compiled.errors[0]!.message);
  }
  return compiled.expression;
};

describe('messages', () => {
  it.each([
    ['', 'line 1, column 1: the expression is empty'],
    [' \n ', 'line 1, column 1: the expression is empty'],
    ['1 +', 'line 1, column 4: the expression ends too early: something is missing behind +'],
    ['subject.departmnt == "x"', /^line 1, column 9: User has no field departmnt; it has id, email/],
    ['true &&\n  subject.foo', /^line 2, column 11: User has no field foo/],
    ['"\u{1f600}" == subject.foo', /^line 1, column 17: /],
    ['nothing == 1', /^line 1, column 1: nothing is called nothing here; what may be named: subject, user$/],
    ['subject.department', /^line 1, column 1: the expression must give a bool or a list of people \(list<User>\), and it gives string$/],
    ['subject.department < 5', /^line 1, column 1: < does not apply to string and int$/],
    ['subject.department.foo()', /^line 1, column 20: there is no function foo\(\) here$/],
    ['true && c1.app_user.v1.GetX(subject)', /^line 1, column 9: there is no function c1.app_user.v1.GetX\(\) here$/],
    ['ip("1.2.3.4") == ip("1.2.3.4")', /there is no function ip\(\) here/],
    ['cidr("10.0.0.0/8").containsIP("10.1.1.1")', /there is no function cidr\(\) here|containsIP/],
    ['c1.directory.groups.v1.FindByName("x") == null', /there is no function c1.directory.groups.v1.FindByName\(\) here/],
    [
      'c1.user.v1.GrantedFromEnrollment(subject, "a", "e")',
      /^line 1, column 1: the function c1.user.v1.GrantedFromEnrollment\(\) is not available here$/,
    ],
    ['c1.user.v1.HasApp(subject)', /does not take \(User\); it takes \(User, string\)/],
    ['subject.status == "ENABLED"', /^line 1, column 19: UserStatus has no such value; write UserStatus.ENABLED/],
    ['subject.status == UserStatus.GONE', /^line 1, column 30: UserStatus has no value GONE/],
    ['subject.email.matches("(")', /^line 1, column 23: this is not a regular expression/],
    ['subject.emails.exists(e)', /exists\(\) is written list.exists\(item, ...\)/],
    ['has(subject)', /has\(\) is written has\(subject.profile.key\)/],
    ['1u == 1', /unsigned numbers are not supported/],
    ['b"x" == b"x"', /bytes are not supported/],
    ['9223372036854775808 == 1', /too large for an int/],
    ['task.origin == TaskOrigin.API', /nothing is called task here/],
    ['[subject]', /^line 1, column 2: a list is made once for the whole review, so it cannot name the subject/],
    ['c1.directory.users.v1.GetManagers(subject)', /cannot name the subject/],
    ['[1, 2]', /the expression must give a bool or a list of people/],
    ['!subject.email', /^line 1, column 1: ! does not apply to string$/],
    ['subject.email ==', /^line 1, column 17: the expression ends too early: something is missing behind ==$/],
    ['subject.email == "a" &&', /^line 1, column 24: the expression ends too early: something is missing behind &&$/],
    ['subject.email == == "a"', /^line 1, column 18: "=" is not expected here$/],
    ['subject.email == )', /^line 1, column 18: "\)" is not expected here$/],
    ['subject.email == * 2', /^line 1, column 18: "\*" is not expected here$/],
    ['subject.email == "a', /^line 1, column 18: the text that begins here is not closed: " is missing$/],
    ['(subject.email == "a"', /^line 1, column 22: the expression ends too early: "\)" is missing$/],
    ['subject.email in ["a"', /^line 1, column 22: the expression ends too early: "\]" is missing$/],
    [
      'subject.email.startsWith("a" "b")',
      /^line 1, column 15: the call of startsWith cannot be read: look at what stands between its brackets$/,
    ],
    ['type(subject.profile.x) == text', /^line 1, column 28: nothing is called text here/],
    ['subject.email && true', /each side of && must be a bool, and this is string/],
  ])('%j', (text, expected) => {
    const [first] = messages(text);
    expect(first).toMatch(expected);
  });

  it('are several at once', () => {
    expect(messages('subject.foo == 1 && subject.bar == 2')).toHaveLength(2);
  });

  it('say what a task does not have yet', () => {
    expect(messages('task.numericId == "1"', 'POLICY_CONDITION')[0]).toMatch(/column 6: the task's numericId is not known yet/);
  });
});

describe('environments', () => {
  const good: [Environment, string][] = [
    ['REVIEW_USERS', 'subject.department == "Fin"'],
    ['REVIEW_USERS', 'c1.directory.apps.v1.GetEntitlementMembers("app", "entitlement")'],
    ['REVIEW_USERS', '[c1.directory.users.v1.FindByEmail("a@b.example")]'],
    ['REVIEW_ACCOUNTS', 'subject.appUserType == AppUserType.SERVICE_ACCOUNT && account.id != ""'],
    ['REVIEW_ACCOUNTS', 'c1.user.v1.ListAppUsersForUser(c1.directory.users.v1.GetByID("x"), "app")'],
    [
      'POLICY_CONDITION',
      'entitlement.riskLevelValueId == "high" && entitlement.risk_level_value_id == "high" && subject.department == "x"',
    ],
    ['POLICY_CONDITION', 'task.analysis.hasConflictViolations || task.isGrantPermanent || task.createdAt < now'],
    ['POLICY_CONDITION', 'c1.user.v1.GrantedFromEnrollment(subject, entitlement.appId, entitlement.id)'],
    ['WAIT', 'c1.user.v1.GetAppUserStatus(subject, "app") == UserStatus.DISABLED'],
    ['POLICY_APPROVER', 'appOwners'],
    ['POLICY_APPROVER', 'c1.directory.users.v1.FindByEmail("a@b.example")'],
    ['POLICY_APPROVER', 'c1.directory.users.v1.GetManagers(subject) + [c1.directory.users.v1.GetByID("x")]'],
    ['POLICY_APPROVER', 'has(subject.profile.x) ? appOwners : []'],
    ['POLICY_APPROVER', 'appOwners.filter(o, o.id != subject.id)'],
    ['POLICY_APPROVER', 'c1.user.v1.GetAppUserManagers(subject, "app")'],
    ['TRIGGER', 'ctx.trigger.oldUser.department != ctx.trigger.newUser.department'],
    ['TRIGGER', 'ctx.trigger.new_user.status == UserStatus.DISABLED'],
  ];
  it.each(good)('%s takes %s', (environment, text) => {
    expect(messages(text, environment)).toEqual([]);
  });

  const bad: [Environment, string][] = [
    ['REVIEW_USERS', 'account.id == ""'],
    ['REVIEW_ACCOUNTS', 'user.id == ""'],
    ['REVIEW_ACCOUNTS', 'c1.user.v1.HasApp(c1.directory.users.v1.GetByID("x"), "app")'],
    ['POLICY_CONDITION', 'appOwners'],
    ['POLICY_CONDITION', 'subject'],
    ['POLICY_APPROVER', 'true'],
    ['TRIGGER', 'subject.id == ""'],
    ['TRIGGER', 'c1.directory.users.v1.GetByID("x").id == ""'],
  ];
  it.each(bad)('%s does not take %s', (environment, text) => {
    expect(messages(text, environment)).not.toEqual([]);
  });

  it('offer each function exactly where its table says', () => {
    const call: Record<string, string> = { User: 'c1.directory.users.v1.GetByID("x")', string: '"x"', list: '[]' };
    for (const [name, { takes, where }] of Object.entries(directoryFunctions)) {
      const args = takes[0]!.map((type) => call[type.kind === 'object' ? type.name : type.kind]).join(', ');
      for (const environment of environmentNames) {
        const isThere = (where as readonly string[]).includes(environment);
        const said = messages(`${name}(${args}) == null`, environment).some((message) =>
          message.includes(`${name}() is not available here`),
        );
        expect([name, environment, said]).toEqual([name, environment, !isThere]);
      }
    }
  });
});

describe('limits', () => {
  it.each([
    ['bytes', `"${'ä'.repeat(4096)}" == ""`, /longer than 8192 bytes/],
    ['brackets', `${'('.repeat(65)}1${')'.repeat(65)} == 1`, /brackets are nested deeper than 64/],
    ['nodes', `[${'1,'.repeat(4000)}1] == []`, /more than 4000/],
    ['depth', `1${'+1'.repeat(500)} == 1`, /nested deeper than 400/],
    ['ternaries', `${'true?true:'.repeat(800)}true`, /nested/],
    ['comprehensions', '[1].all(a, [1].all(b, [1].all(c, true)))', /no more than 2 of/],
    ['cost', 'c1.directory.users.v1.DirectReports([]).all(a, c1.directory.users.v1.DirectReports([]).all(b, true))', /more than 1000000/],
  ])('%s', (_, text, expected) => {
    expect(messages(text)[0]).toMatch(expected);
  });

  it('let a long chain through, and brackets within texts and comments', () => {
    expect(
      messages(
        Array.from({ length: 600 }, (_, at) => `false || ${at} == 1`)
          .join(' || ')
          .slice(0, 8000)
          .replace(/ \|\|[^|]*$/, ''),
      ),
    ).toEqual([]);
    expect(messages(`"${'('.repeat(100)}" != '${'['.repeat(100)}' // ${'{'.repeat(100)}\n && true`)).toEqual([]);
    expect(messages('true //\n && true')).toEqual([]);
  });
});

describe('what an expression reads', () => {
  it('names variables, fields and functions', () => {
    const condition = compile(
      'entitlement.riskLevelValueId == "x" && subject.profile.cc == "7" && has(subject.jobTitle)',
      'POLICY_CONDITION',
    );
    expect([...condition.variables].toSorted()).toEqual(['entitlement', 'subject']);
    expect([...condition.fields].toSorted()).toEqual(['entitlement.riskLevelValueId', 'subject.jobTitle', 'subject.profile']);
    const asked = compile('c1.user.v1.HasApp(user, "x")');
    expect([...asked.functions]).toEqual(['c1.user.v1.HasApp']);
    expect([...asked.fields]).toEqual(['subject']);
    expect(asked.cost).toBeLessThan(10);
    expect(compile('subject.emails.exists(e, e == "")').cost).toBeLessThan(1000);
  });
});
