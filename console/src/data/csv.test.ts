/** Rows as CSV: nothing breaks out of its cell, and nothing becomes a formula. */
import { expect, it } from 'vitest';
import { toCsv } from './csv.ts';

it('keeps every value in its cell, and no value a formula', () => {
  const columns = [
    { head: 'a', value: (row: string) => row },
    { head: 'b', value: (row: string) => row.length },
  ];
  expect(
    toCsv(columns, ['plain', 'a,b', 'say "x"', 'two\nlines', '=1+1', ' @x', '-5', '', 'x\n=1', 'x;=1', 'x\t=1', '＝1', 'x\u2028=1']),
  ).toBe(
    [
      'plain,5',
      '"a,b",3',
      '"say ""x""",7',
      '"two\nlines",9',
      "'=1+1,4",
      " '@x,3",
      "'-5,2",
      ',0',
      `"x\n'=1",4`,
      `"x;'=1",4`,
      `"x\t'=1",4`,
      "'＝1,2",
      `"x\u2028'=1",4`,
      '',
    ].join('\r\n'),
  );
});
