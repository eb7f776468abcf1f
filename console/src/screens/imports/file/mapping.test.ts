/** The columns of a file in the list: what each is read as and why, and what becomes of a mapping when one is chosen. */
import { describe, expect, it } from 'vitest';
import {
  asTexts,
  columnRows,
  constantsIn,
  foundMapping,
  splitIn,
  type Inspection,
  withColumn,
  withSplit,
  withoutProposal,
} from './mapping.ts';

const inspection: Inspection = {
  columns: ['Login', 'Role', 'Cost centre', 'Last seen'],
  suggestions: [
    { column: 'account', from: 'Login', confidence: 90 },
    { column: 'entitlement', from: 'Role', confidence: 100 },
    { column: 'last_used_at', from: 'Last seen', confidence: 60 },
    { column: 'account_type', from: '=USER', confidence: 30 },
  ],
  used: { account: 'Login', entitlement: 'Role', last_used_at: 'Last seen', account_type: '=USER' },
  rows: [
    { line: '2', values: { account: 'ann', entitlement: '', last_used_at: '' }, others: { 'Cost centre': '' } },
    { line: '3', values: { account: 'bob', entitlement: 'Read', last_used_at: '' }, others: { 'Cost centre': '4100' } },
  ],
};

describe('the columns of a file', () => {
  it('say what they are read as, with the first value that is not empty', () => {
    expect(columnRows(inspection, foundMapping(inspection), new Set())).toEqual([
      { column: 'Login', sample: 'ann', field: 'account', why: 'usual' },
      { column: 'Role', sample: 'Read', field: 'entitlement', why: 'name' },
      { column: 'Cost centre', sample: '4100', field: '', why: 'kept' },
      { column: 'Last seen', sample: '', field: 'last_used_at', why: 'guess' },
    ]);
  });
  it('say that somebody chose them', () => {
    const rows = columnRows(inspection, foundMapping(inspection), new Set(['Role']));
    expect(rows.map(({ why }) => why)).toEqual(['usual', 'chosen', 'kept', 'guess']);
  });
  it('are found where several of them make one field', () => {
    const rows = columnRows({ columns: ['First', 'Last', 'upn'] }, { display_name: 'First+Last', email: 'mail|UPN' }, new Set());
    expect(rows.map(({ field }) => field)).toEqual(['display_name', 'display_name', 'email']);
  });
  it('go by their names where the header needs no mapping', () => {
    const named = { columns: ['account'], suggestions: [{ column: 'account', from: 'account', confidence: 100 }], used: {} };
    expect(foundMapping(named)).toEqual({ account: 'account' });
    expect(foundMapping({})).toEqual({});
  });
});

describe('choosing', () => {
  const mapping = { account: 'Login', entitlement: 'Role', account_type: '=USER', 'account_status:Frozen': 'DISABLED' };
  it('gives a field another column, which leaves what it was before', () => {
    expect(withColumn(mapping, 'Role', 'account')).toEqual({ account: 'Role', account_type: '=USER', 'account_status:Frozen': 'DISABLED' });
  });
  it('makes a column an attribute', () => {
    expect(withColumn(mapping, 'role', '')).toEqual({ account: 'Login', account_type: '=USER', 'account_status:Frozen': 'DISABLED' });
  });
  it('is sent as texts, and knows what is the same in all rows', () => {
    expect(asTexts(mapping)).toEqual(['account=Login', 'entitlement=Role', 'account_type==USER', 'account_status:Frozen=DISABLED']);
    expect(constantsIn(mapping)).toEqual([['account_type', 'USER']]);
  });
});

describe('columns that are left out, and cells with several values', () => {
  it('stay beside each other in one entry, and leave it for a field', () => {
    const one = withColumn({ account: 'Login', ignore: 'Ticket', split: 'resource' }, 'Note', 'ignore');
    expect(one).toEqual({ account: 'Login', ignore: 'Ticket|Note', split: 'resource' });
    expect(withColumn(one, 'Ticket', 'resource')).toEqual({ account: 'Login', ignore: 'Note', resource: 'Ticket', split: 'resource' });
    expect(withColumn({ ignore: 'Note' }, 'Note', '')).toEqual({});
    expect(splitIn(one)).toBe('resource');
    expect(withSplit(one, '')).toEqual({ account: 'Login', ignore: 'Ticket|Note' });
  });

  it('keep JSON from people', () => {
    const said =
      'the header lacks account; found: x; a proposed column mapping, to be checked and saved: {"account":"x"} (without a guess: entitlement)';
    expect(withoutProposal(said)).toBe('the header lacks account; found: x');
  });
});
