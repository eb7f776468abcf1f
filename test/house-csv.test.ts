/** Proves that the rule of one writer of CSV can fail, and that it leaves alone what is right. */
import { describe, expect, it } from 'vitest';
import { csvByHand, csvPackages } from './house/csv.ts';

const file = (path: string, text: string) => ({ path, text });

describe('one writer of CSV', () => {
  it.each(["rows.map((row) => row.join(',')).join('\\n')", 'cells.join(";") + "\\r\\n"', "out.write('\\n' + cells.join(','))"])(
    'tells of %s',
    (text) => {
      expect(csvByHand([file('src/cli/x.ts', text)])).toHaveLength(1);
      expect(csvByHand([file('src/lib/tables/csv-form.ts', text)])).toEqual([]);
    },
  );
  it('leaves lists of words alone, and knows the packages that write', () => {
    expect(csvByHand([file('src/a.ts', "const mask = names.join(',');\nlog('\\n');"), file('src/b.ts', "// a.join(',') + '\\n'")])).toEqual(
      [],
    );
    expect(csvPackages(['pg', 'csv-stringify', 'csv-parse'])).toEqual(['csv-stringify']);
  });
});
