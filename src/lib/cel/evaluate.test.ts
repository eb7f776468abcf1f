/** Expression results: values, errors and how && and || absorb them, functions, answers that are loaded in rounds. */
import { describe, expect, it } from 'vitest';
import { compileExpression } from './compile.ts';
import type { Environment } from './environments.ts';
import type { Question } from './evaluate.ts';
import { evaluate, evaluateAll, readIds } from './index.ts';
import { CelObject, Failure, type Result } from './values.ts';

const now = new Date('2026-06-15T12:00:00Z');
const ann = new CelObject('User', {
  id: 'ann',
  email: 'ann@corp.example',
  emails: ['ann@corp.example', 'ann@home.example'],
  displayName: 'Ann',
  department: 'Fin',
  status: 'ENABLED',
  type: 'HUMAN',
  managerId: 'max',
  profile: { cc: '7', level: 5, senior: true, nothing: null, tags: ['a', 'b'], 'cost center': 'x' },
});
const s1 = new CelObject('AppUser', { id: 's1', appUserType: 'SERVICE_ACCOUNT', status: { status: 'DISABLED' } });

function run(
  text: string,
  environment: Environment = 'REVIEW_USERS',
  variables: Record<string, CelObject | null> = { subject: ann },
): Result {
  const compiled = compileExpression(text, environment);
  if ('errors' in compiled) {
    throw new Error(compiled.errors.map(({ message }) => message).join('; '));
  }
  return evaluate(compiled.expression, { variables, now });
}

const failing = (text: string): string => {
  const result = run(text);
  return result instanceof Failure ? result.message : `no failure: ${String(result)}`;
};

describe('fields', () => {
  it.each([
    'subject.department == "Fin"',
    'user.department == "Fin"',
    'subject.job_title == ""',
    'subject.jobTitle == ""',
    'subject.display_name == "Ann"',
    'subject.manager_id == "max"',
    'subject.status == UserStatus.ENABLED',
    'subject.status == USER_STATUS_ENABLED',
    'subject.status == UserStatus.USER_STATUS_ENABLED',
    'subject.status == "USER_STATUS_ENABLED"',
    'subject.type == UserType.HUMAN',
    'subject.profile.cc == "7"',
    'subject.attributes.cc == "7"',
    'subject.profile["cost center"] == "x"',
    'has(subject.profile.cc) && !has(subject.profile.nothing) && !has(subject.profile.other)',
    'has(subject.department) && !has(subject.job_title)',
    '"cc" in subject.profile && !("nothing" in subject.profile)',
    'subject.profile.level == 5 && subject.profile.level > 4 && subject.profile.level < 5.5',
    'subject.profile.senior',
    'subject.profile.tags.exists(t, t == "b")',
    'subject.emails.exists(e, e.endsWith("@home.example"))',
    'subject.emails.all(e, e.startsWith("ann")) && subject.emails[1] != subject.email',
    'subject.emails.exists_one(e, e.contains("corp"))',
    'subject.emails.filter(e, e.contains("corp")).map(e, e.size()) == [16]',
    'subject.emails.map(e, e.contains("corp"), e.upperAscii())[0] == "ANN@CORP.EXAMPLE"',
  ])('%s', (text) => {
    expect(run(text)).toBe(true);
  });

  it.each([
    'subject.appUserType == AppUserType.SERVICE_ACCOUNT',
    'account.app_user_type == APP_USER_TYPE_SERVICE_ACCOUNT',
    'subject.status.status == Status.DISABLED',
    'subject.status.status == AppUserStatus.DISABLED',
    'subject.status.status == APP_USER_STATUS_DISABLED && subject.status.details == ""',
  ])('of accounts: %s', (text) => {
    expect(run(text, 'REVIEW_ACCOUNTS', { subject: s1 })).toBe(true);
  });

  it('answers nobody where an account is unowned', () => {
    expect(run('subject == null', 'POLICY_CONDITION', { subject: null })).toBe(true);
    expect(run('subject.department == "Fin"', 'POLICY_CONDITION', { subject: null })).toBeInstanceOf(Failure);
    expect(run('subject != null && subject.department == "Fin"', 'POLICY_CONDITION', { subject: null })).toBe(false);
  });
});

