/** The rule of the house on reading other modules' tables can fail: each case is a text that it must count, or must not. */
import { describe, expect, it } from 'vitest';
import { type DescribedView, driftOfViews, viewsOf } from './house/reads.ts';
import { idleComparisons, namesComparedElsewhere } from './house/name-keys.ts';
import { presentWords } from './house/sql.ts';
import { countForeignReads, excessReads } from './house/tables.ts';

describe('tables of others', () => {
  const owners = { tasks: 'tasks', grants: 'ledger', jobs: 'jobs' };
  const order = ['ledger', 'tasks'];
  const reads = (path: string, text: string) => countForeignReads([{ path, text }], owners, order);
  it.each([
    'run(`SELECT id FROM tasks`)',
    'run(`DELETE FROM grants USING tasks t WHERE t.id = $1`)',
    'run(`SELECT FROM grants g LEFT JOIN LATERAL tasks t ON TRUE`)',
    'const from = `tasks t JOIN grants g ON g.id = t.id`;',
  ])('are counted where another module reads them: %s', (text) => {
    expect(reads('src/inventory/ledger/store.ts', text)).toEqual({ ledger: { upward: 1, other: 0 } });
    expect(reads('src/governance/tasks/queue/store.ts', text).tasks?.other ?? 0).toBe(text.includes('grants') ? 1 : 0);
  });
  it('are not counted in the words of a comment, of a test, or of the database itself', () => {
    expect(reads('src/inventory/ledger/store.ts', '// Read FROM tasks.')).toEqual({});
    expect(reads('src/inventory/ledger/store.test.ts', 'run(`SELECT FROM tasks`)')).toEqual({});
    expect(reads('src/db/erase.ts', 'run(`SELECT FROM tasks`)')).toEqual({});
  });
  it('may be read through the views of earlier modules alone', () => {
    const views = [
      { view: 'tasks_public', owner: 'tasks' },
      { view: 'grants_public', owner: 'ledger' },
    ];
    const through = (module: string, view: string) =>
      countForeignReads([{ path: `src/governance/${module}/store.ts`, text: `run('SELECT FROM ${view}')` }], owners, order, views);
    expect(through('tasks', 'grants_public')).toEqual({});
    expect(through('ledger', 'tasks_public')).toEqual({ ledger: { upward: 1, other: 0 } });
  });
  it('are read in no more clauses than the ceiling says', () => {
    const counts = { ledger: { upward: 1, other: 2 } };
    expect(excessReads(counts, { ledger: { upward: 1, other: 2 } })).toEqual([]);
    expect(excessReads(counts, { ledger: { upward: 0, other: 2 } })).toEqual([
      expect.stringContaining('later modules in 1 clauses, 0 at most'),
    ]);
    expect(excessReads(counts, {})).toHaveLength(2);
  });
});

describe('views that modules promise', () => {
  const text = `/**\n * \`grants_held\`: a grant that is held. \`grants_open\` answers by entitlement.\n */
export interface GrantHeld {\n  readonly id: string;\n  readonly paths: unknown;\n}\n`;
  const described = viewsOf([{ path: 'src/inventory/ledger/reads.ts', text }]);
  const found = { view: 'grants_held', columns: ['id: string', 'paths: unknown'], names: ['grants_open', 'id'], isOfInvoker: true };
  const drift = (change: Partial<typeof found>, of: readonly DescribedView[] = described) => driftOfViews([{ ...found, ...change }], of);
  it('are read from their reads.ts', () => {
    expect(described).toEqual([{ view: 'grants_held', owner: 'ledger', columns: found.columns, named: ['grants_open'] }]);
    expect(viewsOf([{ path: 'src/inventory/ledger/store.ts', text }])).toEqual([]);
  });
  it('are as they are described', () => {
    expect(drift({})).toEqual([]);
  });
  it.each([
    ['a column that is not told of', { columns: [...found.columns, 'state: string'] }, 'has state: string'],
    ['a column that is not there', { columns: ['id: string'] }, 'gives grants_held paths: unknown'],
    ['an index that is not there', { names: ['id'] }, 'names grants_open'],
    ['the rights of its owner', { isOfInvoker: false }, 'security_invoker'],
    ['another name', { view: 'grants_kept' }, 'no migration makes it'],
  ])('differ by %s', (_, change, sentence) => {
    expect(drift(change).join('\n')).toContain(sentence);
  });
  it('are described at all', () => {
    expect(drift({}, [])).toEqual([expect.stringContaining('the reads.ts of the module that owns its table describes it')]);
  });
});

describe('words of people in evidence', () => {
  it('sees evidence that names people as they are called now', () => {
    const text = 'sql`SELECT x.id, coalesce(u.display_name, u.email) FROM reports x JOIN users_public u ON u.id = x.user_id`';
    const paths = ['src/outward/reports/store.ts', 'src/governance/tasks/task/store.ts', 'src/governance/revocations/record/store.ts'];
    expect(paths.flatMap((path) => presentWords([{ path, text }]))).toHaveLength(paths.length);
    expect(presentWords([{ path: 'src/governance/tasks/queue/store.ts', text }])).toEqual([]);
    const allowed = 'sql`SELECT w.display_name FROM x JOIN users_public u ON u.status = 1, person_words(1, x.id, x.at) w`';
    expect(presentWords([{ path: 'src/outward/reports/store.ts', text: allowed }])).toEqual([]);
  });
});

describe('names compared elsewhere', () => {
  const found = (line: string, path = 'src/governance/x/store.ts') => namesComparedElsewhere([{ path, text: line }]);
  it.each([
    'const same = one.email.toLowerCase() === other;',
    'if (user.displayName?.toLowerCase() === name) {',
    'names.find(({ label }) => label.trim().toLocaleLowerCase() === wanted)',
    'return String(name).normalize("NFC");',
    'sql`WHERE lower(u.email) = $1`',
    'sql`WHERE lower((CASE WHEN username = 1 THEN username ELSE external_id END)) = $1`',
    'sql`WHERE a.external_id ILIKE $1`',
    'sql`WHERE btrim(a.employee_id) = $1`',
  ])('are seen: %s', (line) => {
    expect(found(line)).toHaveLength(1);
  });
  it.each([
    'kind.toLowerCase()',
    'sql`SELECT lower(x.days)`',
    '// email.toLowerCase()',
    'getAddressKey(email)',
    'sql`address_key(u.email)`',
  ])('leave alone: %s', (line) => {
    expect(found(line)).toEqual([]);
  });
  it('are allowed in the one module, in tests and in the files of the list, which each has a use', () => {
    const line = 'email.toLowerCase()';
    const paths = ['src/lib/names/same-name.ts', 'test/api/x.test.ts', 'src/inventory/sources/store.ts'];
    expect(paths.flatMap((path) => found(line, path))).toEqual([]);
    expect(idleComparisons([]).join('\n')).toContain('src/foundation/signatures/providers/store-providers.ts compares no names');
  });
});
