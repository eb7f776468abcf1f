/** Hostile expressions end within their limits, and whatever a text is, compiling it throws nothing. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileExpression } from './compile.ts';
import { environmentNames } from './environments.ts';
import { evaluate } from './index.ts';
import { CelObject, Failure } from './values.ts';

const now = new Date('2026-06-15T12:00:00Z');
const subject = new CelObject('User', {
  id: 'ann',
  profile: {
    long: 'a'.repeat(60_000),
    many: Array.from({ length: 10_000 }, () => 'a'),
    tooMany: Array.from({ length: 10_001 }, () => 'a'),
  },
});

function run(text: string) {
  const compiled = compileExpression(text, 'REVIEW_USERS');
  return 'errors' in compiled ? compiled.errors[0]!.message : evaluate(compiled.expression, { variables: { subject }, now });
}

describe('hostile expressions', () => {
  const wide = (count: number): string => `[${'1,'.repeat(count - 1)}1]`;
  it.each([
    ['a text that doubles', `size("a"${'.replace("", "aaaaaaaaaaaaaaaaaaaa")'.repeat(12)}) > 0`],
    ['long texts joined', 'size(subject.profile.long + subject.profile.long) > 0'],
    ['a list that is too long', 'subject.profile.tooMany.exists(x, x == "b")'],
    ['lists joined', 'size(subject.profile.many + ["a"]) > 0'],
    ['many long searches', `${wide(300)}.all(x, ${wide(100)}.all(y, subject.profile.long.contains("b") || true))`],
    ['many long patterns', `${wide(400)}.all(x, subject.profile.long.matches("(a|b)*c") || true)`],
    ['a pattern that is large inside', `${wide(100)}.all(x, subject.profile.long.matches("((a{0,30}b?){30}){0,1}c") || true)`],
    ['list in list', 'subject.profile.many.all(x, !("b" in subject.profile.many))'],
  ])('%s: an error', (_name, text) => {
    expect(run(text)).toBeInstanceOf(Failure);
  });

  it('a pattern that others take forever for is a matter of its length', () => {
    expect(run('"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab".matches("(a+)+$")')).toBe(false);
    expect(run('subject.profile.long.matches("(a+)+$")')).toBe(true);
  });

  it.each([
    ['brackets', '('.repeat(5000)],
    ['selections', `subject${'.profile'.repeat(1000)} == 1`],
    ['calls', `subject.email${'.trim()'.repeat(1000)} == ""`],
    ['conditions', `${'true ? true : '.repeat(580)}true`],
    ['sums', `"" ${'+ "a"'.repeat(1500)} == ""`],
    ['a text that does not end', `"${'a'.repeat(8000)}`],
    ['comments', '//'.repeat(4000)],
  ])('%s: a message with a place', (_name, text) => {
    expect(run(text)).toMatch(/^line 1, column \d+: /);
  });
});

describe('compiling', () => {
  const words = [
    'subject',
    '.profile',
    '.x',
    '"a"',
    "'",
    '"',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    ',',
    '?',
    ':',
    '&&',
    '||',
    '!',
    '-',
    '1',
    '1.5',
    '9e99',
    'in',
    '==',
    '<',
  ].concat([
    'has(',
    '.all(x, ',
    '.map(x, x',
    'now()',
    'duration("1h")',
    'c1.user.v1.HasApp(',
    '\n',
    '//',
    '\\',
    '"""',
    'r"',
    'b"',
    '\u{1f600}',
    '@',
    '.',
    ' ',
  ]);
  it('answers any text with an expression or errors that have a place in it', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.array(fc.constantFrom(...words), { maxLength: 25 }).map((list) => list.join('')),
    );
    fc.assert(
      fc.property(text, fc.constantFrom(...environmentNames), (given, environment) => {
        const compiled = compileExpression(given, environment);
        if ('errors' in compiled) {
          const lines = given.split('\n');
          expect(compiled.errors.length).toBeGreaterThan(0);
          for (const { line, column, message } of compiled.errors) {
            expect(message.startsWith(`line ${line}, column ${column}: `)).toBe(true);
            expect(column - 1).toBeLessThanOrEqual(lines[line - 1]?.length ?? -1);
          }
        } else if (environment === 'REVIEW_USERS') {
          evaluate(compiled.expression, { variables: { subject }, now });
        }
      }),
      { numRuns: 2000 },
    );
  });
});
