/** Filters as conditions: numbered behind the values before them, texts taken literally, and what filters nothing. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeLike, isOneOfRefs, some, textOf, whereOf } from './where.ts';

describe('whereOf', () => {
  const conditions = { id: { sql: 'x.id = ?' }, name: { sql: 'x.name ILIKE ?', isText: true }, both: { sql: '(x.a = ? OR x.b = ?)' } };

  it('numbers values behind those that are there, one for each member that is set', () => {
    const values: unknown[] = ['tenant'];
    expect(whereOf({ id: 'i', name: '50%_\\', both: 7 }, conditions, values)).toEqual([
      'x.id = $2',
      'x.name ILIKE $3',
      '(x.a = $4 OR x.b = $4)',
    ]);
    expect(values).toEqual(['tenant', 'i', '%50\\%\\_\\\\%', 7]);
  });

  it('leaves out what is not set, and keeps what is false or empty', () => {
    const values: unknown[] = [];
    expect(whereOf({ id: undefined, name: undefined, both: undefined }, conditions, values)).toEqual([]);
    expect(whereOf({ id: '', name: undefined, both: false }, conditions, values)).toEqual(['x.id = $1', '(x.a = $2 OR x.b = $2)']);
    expect(values).toEqual(['', false]);
  });

  it('asks for references by the ids in them and by the whole of them', () => {
    const values: unknown[] = ['tenant'];
    const [sql] = whereOf({ refs: ['app/one'] }, { refs: isOneOfRefs('e') }, values);
    expect(sql).toBe("(e.id = ANY (ARRAY(SELECT split_part(unnest($2::text[]), '/', 2))) AND e.app_id || '/' || e.id = ANY ($2))");
    expect(values).toEqual(['tenant', ['app/one']]);
  });
});

describe('what filters nothing', () => {
  it('is an empty list, and a text of nothing but spaces', () => {
    expect([some([]), some([undefined]), some(['a'])]).toEqual([undefined, [undefined], ['a']]);
    expect([textOf(''), textOf(' \t\n'), textOf(' a b ')]).toEqual([undefined, undefined, 'a b']);
  });
});

describe('escapeLike', () => {
  it('finds the text itself and nothing by its wildcards', () => {
    const matches = (pattern: string, text: string): boolean => {
      const source = pattern.replaceAll(/\\[\s\S]|[%_]|[\s\S]/g, (token) =>
        token === '%'
          ? '[\\s\\S]*'
          : token === '_'
            ? '[\\s\\S]'
            : token.replace(/^\\(?=[\s\S])/, '').replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&'),
      );
      return new RegExp(`^${source}$`).test(text);
    };
    const text = fc.string({ unit: fc.constantFrom('a', '%', '_', '\\', 'b') });
    fc.assert(fc.property(text, text, (needle, hay) => matches(escapeLike(needle), hay) === hay.includes(needle)));
  });
});