describe('errors', () => {
  it('names what is absent', () => {
    expect(failing('subject.profile.gone == "7"')).toBe('there is no gone');
    expect(failing('!(subject.profile.gone == "7")')).toBe('there is no gone');
  });

  it.each([
    ['subject.profile.gone == "7" || true', true],
    ['true || subject.profile.gone == "7"', true],
    ['subject.profile.gone == "7" && false', false],
    ['["a", "b"].exists(x, x == "b" || subject.profile.gone == x)', true],
    ['["a", "b"].all(x, x == "b" && subject.profile.gone == x)', false],
    ['has(subject.profile.gone) ? subject.profile.gone == "7" : true', true],
  ])('are absorbed: %s is %s', (text, expected) => {
    expect(run(text)).toBe(expected);
  });

  it.each([
    'subject.profile.gone == "7" || false',
    'subject.profile.gone == "7" && true',
    '1 / 0 == 1',
    '9223372036854775807 + 1 > 0',
    'subject.emails[7] == ""',
    'int("x") == 1',
    'int("") == 0',
    'timestamp("x") < now',
    'duration("x") < duration("1h")',
    'subject.profile.cc > 5',
    'subject.profile.cc',
    '"a".matches(subject.profile.cc + "(")',
    'subject.profile.cc.nothing == 1',
    'time.parse("2026-13-01", TimeFormat.DATE) < now',
    '"abc".substring(2, 1) == ""',
    'now.getHours("Nowhere/City") == 1',
  ])('stay: %s', (text) => {
    expect(run(text)).toBeInstanceOf(Failure);
  });
});

describe('operators and functions', () => {
  it.each([
    '1 == 1.0 && 1 != 2 && 1 < 1.5 && 2.5 > 2',
    '"a" != 1 && !("a" == 1) && null == null',
    '7 / 2 == 3 && -7 / 2 == -3 && 7 % 4 == 3 && 7.0 / 2.0 == 3.5',
    '"\u{1f600}" > "\ufffd" && "a" < "b" && "" < "a" && "ab" > "a"',
    'size("a\u{1f600}b") == 3 && "a\u{1f600}b".charAt(1) == "\u{1f600}" && "a\u{1f600}b".indexOf("b") == 2',
    '"abc".indexOf("z") == -1 && "abcabc".indexOf("b", 2) == 4',
    '"abc".substring(1) == "bc" && "a\u{1f600}bc".substring(1, 3) == "\u{1f600}b"',
    '"a-b-c".split("-") == ["a", "b", "c"] && "a-b-c".split("-", 2) == ["a", "b-c"] && ["a", "b"].join("+") == "a+b"',
    '"a-b-c".replace("-", "") == "abc" && "a-b-c".replace("-", "", 1) == "ab-c" && "ab".replace("", "_") == "_a_b_"',
    '"  x\t".trim() == "x" && "ÄB".lowerAscii() == "Äb" && "äb".upperAscii() == "äB"',
    '"".ifEmpty("x") == "x" && ifEmpty("y", "x") == "y"',
    '"abc".matches("^a.c$") && "xabcx".matches("abc") && !"ABC".matches("abc")',
    'int("42") == 42 && int(4.9) == 4 && int("-7") == -7 && double("1.5") == 1.5 && string(42) == "42" && bool("true")',
    'string(1.5) == "1.5" && string(true) == "true" && string(duration("90s")) == "90s"',
    'type(1) == type(2) && type(1) != type("")',
    'type("") == string && type(1) == int && type(1.5) == double && type([1]) == list && type({"a": 1}) == map && type(null) == null_type',
    'type(true) == bool && type(true) != string && type(int) == type && [1, 2].all(int, type(int) == type(1))',
    'type(now) == timestamp && type(now()) != duration && type(duration("1s")) == duration && type(timestamp) == type && type("") != bytes',
    '[1, 2] + [3] == [1, 2, 3] && 2 in [1, 2] && 2.0 in [1, 2] && !("x" in [1])',
    '{"a": 1}.a == 1 && {"a": 1}["a"] == 1 && "a" in {"a": 1} && {1: 2}[1.0] == 2',
    'now == timestamp("2026-06-15T12:00:00Z") && now() - duration("720h") < timestamp("2026-05-17T00:00:00Z")',
    'timestamp("2026-06-15T14:00:00+02:00") == now && string(now) == "2026-06-15T12:00:00Z"',
    'now - timestamp("2026-06-14T12:00:00Z") == duration("24h") && duration("1h30m") == duration("90m")',
    'now.getFullYear() == 2026 && now.getMonth() == 5 && now.getDate() == 15 && now.getDayOfMonth() == 14 && now.getDayOfWeek() == 1',
    'now.getHours() == 12 && now.getHours("Europe/Berlin") == 14 && now.getHours("-05:30") == 6 && now.getDayOfYear() == 165',
    'duration("90m").getMinutes() == 90 && duration("90m").getHours() == 1',
    'time.parse("2026-06-15", TimeFormat.DATE) == timestamp("2026-06-15T00:00:00Z")',
    'time.parse("2026-06-15 14:00:00", TimeFormat.DATETIME, "Europe/Berlin") == now',
    'time.parse("Jun 5, 2026 at 3:04pm", "Jan 2, 2006 at 3:04pm") == timestamp("2026-06-05T15:04:00Z")',
    'time.format(now, "Mon 02.01.06 15:04", "Europe/Berlin") == "Mon 15.06.26 14:00"',
    'time.unix(now) == 1781524800 && time.unix_ms(now) == 1781524800000 && time.unix(1781524800) == now && int(now) == 1781524800',
    'time.start_of(now, "month") == timestamp("2026-06-01T00:00:00Z") && time.start_of(now, "week") == timestamp("2026-06-15T00:00:00Z")',
    'time.start_of(now, "day", "Europe/Berlin") == timestamp("2026-06-14T22:00:00Z")',
    'time.end_of(now, "year") + duration("1ns") == timestamp("2027-01-01T00:00:00Z")',
    'timestamp(0) == timestamp("1970-01-01T00:00:00Z")',
  ])('%s', (text) => {
    expect(run(text)).toBe(true);
  });
});

