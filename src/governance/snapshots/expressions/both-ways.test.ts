/** Expressions select the same people and accounts in the database and outside of it: random expressions over random people, and known ones. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tries } from '../../../../test/support/runs.ts';
import { useTwoTenants, type TwoTenants } from '../../../../test/support/tenants.ts';
import { compileExpression } from '../../../lib/cel/compile.ts';
import type { Environment } from '../../../lib/cel/environments.ts';
import { evaluate } from '../../../lib/cel/index.ts';
import { Failure } from '../../../lib/cel/values.ts';
import { sql } from '../../../lib/sql.ts';
import { accountValue, personValue } from '../../policies/index.ts';
import { getTranslationSql } from './store-translate.ts';

let test: TwoTenants;
beforeAll(async () => {
  test = await useTwoTenants();
});
afterAll(() => test.close());

interface Person {
  readonly user_id: string;
  readonly email: string;
  readonly department: string;
  readonly status: string;
  readonly profile: Readonly<Record<string, unknown>>;
}

/** A verdict as one word. */
const wordOf = (verdict: unknown): string => (verdict === true ? 'yes' : verdict === false ? 'no' : 'error');

/** Evaluates an expression over people, in the database and outside of it; undefined where the database cannot evaluate it. */
async function bothWays(text: string, people: readonly Person[], environment: Environment = 'REVIEW_USERS') {
  const compiled = compileExpression(text, environment);
  if ('errors' in compiled) {
    throw new Error(`${text}: ${compiled.errors[0]?.message}`);
  }
  const { expression } = compiled;
  const context = test.ours.admin;
  const outside = people.map((person) => {
    const facts = {
      ...{ id: person.user_id, email: person.email, department: person.department, status: person.status, profile: person.profile },
      ...{ displayName: '', username: '', employeeId: '', type: 'HUMAN', employmentStatus: '', employmentType: '', jobTitle: '' },
      ...{ managerId: null, managerEmail: '', appId: 'app', externalId: person.user_id, accountType: 'USER', userId: null },
    };
    const subject = environment === 'REVIEW_USERS' ? personValue(facts) : accountValue(facts);
    const result = evaluate(expression, { variables: { subject }, now: context.now });
    return wordOf(result instanceof Failure ? null : result);
  });
  const verdict = getTranslationSql(context, expression);
  if (verdict === undefined) {
    return { outside, inside: undefined };
  }
  const rows = await context.db.rows<{ verdict: boolean | null }>(sql`SELECT ${verdict} AS verdict FROM (
      SELECT r.value ->> 'user_id' AS user_id, r.value ->> 'user_id' AS id, r.value ->> 'user_id' AS external_id, r.value ->> 'email' AS email,
        r.value ->> 'department' AS department, r.value ->> 'status' AS status, r.value -> 'profile' AS profile, '' AS display_name, '' AS username,
        '' AS employee_id, 'HUMAN' AS user_type, 'USER' AS account_type, '' AS employment_status, '' AS employment_type, '' AS job_title,
        NULL AS manager_id, '' AS manager_email, 'app' AS app_id, r.n
      FROM jsonb_array_elements(${JSON.stringify(people)}::jsonb) WITH ORDINALITY AS r (value, n)) p
    CROSS JOIN LATERAL (SELECT p.*, NULL::text AS user_id_of) b, LATERAL (SELECT p.id, p.external_id, p.email, p.status, p.profile, p.account_type, p.app_id,
      p.display_name, p.username, p.employee_id, NULL::text AS user_id) a
    ORDER BY p.n`);
  return { outside, inside: rows.map((row) => wordOf(row.verdict)) };
}

const texts = [
  '',
  'a',
  'A',
  'ab',
  'b7',
  '7',
  '-12',
  '9223372036854775808',
  'Zoë',
  '\u{1f600}x',
  '\uffee',
  '2026-01-31',
  '2026-02-30',
  '2026-06-15T12:00:00Z',
  '2026-06-15T12:00:00.5+02:00',
  '2026-06-15 12:00:00',
];
const text = fc.constantFrom(...texts);
const profileValue = fc.oneof(
  { weight: 5, arbitrary: text },
  fc.constantFrom(0, 5, 7.5, -3, 1e21, 0.1, true, false, null),
  fc.constant(['a', 7]),
  fc.constant({ k: 'a', n: null, d: 5 }),
);
const person: fc.Arbitrary<Person> = fc.record({
  user_id: fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom('a', 'b', 'c') }),
  email: fc.constantFrom('', 'ann@corp.example', 'bob@other.example'),
  department: text,
  status: fc.constantFrom('ENABLED', 'DISABLED'),
  profile: fc.dictionary(fc.constantFrom('x', 'y', 'z'), profileValue, { maxKeys: 3, noNullPrototype: true }),
});

