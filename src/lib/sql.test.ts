/** Pieces of SQL: how they are put together, and what becomes of values that stand in a statement more than once. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allOf, anyOf, fixed, listOf, numbered, renderSql, type Sql, sql } from './sql.ts';

const tenant = '0'.repeat(27);

describe('a piece of SQL', () => {
  it('numbers its values through all the pieces it is made of', () => {
    const condition = allOf([sql`t.state = ${'OPEN'}`, anyOf([sql`t.step = ${1}`, sql`t.step = ${2}`])]);
    expect(renderSql(sql`SELECT ${listOf([fixed('t.id'), fixed('t.step')])} FROM tasks t WHERE ${condition} LIMIT ${10}`)).toEqual({
      text: 'SELECT t.id, t.step FROM tasks t WHERE t.state = $1 AND (t.step = $2 OR t.step = $3) LIMIT $4',
      values: ['OPEN', 1, 2, 10],
    });
  });

  it('says what holds where there is nothing to ask', () => {
    expect(renderSql(sql`${allOf([])} ${anyOf([])}${listOf([])}`)).toEqual({ text: 'TRUE FALSE', values: [] });
  });

  it('takes a text whose values are numbered already, in whatever order and however often', () => {
    const piece = numbered('a = $2 AND b = $1 AND c = $2 AND d = $10', ['one', 'two', 3, 4, 5, 6, 7, 8, 9, 'ten']);
    expect(renderSql(sql`x = ${'zero'} AND ${piece}`)).toEqual({
      text: 'x = $1 AND a = $2 AND b = $3 AND c = $4 AND d = $5',
      values: ['zero', 'two', 'one', 'two', 'ten'],
    });
    expect(renderSql(numbered('SELECT 1', []))).toEqual({ text: 'SELECT 1', values: [] });
  });

  it('sends an identifier, a date and an array once', () => {
    const [now, ids] = [new Date(0), ['a']];
    const both = sql`(${tenant}, ${now}, ${ids})`;
    expect(renderSql(sql`${both} ${both}`)).toEqual({ text: '($1, $2, $3) ($1, $2, $3)', values: [tenant, now, ids] });
  });

  it('has the same text whatever its other values are', () => {
    const textOf = (a: unknown, b: unknown): string => renderSql(sql`x = ${a} AND y = ${b}`).text;
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 26 }), fc.integer(), fc.boolean()), (value) => {
        expect(textOf(value, value)).toBe(textOf(value, null));
      }),
    );
  });

  it('keeps every value at its place', () => {
    const piece: fc.Memo<Sql> = fc.memo((depth) =>
      depth <= 1
        ? fc.oneof(fc.string(), fc.constant(tenant), fc.integer()).map((value) => sql`<${value}>`)
        : fc.array(piece(depth - 1), { maxLength: 3 }).map((pieces) => listOf(pieces, '|')),
    );
    fc.assert(
      fc.property(piece(4), (made) => {
        const { text, values } = renderSql(made);
        const read = [...text.matchAll(/<\$(\d+)>/g)].map(([, number]) => values[Number(number) - 1]);
        expect(read).toEqual([...made.values]);
      }),
    );
  });
});
