/**
 * Places that compare names by themselves. Two names are the same where the keys of src/lib/names/same-name.ts, or `name_key`, `address_key` and `id_key`
 * in SQL, are equal: lower case alone makes two of what is one, and one of what is two.
 */
import type { Finding } from './arrows.ts';
import { isTest, type SourceFile, withoutComments } from './tree.ts';

/** Ends of the names of what holds a name, an address, a user name or an employee id. */
const words = 'e?mail|address|user_?name|display_?name|external_?id|employee_?id|login|account|person|label|name';
/** A change of case of such a value in code, and in SQL also cutting and normal forms. */
const inCode = new RegExp(
  String.raw`\b\w*(?:${words})\b(?:\([^()]*\))?\)*[?!]?(?:\.trim\(\)|\?)*\.(?:to(?:Locale)?(?:Lower|Upper)Case|normalize)\(`,
  'i',
);
const inSql = new RegExp(String.raw`\b(?:lower|upper|btrim|normalize|fold_case)\([^)]*?\b\w*(?:${words})\b|\bILIKE\b|\bcitext\b`, 'i');

/** Files that may, each with the reason. Of a folder, a name ends with a slash. */
export const ownComparisons: Readonly<Record<string, string>> = {
  'src/lib/names/': 'the one module',
  'src/db/': 'migrations: what they did stands',
  'src/lib/c1z/': 'names of columns and tables',
  'src/lib/entra/': 'names of attributes and headers',
  'src/lib/ldap/': 'names of attributes',
  'src/lib/tables/xlsx.ts': 'names of sheets, which a workbook has once in whatever case',
  'src/lib/web-files/settings.ts': 'names of headers',
  'src/runner/refused.ts': 'names of options',
  'src/cli/imports/import.ts': 'names of sources and columns',
  'src/cli/imports/sync.ts': 'names of sources',
  'src/inventory/access-profiles/store-search.ts':
    'a search by the name of an app finds it in any case, as clients of the public API expect',
  'src/inventory/catalog/record/store-apps.ts': 'a search by the name of an app finds it in any case, as clients of the public API expect',
  'src/inventory/catalog/record/store-resources.ts': 'ids of traits, which the contract spells',
  'src/inventory/scim/document/': 'names of attributes, and texts that a filter compares as RFC 7644 says',
  'src/foundation/signatures/providers/store-providers.ts': 'finds identity providers by a part of their name',
  'src/governance/snapshots/scope/say-scope.ts': 'names of enums',
  'src/inventory/sources/': 'names of sources and settings',
  'src/inventory/syncs/apps/app-column.ts': 'names of columns',
  'src/inventory/syncs/columns/': 'names of columns',
  'src/inventory/syncs/people/store-references.ts': 'a manager whom a file names by words is found in any case',
  'src/inventory/syncs/rehearsal/store-rehearsal.ts': 'an order of rows that are shown',
  'src/inventory/syncs/values/': 'names of columns, and words that mean a status',
  'src/governance/tasks/batches/store-judge.ts': 'names of levels of risk, which are one in any case',
  'console/src/parts/fields/cidr-field.tsx': 'addresses of networks',
  'console/src/screens/sources/kinds/': 'names of systems that are looked for',
};

/** Lines that compare names by themselves. */
export function namesComparedElsewhere(files: readonly SourceFile[]): Finding[] {
  const isAllowed = (path: string): boolean =>
    Object.keys(ownComparisons).some((one) => path === one || (one.endsWith('/') && path.startsWith(one)));
  return files
    .filter((file) => !isTest(file) && !isAllowed(file.path))
    .flatMap(({ path, text }) =>
      withoutComments(text)
        .split('\n')
        .flatMap((line, index) =>
          inCode.test(line) || inSql.test(line)
            ? [`${path}:${index + 1}: names are compared by the keys of lib/names/same-name.ts; see test/house/name-keys.ts`]
            : [],
        ),
    );
}

/** Files in the list that are not there, or that need no place in it. */
export function idleComparisons(files: readonly SourceFile[]): Finding[] {
  return Object.keys(ownComparisons)
    .filter((one) => !one.endsWith('/'))
    .filter((one) => {
      const text = files.find(({ path }) => path === one)?.text;
      return (
        text === undefined ||
        !withoutComments(text)
          .split('\n')
          .some((line) => inCode.test(line) || inSql.test(line))
      );
    })
    .map((one) => `test/house/name-keys.ts: ${one} compares no names`);
}
