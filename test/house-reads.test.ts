/** The rule of the house on reading other modules' tables can fail: each case is a text that it must count, or must not. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are code that is read.
import { describe, expect, it } from 'vitest';
import { type DescribedView, driftOfViews, silentReads, viewsOf } from './house/reads.ts';
import { idleComparisons, namesComparedElsewhere } from './house/name-keys.ts';
import { presentWords } from './house/sql.ts';
import { countForeignReads, excessReads, listForeignReads, listSqlSlots } from './house/tables.ts';

describe('tables of others', () => {
  const owners = { tasks: 'tasks', grants: 'ledger', jobs: 'jobs' };
  const order = ['ledger', 'tasks'];
  const reads = (path: string, text: string) => countForeignReads(listForeignReads([{ path, text }], owners, order));
  it.each([
    'run(`SELECT id FROM tasks`)',
    'run(`DELETE FROM grants USING tasks t WHERE t.id = $1`)',
    'run(`SELECT FROM grants g LEFT JOIN LATERAL tasks t ON TRUE`)',
    'const from = `tasks t JOIN grants g ON g.id = t.id`;',
    'run(`SELECT FROM grants g, tasks t`)',
    'run(`SELECT FROM (grants g CROSS JOIN tasks t)`)',
    'run(`SELECT FROM unnest($1) AS n (id), tasks t`)',
    'run(`select from "tasks"`)',
    'run(`SELECT FROM countersign.tasks`)',
    'run(`SELECT FROM /* which */ ONLY tasks`)',
    'run(`TABLE tasks`)',
    'run(`COPY tasks (id) TO STDOUT`)',
  ])('are counted where another module reads them: %s', (text) => {
    expect(reads('src/inventory/ledger/store.ts', text)).toEqual({ ledger: { upward: 1, other: 0 } });
    expect(reads('src/governance/tasks/queue/store.ts', text).tasks?.other ?? 0).toBe(text.includes('grants') ? 1 : 0);
  });
  it.each([
    'run(`SELECT extract(epoch FROM tasks) IS DISTINCT FROM tasks AS tasks`)',
    'run(`SELECT FROM grants g JOIN grants USING (tasks) WHERE id IN (1, tasks)`)',
    'run(`SELECT FROM tasks($1)`)',
    "run(`SELECT 'FROM tasks' -- FROM tasks`)",
    'run(`WITH tasks AS (SELECT FROM grants), more AS (SELECT FROM tasks) SELECT FROM tasks`)',
  ])('are not counted where the word is something else: %s', (text) => {
    expect(reads('src/inventory/ledger/store.ts', text)).toEqual({});
  });
  it('are counted in the part of a WITH that is named as they are', () => {
    expect(reads('src/inventory/ledger/store.ts', 'run(`WITH tasks AS (SELECT FROM tasks) SELECT FROM tasks`)')).toEqual({
      ledger: { upward: 1, other: 0 },
    });
    expect(reads('src/inventory/ledger/store.ts', 'run(`SELECT FROM (WITH tasks AS (SELECT 1) SELECT 2) AS x, tasks`)')).toEqual({
      ledger: { upward: 1, other: 0 },
    });
  });
  it('are not counted in the words of a comment, of a test, of what is no store, or of the database itself', () => {
    expect(reads('src/inventory/ledger/store.ts', '// Read FROM tasks.')).toEqual({});
    expect(reads('src/inventory/ledger/store.test.ts', 'run(`SELECT FROM tasks`)')).toEqual({});
    expect(reads('src/inventory/ledger/words.ts', 'const told = `What comes from tasks`')).toEqual({});
    expect(reads('src/db/erase.ts', 'run(`SELECT FROM tasks`)')).toEqual({});
  });
  it('may be read through the views of earlier modules alone', () => {
    const views = [
      { view: 'tasks_public', owner: 'tasks' },
      { view: 'grants_public', owner: 'ledger' },
    ];
    const through = (module: string, view: string) =>
      countForeignReads(
        listForeignReads([{ path: `src/governance/${module}/store.ts`, text: `run('SELECT FROM ${view}')` }], owners, order, views),
      );
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
  it('are seen in what a slot returns', () => {
    const slot = (members: string) =>
      listSqlSlots([
        { path: 'src/inventory/ledger/slots.ts', text: `export interface S {\n${members}\n}\nexport const s = createSlot<S>('s');` },
      ]);
    expect(slot('  readonly isAsked: (id: string) => Sql;\n  find(\n    id: string,\n  ): Promise<Sql>;')).toEqual([
      'ledger.find',
      'ledger.isAsked',
    ]);
    expect(slot('  /** A FROM item: it is; text. */\n  readonly tasks: string;')).toEqual(['ledger.tasks']);
    expect(slot('  readonly find: (where: Sql) => Promise<string>;')).toEqual([]);
  });
});

describe('statements that are put together', () => {
  const library = `import tag, { join, raw, empty } from 'sql-template-tag';
    export { empty };
    export const sql = tag;
    export function fixed(text: string) { return raw(text); }
    export function joinSql(pieces, separator = ', ') { return pieces.length === 0 ? empty : join(pieces, separator); }`;
  const header = `import { empty, fixed, joinSql, type Sql, sql } from '../../lib/sql.ts';\n`;
  const upward = (text: string, ...others: { path: string; text: string }[]) =>
    listForeignReads(
      [{ path: 'src/lib/sql.ts', text: library }, { path: 'src/inventory/ledger/store.ts', text: header + text }, ...others],
      { tasks: 'tasks', users: 'tasks', grants: 'ledger' },
      ['ledger', 'tasks'],
    ).map(({ module, table, place }) => `${module} ${table} ${place.slice(-4)}`);
  it.each([
    ['a constant', "\nconst name = 'tasks';\nfunction find({ db }) { return db.rows(`SELECT FROM ${name}`); }"],
    ['a fixed piece', "\nconst name = 'tasks';\nfunction find({ db }) { return db.rows(sql`SELECT FROM ${fixed(name)}`); }"],
    [
      'a piece of its own',
      'function find({ db }) {\nconst more = sql`tasks t USING (id)`; return db.rows(sql`SELECT FROM grants JOIN ${more}`); }',
    ],
    [
      'an argument',
      "function part(name: string): Sql { return sql`FROM ${fixed(name)}`; } function find({ db }) {\nreturn db.rows(sql`SELECT ${part('tasks')}`); }",
    ],
    [
      'a member of a constant',
      "const names = {\nA: { table: 'tasks' } }; function find({ db }, kind: 'A') { return db.one(`SELECT FROM ${names[kind].table}`); }",
    ],
    ['a type of texts', "\nfunction find({ db }, kind: 'grants' | 'tasks') { return db.one(`SELECT FROM ${kind}`); }"],
    [
      'the way less taken',
      'function find({ db }, wanted?: string) {\nreturn db.one(sql`SELECT FROM ${wanted === undefined ? sql`tasks` : sql`grants`}`); }',
    ],
    [
      'a way within a way',
      "function find({ db }, a: boolean, b: boolean) { const x = a ? 'grants' :\nb ? 'grants' : 'tasks'; return db.one(`SELECT FROM ${x}`); }",
    ],
    [
      'a list',
      "function find({ db }) { return db.one(joinSql(\n['grants', 'tasks'].map((name) => sql`SELECT FROM ${fixed(name)}`), ' UNION ')); }",
    ],
    ['a sum of texts', "function find({ db }) { return db.one('SELECT FROM ' +\n'tasks'); }"],
    [
      'pieces that are pushed',
      'function find({ db }) { const parts: Sql[] = [];\nparts.push(sql`tasks`); return db.one(sql`SELECT FROM ${joinSql(parts)}`); }',
    ],
    [
      'a function within',
      "function find({ db }) { const from = (name: string) => `FROM ${name}`;\nreturn db.one(`SELECT ${from('tasks')}`); }",
    ],
    ['a transaction', 'function find({ db }) { return db.transaction((tx) =>\ntx.db.one(sql`SELECT FROM ${sql`tasks`}`)); }'],
    ['a comma', 'function find({ db }) { const more =\nsql`, tasks t`; return db.one(sql`SELECT FROM grants g${more}`); }'],
  ])('are seen whole: a name that comes by %s', (_, text) => {
    expect(upward(text)).toEqual(['ledger tasks ts:3']);
  });
  it('are seen whole: a name that another file exports', () => {
    const names = { path: 'src/inventory/ledger/names.ts', text: "export const table = 'tasks';" };
    const more = { path: 'src/inventory/ledger/index.ts', text: "export { table as called } from './names.ts';" };
    const text = "import { called } from './index.ts';\nfunction find({ db }) { return db.one(`SELECT FROM ${called}`); }";
    expect(upward(text, names, more)).toEqual(['ledger tasks ts:1']);
  });
  it('count a name once, where it stands, however many statements have it', () => {
    const text =
      'const from = sql`FROM tasks`;\nfunction a({ db }) { return db.one(sql`SELECT 1 ${from}`); }\nfunction b({ db }) { return db.one(sql`SELECT 2 ${from}`); }';
    expect(upward(text)).toEqual(['ledger tasks ts:2']);
  });
  it('count what a piece of the owner names to the owner, not to those who put it into theirs', () => {
    const piece = {
      path: 'src/governance/tasks/reads.ts',
      text: `${header}export function isAsked(): Sql { return sql\`EXISTS (SELECT FROM tasks)\`; }`,
    };
    const text =
      "import { isAsked } from '../tasks/reads.ts';\nfunction find({ db }) { return db.one(sql`SELECT FROM grants WHERE ${isAsked()}`); }";
    expect(upward(text, piece)).toEqual([]);
  });
  it('count a clause of the owner that is told which of its tables to read to the owner', () => {
    const of = (path: string) => ({
      path,
      text: `${header}export function listOf(kind: 'task'): Sql { return sql\`SELECT FROM \${fixed(\`\${kind}s\`)}\`; }`,
    });
    const text = (module: string) =>
      `import { listOf } from '../../governance/${module}/reads.ts';\nfunction find({ db }) {\nreturn db.rows(sql\`SELECT FROM (\${listOf('task')}) x\`); }`;
    expect(upward(text('tasks'), of('src/governance/tasks/reads.ts'))).toEqual([]);
    expect(upward(text('others'), of('src/governance/others/reads.ts'))).toEqual(['ledger tasks ts:4']);
  });
  it('know what a WITH in another piece gives', () => {
    const text =
      'function find({ db }) { const first = sql`WITH users AS (SELECT 1)`;\nconst rest = sql`SELECT FROM users`; return db.one(sql`${first} ${rest}`); }';
    expect(upward(text)).toEqual([]);
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

describe('functions that modules promise', () => {
  const found = (comment: string, path = 'src/inventory/ledger/reads.ts') =>
    silentReads([{ path, text: `const own = 1;\n\n${comment}\nexport async function findIt() {}\n` }], new Set(['grants_open']));
  it('say what they return, and which index answers', () => {
    expect(found('/** Returns it; `grants_open` answers. */')).toEqual([]);
    expect(found('/**\n * Selects it, whatever its `state`.\n * `grants_open` answers.\n */')).toEqual([]);
    expect(found('', 'src/inventory/ledger/store.ts')).toEqual([]);
  });
  it.each([
    ['/** What it is; `grants_open` answers. */', 'begins with what comes of it'],
    ['/** Returns it; `grants_closed` answers. */', 'names the index'],
    ['/** Returns it. */', 'names the index'],
    ['', 'begins with'],
  ])('are seen: %s', (comment, sentence) => {
    expect(found(comment).join('\n')).toContain(sentence);
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