const quoted = text.map((value) => JSON.stringify(value));
const key = fc.constantFrom('x', 'y', 'z');

/** Well-typed expressions of one type each. */
const grammar = fc.letrec<{ bool: string; string: string; moment: string; int: string }>((tie) => ({
  string: fc.oneof(
    { maxDepth: 3 },
    quoted,
    fc.constantFrom('subject.department', 'subject.email', 'subject.id'),
    key.map((name) => `subject.profile.${name}`),
    key.map((name) => `subject.profile.${name}.k`),
    tie('string').map((of) => `${of}.lowerAscii()`),
    tie('string').map((of) => `${of}.upperAscii()`),
    fc.tuple(tie('string'), tie('string')).map(([of, other]) => `${of}.ifEmpty(${other})`),
    fc.tuple(tie('bool'), tie('string'), tie('string')).map(([asked, yes, no]) => `(${asked} ? ${yes} : ${no})`),
    tie('string').map((of) => `${of}.trim()`),
  ),
  int: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('0', '5', '-3', '9007199254740993'),
    tie('string').map((of) => `size(${of})`),
    tie('string').map((of) => `int(${of})`),
  ),
  moment: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('now()', 'now - duration("720h")', 'timestamp("2026-06-15T12:00:00Z")'),
    tie('string').map((of) => `timestamp(${of})`),
    fc
      .tuple(tie('string'), fc.constantFrom('RFC3339', 'DATETIME', 'DATE'))
      .map(([of, layout]) => `time.parse(${of}, TimeFormat.${layout})`),
  ),
  bool: fc.oneof(
    { maxDepth: 5, depthSize: 'large' },
    fc.constantFrom('true', 'false', 'subject.status == UserStatus.ENABLED'),
    key.map((name) => `has(subject.profile.${name})`),
    key.map((name) => `has(subject.profile.${name}.k)`),
    key.map((name) => `subject.profile.${name} == true`),
    fc
      .tuple(key, fc.constantFrom('==', '!=', '<', '>='), fc.constantFrom('5', '0', '0.1', '7.5', '"a"', '1e21'))
      .map(([name, sign, value]) => `subject.profile.${name} ${sign} ${value}`),
    fc
      .tuple(key, fc.array(fc.oneof(quoted, fc.constantFrom('5', 'true', '7.5')), { maxLength: 4 }))
      .map(([name, list]) => `subject.profile.${name} in [${list.join(', ')}]`),
    fc.tuple(tie('string'), tie('string'), fc.constantFrom('==', '!=')).map(([left, right, sign]) => `${left} ${sign} ${right}`),
    fc.tuple(tie('string'), quoted, fc.constantFrom('<', '<=', '>', '>=')).map(([left, right, sign]) => `${left} ${sign} ${right}`),
    fc
      .tuple(tie('string'), tie('string'), fc.constantFrom('contains', 'startsWith', 'endsWith'))
      .map(([of, part, name]) => `${of}.${name}(${part})`),
    fc.tuple(tie('string'), fc.constantFrom('^a', 'b$', '^ab$', 'a', '7')).map(([of, pattern]) => `${of}.matches("${pattern}")`),
    fc.tuple(tie('int'), tie('int'), fc.constantFrom('==', '!=', '<', '>=')).map(([left, right, sign]) => `${left} ${sign} ${right}`),
    fc.tuple(tie('moment'), tie('moment'), fc.constantFrom('==', '<', '>=')).map(([left, right, sign]) => `${left} ${sign} ${right}`),
    fc.tuple(tie('int'), tie('string'), fc.constantFrom('==', '!=')).map(([left, right, sign]) => `${left} ${sign} dyn(${right})`),
    fc
      .tuple(fc.array(quoted, { maxLength: 3 }), tie('string'), fc.constantFrom('all', 'exists'))
      .map(([list, other, name]) => `[${list.join(', ')}].${name}(t, t == ${other} || t < "a")`),
    tie('string').map((of) => `subject.emails.exists(e, e.contains(${of}))`),
    tie('string').map((of) => `subject.emails.all(e, e != ${of})`),
    tie('string').map((of) => `${of} in subject.emails`),
    tie('bool').map((of) => `!(${of})`),
    fc.tuple(tie('bool'), tie('bool'), fc.constantFrom('&&', '||')).map(([left, right, sign]) => `(${left} ${sign} ${right})`),
    fc.tuple(tie('bool'), tie('bool'), tie('bool')).map(([asked, yes, no]) => `(${asked} ? ${yes} : ${no})`),
  ),
}));

