/**
 * The rules of the house (ARCHITECTURE.md), held against what is really there: each `it` is one rule and fails with its sentence.
 * That each rule can fail is proven in house-rules.test.ts. What the migrated schema must hold is asked in schema.test.ts.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { getOption } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { isUpToDate } from '../scripts/generate.js';
import { serveOptions } from '../src/config/serve-options.ts';
import { layers, modules } from '../src/order.ts';
import { owners } from '../src/tables.ts';
import { errorCodes, factNames } from '../src/errors.ts';
import { takes_as_read } from '../src/gen/countersign/options_pb.js';
import { actorsAskedElsewhere, rolesInConsole } from './house/actors.ts';
import { undeclaredPackages, wrongArrows, wrongDirections, wrongModules, wrongParts } from './house/arrows.ts';
import { sizesOutsideTokens } from './house/console-sizes.ts';
import {
  changesUnread,
  coloursOutsideTokens,
  fetchesPastData,
  literalTexts,
  pastOneWay,
  stylesInCode,
  unusedTexts,
  wrongConsoleImports,
} from './house/console.ts';
import { listContractServices } from './support/contract.ts';
import { csvByHand, csvPackages } from './house/csv.ts';
import { deadFileNames, deadLinks, driftOfMetrics, driftOfModules, driftOfOptions, unknownLabels } from './house/documents.ts';
import { unusedInterfaces, unusedExports } from './house/exports.ts';
import { longSentences } from './house/language.ts';
import { viewsOf } from './house/reads.ts';
import { findUnrecorded } from '../scripts/check-events.js';
import { renderEvents } from '../scripts/list-events.js';
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
import { idleComparisons, namesComparedElsewhere } from './house/name-keys.ts';
import { builtPlaceholders, exportedPlaceholders, passedPlaceholders } from './house/placeholders.ts';
import { connectionsPastOutgoing } from './house/outgoing.ts';
import { eventsPastAudit, presentWords, sqlOutsideStores, textsOutsideFunctions, wrongMigrationNames } from './house/sql.ts';
import { blindUpdates } from './house/schema.ts';
import {
  countForeignReads,
  excessReads,
  foreignWrites,
  listForeignReads,
  listSqlSlots,
  readCeilings,
  sqlSlotsLeft,
  tablesOf,
  wrongOwners,
} from './house/tables.ts';
import { isTest, listPaths, listSources, readText, root } from './house/tree.ts';

const source = listSources('src');
const all = [...source, ...listSources('test'), ...listSources('bench'), ...listSources('console/src')];
// The rules are spelt out in these, with examples of what breaks them.
const withoutTheRules = all.filter((file) => !/^test\/house/.test(file.path));
const production = source.filter((file) => !isTest(file));

const topLevel = readdirSync(root).filter((name) => name.endsWith('.md') || name.endsWith('.json') || name.endsWith('.ts'));
const paths = [...topLevel, ...['bin', 'bench', 'console/src', 'docs', 'proto', 'scripts', 'src', 'test'].flatMap(listPaths)];
const documents = paths.filter((path) => path.endsWith('.md')).map((path) => ({ path, text: readText(path) }));

const manifest = JSON.parse(readText('package.json')) as Record<
  'dependencies' | 'optionalDependencies',
  Record<string, string> | undefined
>;
const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });

const migrations = readdirSync(join(root, 'src/db/migrations'));

/** The beginnings of the SHA-256 of migrations that databases out there were made with; a database refuses to start with another text. */
const appliedMigrations: Readonly<Record<string, string>> = {
  '0001_foundation.sql': '421abb355669344d',
  '0002_words.sql': 'ed9f01447a6ab8bf',
  '0003_event_log.sql': '7e28b9e18613ee00',
  '0004_reactions.sql': '6bec837da3888d83',
  '0005_deliveries.sql': 'fd5973909bbcd562',
  '0006_guard_tables.sql': 'c3b6ea3743c22ba0',
  '0007_roles.sql': '2f82df32ec71aa42',
};

describe('arrows', () => {
  it('a part of src/ imports only what it may know', () => {
    expect(wrongArrows(source)).toEqual([]);
  });
  it('a module imports only modules before it, and only through their index.ts', () => {
    expect(wrongModules(source)).toEqual([]);
  });
  it('a part of a module imports only parts before it, and only through their index.ts', () => {
    expect(wrongParts(source)).toEqual([]);
  });
  it('inside a module the direction is service and jobs -> rules -> store', () => {
    expect(wrongDirections(source)).toEqual([]);
  });
  it('what src/ imports is a dependency, not a development dependency', () => {
    expect(undeclaredPackages(source, dependencies)).toEqual([]);
  });
});

