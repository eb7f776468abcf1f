/** Filters: the examples of RFC 7644 section 3.4.2.2, precedence, what is refused, and that nothing is lost on the way. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Filter, FilterError, parseFilter } from './parse-filter.ts';

const compare = (path: string, operator: string, value: unknown = null): Filter => ({ kind: 'compare', path, operator, value }) as Filter;

describe('filters', () => {
  it.each<[string, Filter]>([
    ['userName eq "bjensen"', compare('username', 'eq', 'bjensen')],
    ['name.familyName co "O\'Malley"', compare('name.familyname', 'co', "O'Malley")],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J"', compare('username', 'sw', 'J')],
    ['title pr', compare('title', 'pr')],
    ['meta.lastModified gt "2011-05-13T04:42:34Z"', compare('meta.lastmodified', 'gt', '2011-05-13T04:42:34Z')],
    ['schemas eq "urn:x"', compare('schemas', 'eq', 'urn:x')],
    ['active eq true', compare('active', 'eq', true)],
    ['x eq -1.5', compare('x', 'eq', -1.5)],
    ['x eq null', compare('x', 'eq', null)],
    ['title pr and userType eq "Employee"', { kind: 'and', left: compare('title', 'pr'), right: compare('usertype', 'eq', 'Employee') }],
    ['title pr or userType eq "Intern"', { kind: 'or', left: compare('title', 'pr'), right: compare('usertype', 'eq', 'Intern') }],
    ['not (active eq true)', { kind: 'not', filter: compare('active', 'eq', true) }],
    [
      'userType eq "Employee" and (emails co "example.com" or emails.value co "example.org")',
      {
        kind: 'and',
        left: compare('usertype', 'eq', 'Employee'),
        right: { kind: 'or', left: compare('emails', 'co', 'example.com'), right: compare('emails.value', 'co', 'example.org') },
      },
    ],
    [
      'emails[type eq "work" and value co "@example.com"]',
      {
        kind: 'values',
        path: 'emails',
        filter: { kind: 'and', left: compare('type', 'eq', 'work'), right: compare('value', 'co', '@example.com') },
      },
    ],
    [
      'a pr or b pr and c pr',
      { kind: 'or', left: compare('a', 'pr'), right: { kind: 'and', left: compare('b', 'pr'), right: compare('c', 'pr') } },
    ],
    ['USERNAME EQ "A \\"b\\" (c)"', compare('username', 'eq', 'A "b" (c)')],
  ])('%s', (text, filter) => {
    expect(parseFilter(text)).toEqual(filter);
  });

  it.each([
    '',
    'userName',
    'userName eq',
    'userName is "a"',
    'userName eq a',
    '"userName" eq "a"',
    'userName eq "a" and',
    'userName eq "a" userName eq "b"',
    '(userName eq "a"',
    'userName eq "a")',
    'emails[type eq "work"',
    'not userName eq "a"',
    'userName eq "a',
    'userName eq "\\x"',
    'a.b.c eq "d"',
    `${'('.repeat(30)}a pr${')'.repeat(30)}`,
    `userName eq "${'a'.repeat(5000)}"`,
    Array.from({ length: 101 }, () => 'a pr').join(' or '),
  ])('refuses %s', (text) => {
    expect(() => parseFilter(text)).toThrow(FilterError);
  });

  const filters = fc.letrec<{ filter: Filter }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 4 },
      fc.record({
        kind: fc.constant('compare' as const),
        path: fc.constantFrom('username', 'emails.value', 'urn:a:b:c.d'),
        operator: fc.constantFrom('eq' as const, 'co' as const, 'gt' as const),
        value: fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.integer(), fc.boolean(), fc.constant(null)),
      }),
      fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), left: tie('filter'), right: tie('filter') }),
      fc.record({ kind: fc.constant('not' as const), filter: tie('filter') }),
      fc.record({ kind: fc.constant('values' as const), path: fc.constant('emails'), filter: tie('filter') }),
    ),
  })).filter;

  function write(filter: Filter): string {
    switch (filter.kind) {
      case 'compare':
        return `${filter.path} ${filter.operator} ${JSON.stringify(filter.value)}`;
      case 'not':
        return `not (${write(filter.filter)})`;
      case 'values':
        return `${filter.path}[${write(filter.filter)}]`;
      default:
        return `(${write(filter.left)}) ${filter.kind} (${write(filter.right)})`;
    }
  }

  it('reads what was written', () => {
    fc.assert(
      fc.property(filters, (filter) => {
        expect(parseFilter(write(filter))).toEqual(filter);
      }),
    );
  });

  it('answers any text with a filter or a FilterError', () => {
    const words = fc.array(fc.constantFrom('(', ')', '[', ']', 'and', 'or', 'not', 'a', 'eq', 'pr', '"x"', '"', '1', '\\', 'é'), {
      maxLength: 15,
    });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          words.map((list) => list.join(' ')),
        ),
        (text) => {
          try {
            parseFilter(text);
          } catch (error) {
            expect(error).toBeInstanceOf(FilterError);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