describe('functions of the inventory', () => {
  const people: Record<string, string> = { ann: 'max', bob: 'max', max: 'ida', ida: '' };
  const person = (id: string) => new CelObject('User', { id, managerId: people[id] });
  const compile = (text: string, environment: Environment) => {
    const compiled = compileExpression(text, environment);
    if ('errors' in compiled) {
      throw new Error(compiled.errors[0]!.message);
    }
    return compiled.expression;
  };
  const loads: Question[][] = [];
  const load = async (questions: readonly Question[]): Promise<Result[]> => {
    loads.push([...questions]);
    return questions.map(({ name, args }) => {
      if (name === 'c1.directory.users.v1.GetManagers') {
        const manager = people[args[0] as string];
        return manager === '' || manager === undefined ? [] : [person(manager)];
      }
      return name === 'c1.user.v1.HasApp' ? args[0] === 'ann' : new Failure('nobody found');
    });
  };

  it('are loaded for all rows at once, once for equal questions', async () => {
    loads.length = 0;
    const expression = compile('c1.user.v1.HasApp(subject, "p") || c1.user.v1.HasApp(subject, "p")', 'REVIEW_USERS');
    const rows = ['ann', 'bob', 'ann'].map((id) => ({ subject: person(id) }));
    expect(await evaluateAll(expression, rows, { now, load })).toEqual([true, false, true]);
    expect(loads.map((questions) => questions.length)).toEqual([2]);
  });

  it('are loaded in rounds where arguments come from answers', async () => {
    loads.length = 0;
    const chain = 'c1.directory.users.v1.GetManagers(c1.directory.users.v1.GetManagers(subject)[0])';
    const expression = compile(chain, 'POLICY_APPROVER');
    const [first, second] = await evaluateAll(expression, [{ subject: person('ann') }, { subject: person('max') }], { now, load });
    expect(readIds(first as never)).toEqual(['ida']);
    expect(second).toEqual([]);
    expect(loads).toHaveLength(2);
  });

  it('end in an error beyond eight rounds', async () => {
    const climb = (depth: number): string => (depth === 0 ? 'subject' : `c1.directory.users.v1.GetManagers(${climb(depth - 1)})[0]`);
    const everyone = async (questions: readonly Question[]): Promise<Result[]> => questions.map(({ args }) => [person(`${args[0]}x`)]);
    const eight = await evaluateAll(compile(climb(8), 'POLICY_APPROVER'), [{ subject: person('a') }], { now, load: everyone });
    expect(readIds(eight[0] as never)).toEqual(['axxxxxxxx']);
    const nine = await evaluateAll(compile(climb(9), 'POLICY_APPROVER'), [{ subject: person('a') }], { now, load: everyone });
    expect(nine[0]).toBeInstanceOf(Failure);
  });

  it('are not asked where the rest decides, and their errors are absorbed', async () => {
    loads.length = 0;
    const text = 'subject.id == "ann" || c1.directory.users.v1.GetByID("x").id == "" || subject.id == "bob"';
    const rows = ['ann', 'bob', 'max'].map((id) => ({ subject: person(id) }));
    const results = await evaluateAll(compile(text, 'REVIEW_USERS'), rows, { now, load });
    expect(results.slice(0, 2)).toEqual([true, true]);
    expect(results[2]).toBeInstanceOf(Failure);
  });

  it('take nobody as an error', () => {
    const result = evaluate(compile('c1.user.v1.HasApp(subject, "p")', 'POLICY_CONDITION'), { variables: { subject: null }, now });
    expect(result).toBeInstanceOf(Failure);
  });
});