describe('actors', () => {
  it('are asked for their roles and their kind in the module authority alone, and by no page of the console', () => {
    expect([...actorsAskedElsewhere(source), ...rolesInConsole(listSources('console/src'))]).toEqual([]);
  });
  it('writes CSV in one place', () => {
    const written = [...production, ...listSources('console/src').filter((file) => !isTest(file))];
    expect([...csvByHand(written), ...csvPackages(dependencies)]).toEqual([]);
  });
});

describe('connections', () => {
  it('to others lead through outgoing.ts, which judges their addresses', () => {
    expect(connectionsPastOutgoing(production)).toEqual([]);
  });
});

describe('exports', () => {
  it('of functions and values are used by another file', () => {
    expect(unusedExports(all)).toEqual([]);
  });
  it('that a public interface shows are used outside', () => {
    expect(unusedInterfaces(all)).toEqual([]);
  });
});

describe('SQL', () => {
  it('stands only in stores and src/db', () => {
    expect(sqlOutsideStores(production)).toEqual([]);
  });
  it('is put together from pieces that carry their values: no code numbers a placeholder, or hands one on', () => {
    expect([...builtPlaceholders(source), ...passedPlaceholders(source), ...exportedPlaceholders(source)]).toEqual([]);
  });
  it('reads the table of texts, which no policy guards, through the functions of the schema alone', () => {
    expect(textsOutsideFunctions(production)).toEqual([]);
  });
  it('adds events in one place alone', () => {
    expect(eventsPastAudit(production)).toEqual([]);
  });
  it('of evidence names people by the words of the act', () => {
    expect(presentWords(production)).toEqual([]);
  });
  it('of migrations stands in files named NNNN_what_it_does.sql', () => {
    expect(wrongMigrationNames(migrations)).toEqual([]);
  });
});

describe('names', () => {
  const files = all.filter(({ path }) => !path.startsWith('test/') && !path.startsWith('bench/'));
  it('are compared by one rule, wherever they are compared', () => {
    expect(namesComparedElsewhere(files)).toEqual([]);
    expect(idleComparisons(files)).toEqual([]);
  });
});

describe('migrations', () => {
  it('that were applied somewhere are never changed, not even in a comment', () => {
    const found = Object.keys(appliedMigrations).map((name) => [
      name,
      createHash('sha256')
        .update(readText(`src/db/migrations/${name}`))
        .digest('hex')
        .slice(0, 16),
    ]);
    expect(Object.fromEntries(found)).toEqual(appliedMigrations);
  });
});

describe('tables', () => {
  it('have one owner each, a module that is there', () => {
    // The one table that no migration makes: it says which of them were applied.
    const made = tablesOf(
      migrations
        .toSorted()
        .map((name) => readText(`src/db/migrations/${name}`))
        .join('\n'),
    );
    expect(wrongOwners([...made, 'schema_migrations'], owners, modules)).toEqual([]);
  });

  it('see the rows that they change', () => {
    expect(blindUpdates(new Map(migrations.map((name) => [name, readText(`src/db/migrations/${name}`)])))).toEqual([]);
  });
  it('are written by the stores of their owner alone', () => {
    expect(foreignWrites(production, owners)).toEqual([]);
  });
  it('are read by others in fewer and fewer clauses, and of a later module in none', () => {
    const counts = countForeignReads(listForeignReads(production, owners, modules, viewsOf(production)));
    expect(excessReads(counts, readCeilings)).toEqual([]);
    // A ceiling falls with what is counted: a clause that went does not come back.
    expect(readCeilings).toEqual(counts);
  });
  it('are not read by an earlier module through a slot', () => {
    expect(listSqlSlots(production)).toEqual(sqlSlotsLeft);
  });
});

describe('files', () => {
  it('none is over 500 lines (tests 600)', () => {
    expect(oversizedFiles(all)).toEqual([]);
  });
  it('the median is under 120 lines and 90 % are under 300', () => {
    expect(oversizedOnTheWhole(source)).toEqual([]);
  });
  it('no folder holds more than 25 of them, tests aside', () => {
    expect(crowdedFolders([...source, ...listSources('console/src'), ...listSources('bench')])).toEqual([]);
  });
  it('are named in kebab-case', () => {
    expect(wrongFileNames(all.map((file) => file.path))).toEqual([]);
  });
  it('and what is in them have names that say something', () => {
    expect(emptyNames(withoutTheRules)).toEqual([]);
  });
  it('use any, and suppress a check, only with a reason', () => {
    expect([...unexplainedAny(withoutTheRules), ...unexplainedSuppressions(withoutTheRules)]).toEqual([]);
  });
  it('hold no unfinished work', () => {
    expect(unfinishedWords(withoutTheRules)).toEqual([]);
  });
});

