/** Pieces of SQL: how they are put together, and what becomes of values that stand in a statement more than once. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allSql, anyOf, fixed, joinSql, renderSql, type Sql, sql } from './sql.ts';

const tenant = '0'.repeat(27);

describe('a piece of SQL', () => {
  it('numbers its values through all the pieces it is made of', () => {
    const condition = allSql([sql`t.state = ${'OPEN'}`, anyOf([sql`t.step = ${1}`, sql`t.step = ${2}`])]);
    expect(renderSql(sql`SELECT ${joinSql([fixed('t.id'), fixed('t.step')])} FROM tasks t WHERE ${condition} LIMIT ${10}`)).toEqual({
      text: 'SELECT t.id, t.step FROM tasks t WHERE t.state = $1 AND (t.step = $2 OR t.step = $3) LIMIT $4',
      values: ['OPEN', 1, 2, 10],
    });
  });

  it('says what holds where there is nothing to ask', () => {
    expect(renderSql(sql`${allSql([])} ${anyOf([])}${joinSql([])}`)).toEqual({ text: 'TRUE FALSE', values: [] });
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
        : fc.array(piece(depth - 1), { maxLength: 3 }).map((pieces) => joinSql(pieces, '|')),
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