describe('the database and we', () => {
  it('select the same people by random expressions', async () => {
    let translated = 0;
    let all = 0;
    await fc.assert(
      fc.asyncProperty(grammar.bool, fc.array(person, { minLength: 1, maxLength: 12 }), async (expression, people) => {
        // Some nest too deeply.
        fc.pre('expression' in compileExpression(expression, 'REVIEW_USERS'));
        const { inside, outside } = await bothWays(expression, people);
        all++;
        if (inside !== undefined) {
          translated++;
          expect([expression, inside]).toEqual([expression, outside]);
        }
      }),
      { numRuns: tries(400, 20_000) },
    );
    expect(translated / all).toBeGreaterThan(0.5);
  });

  const people: Person[] = [
    { user_id: 'a', email: 'ann@corp.example', department: 'Fin', status: 'ENABLED', profile: { x: '7', y: 5, z: true } },
    { user_id: 'b', email: '', department: '', status: 'DISABLED', profile: { x: null, y: 'five', z: '2026-06-15' } },
    { user_id: 'c', email: 'cyn@other.example', department: '\u{1f600}', status: 'ENABLED', profile: {} },
  ];
  it.each([
    ['subject.profile.x == "7"', ['yes', 'error', 'error']],
    ['!(subject.profile.x == "7")', ['no', 'error', 'error']],
    ['!has(subject.profile.x)', ['no', 'yes', 'yes']],
    ['subject.profile.y > 4', ['yes', 'error', 'error']],
    ['subject.profile.y == 5', ['yes', 'no', 'error']],
    ['subject.profile.y != 5 || subject.department == "\u{1f600}"', ['no', 'yes', 'yes']],
    ['int(subject.profile.x) + 0 == 7', undefined],
    ['int(subject.profile.x) == 7', ['yes', 'error', 'error']],
    ['subject.profile.z', ['yes', 'error', 'error']],
    ['time.parse(subject.profile.z, TimeFormat.DATE) < now()', ['error', 'no', 'error']],
    ['subject.department > "\ufffd"', ['no', 'no', 'yes']],
    ['subject.emails.exists(e, e.endsWith("@corp.example"))', ['yes', 'no', 'no']],
    ['subject.emails.all(e, e.endsWith("@corp.example"))', ['yes', 'yes', 'no']],
    ['subject.email.matches("^ann@corp")', ['yes', 'no', 'no']],
    ['subject.department.matches("^Fin$")', ['yes', 'no', 'no']],
    ['subject.email.matches("a+n")', undefined],
    ['subject.profile.x == subject.profile.y', undefined],
    ['subject.profile["x"] in ["7", "8"]', ['yes', 'error', 'error']],
    [`subject.department in [${Array.from({ length: 500 }, (_, at) => `"d${at}"`).join(', ')}, "Fin"]`, ['yes', 'no', 'no']],
    ['1 / 0 == 1 || subject.department == "Fin"', ['yes', 'error', 'error']],
    [`subject.department${'.ifEmpty(subject.email)'.repeat(40)} == "x"`, undefined],
  ])('agree about %s', async (expression, expected) => {
    const { inside, outside } = await bothWays(expression, people);
    expect(inside).toEqual(expected);
    if (expected !== undefined) {
      expect(outside).toEqual(expected);
    }
  });

  it('agree about accounts', async () => {
    for (const expression of [
      'subject.status.status == Status.ENABLED',
      '"b" in subject.usernames && subject.identityUserId == ""',
      'account.appUserType == AppUserType.USER && subject.profile.x == "7"',
      'subject.status.details == ""',
    ]) {
      const { inside, outside } = await bothWays(expression, people, 'REVIEW_ACCOUNTS');
      expect([expression, inside]).toEqual([expression, outside]);
    }
  });
});