describe('the console', () => {
  const files = listSources('console/src');
  const sheets = listPaths('console/src')
    .filter((path) => path.endsWith('.css'))
    .map((path) => ({ path, text: readText(path) }));
  const texts = listPaths('console/src/text/en').flatMap((path) => Object.keys(JSON.parse(readText(path)) as object));
  it('has screens that import app, parts, data and text, and parts that import text alone', () => {
    expect(wrongConsoleImports(files)).toEqual([]);
  });
  it('asks the server in its data alone', () => {
    expect(fetchesPastData(files)).toEqual([]);
  });
  it('sends what is sent, and takes dates, in one way each', () => {
    expect(pastOneWay(files)).toEqual([]);
  });
  it('says what it read in every change that the server compares with that', async () => {
    const methods = (await listContractServices()).flatMap((service) => service.methods);
    const comparing = methods.filter((method) => getOption(method, takes_as_read)).map(({ name, parent }) => `${parent.name}.${name}`);
    expect(comparing.length).toBeGreaterThan(30);
    expect(changesUnread(files, comparing)).toEqual([]);
  });
  it('says only what stands in its catalogue, and all of that', () => {
    expect([...literalTexts(files), ...unusedTexts(files, texts)]).toEqual([]);
  });
  it('has its colours from the tokens, and in code only places that are computed', () => {
    expect([...coloursOutsideTokens(sheets), ...stylesInCode(files)]).toEqual([]);
  });
  it('has its sizes from the tokens', () => {
    expect(sizesOutsideTokens(sheets)).toEqual([]);
  });
});

describe('language', () => {
  it('fewer than one sentence in twenty of the documents has more than 30 words', () => {
    const { share, sentences } = longSentences(documents);
    console.log(`sentences of more than 30 words: ${(share * 100).toFixed(1)} % (wanted: under 5 %)`);
    expect(share, sentences.join('\n')).toBeLessThan(0.05);
  });
});

describe('records', () => {
  it('docs/errors.md explains every error code and no other', () => {
    expect(driftOfErrors(errorCodes, existsSync(join(root, 'docs/errors.md')) ? readText('docs/errors.md') : '')).toEqual([]);
  });
  it('docs/errors.md explains every fact of an error', () => {
    expect(factNames.filter((name) => !readText('docs/errors.md').includes(`\`${name}\``))).toEqual([]);
  });
  it('docs/events.md tells of every kind of event (npm run generate)', async () => {
    expect(readText('docs/events.md')).toBe(await renderEvents());
  });
  it('every kind of event is recorded by somebody', () => {
    expect(findUnrecorded(production)).toEqual([]);
  });
  it('docs/dependencies.md gives a reason for every runtime dependency and no other', () => {
    expect(driftOfDependencies(dependencies, readText('docs/dependencies.md'))).toEqual([]);
  });
  it('links between documents lead somewhere', () => {
    expect(deadLinks(documents, (path) => existsSync(join(root, path)))).toEqual([]);
  });
  it('comments name files that are there', () => {
    expect(deadFileNames(withoutTheRules, paths)).toEqual([]);
  });
  it('docs/operations.md tells of every metric, and of no other', () => {
    expect(driftOfMetrics(readText('src/http/metrics.ts'), readText('docs/operations.md'))).toEqual([]);
  });
  it('docs/operations.md has every option of serve once, and no other', () => {
    const names = serveOptions.map(({ flag }) => flag);
    expect(new Set(names).size).toBe(names.length);
    expect(driftOfOptions(names, readText('docs/operations.md'))).toEqual([]);
  });
  it('docs/console.md names labels that the console has', () => {
    const texts = listPaths('console/src/text/en').flatMap((path) => Object.values(JSON.parse(readText(path)) as Record<string, string>));
    const named = documents.filter(({ path }) => path === 'docs/console.md');
    expect(named.flatMap((document) => unknownLabels(document, texts))).toEqual([]);
  });
  it('ARCHITECTURE.md names every module, and what is not built', () => {
    const built = Object.entries(layers).flatMap(([layer, inside]) =>
      inside.filter((module) => existsSync(join(root, 'src', layer, module))),
    );
    expect(driftOfModules(modules, built, readText('ARCHITECTURE.md'))).toEqual([]);
  });
  it('generated code is not committed', () => {
    const listed = spawnSync('git', ['ls-files', 'src/gen'], { cwd: root, encoding: 'utf8' });
    // Without git, or in a copy that is no clone, what would be ignored is all that can be said.
    expect(listed.status === 0 ? listed.stdout : '').toBe('');
    expect(readText('.gitignore').split('\n')).toContain('src/gen/');
  });
  it('generated code is that of the contract as it is now (npm run generate)', () => {
    expect(isUpToDate()).toBe(true);
  });
});
