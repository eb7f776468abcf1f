/**
 * Losses by a guess at the columns of a file of grants: a column of groups or roles that it does not use, several of them in one cell, or where
 * something is held. Whoever reviews would be asked once where there are several things.
 */
import { plainName } from '../../../lib/names/plain-name.ts';
import { type Sample, valuesAt } from './find-standing.ts';
import { ignoredIn, isColumnEntry, entryKey, type Mapping, columnPlaces } from '../values/index.ts';

/** Columns that by their names hold what somebody has: groups beside a role, several in a cell. */
const heldNames: ReadonlySet<string> = new Set(
  `groups groupnames groupmemberships memberof roles rolenames securityroles assignedroles assignedgroups permissions permissionsets teams projects repositories licenses
  gruppen rollen berechtigungen groupes droits grupos permisos`.split(/\s+/),
);

/** Columns that by their names hold where something is held: the same name in another of these is another thing. */
const whereNames: ReadonlySet<string> = new Set(
  `schema schemaname tableschema objectschema database databasename dbname catalog tablecatalog space spacename spacekey vault vaultname repository repositoryname server
  servername instance instancename computer computername host hostname namespace bucket subscription subscriptionname siteurl
  group groupname groupdisplayname groupemail groupkey securitygroup app appname appdisplayname application applicationname workspace securablefullname objectkey mandt
  mandant sapclient`.split(/\s+/),
);

/** Columns of whoever owns a table, who is a part of its name. */
const tableNames: ReadonlySet<string> = new Set(['tablename', 'objectname']);

/** Finds what speaks against this mapping of a header: empty where nothing does, and for a file that is not of grants. */
export function findLost(found: readonly string[], sample: Sample, mapping: Mapping): readonly string[] {
  if (mapping.entitlement === undefined) {
    return [];
  }
  const keys = found.map(entryKey);
  const placesIn = (from: string | undefined): readonly number[] =>
    from === undefined || from.startsWith('=') ? [] : (columnPlaces(from, keys)?.at ?? []);
  const used = new Set(Object.entries(mapping).flatMap(([key, from]) => (isColumnEntry(key) ? placesIn(from) : [])));
  const ignored = ignoredIn(mapping);
  const held = { resource: placesIn(mapping.resource), entitlement: placesIn(mapping.entitlement) };
  const ofTables = held.resource.some((at) => tableNames.has(plainName(found[at] ?? '')));
  return found.flatMap((name, at) => {
    const shown = JSON.stringify(name);
    const plain = plainName(name);
    if (ignored.has(keys[at] ?? '')) {
      return [];
    }
    if (!used.has(at) && (whereNames.has(plain) || (ofTables && plain === 'owner')) && isScattered(sample, at, held)) {
      const from = mapping.resource === undefined || mapping.resource.startsWith('=') ? name : `${name}+${mapping.resource}`;
      return [
        `the column ${shown} says where something is held, and is not used: map resource to ${JSON.stringify(from)}, or ignore to leave it out`,
      ];
    }
    const values = heldNames.has(plain) ? valuesAt(sample, at) : [];
    if (values.length === 0) {
      return [];
    }
    if (!used.has(at)) {
      return [`the column ${shown} may say what is held, and is not used: map resource or entitlement to it, or ignore to leave it out`];
    }
    const column = (['resource', 'entitlement'] as const).find((one) => held[one].includes(at));
    const separator = column === undefined || mapping.split !== undefined ? undefined : separatorIn(values);
    return separator === undefined
      ? []
      : [
          `a cell of ${shown} seems to hold several values: map split to ${column}${separator === ',' ? '' : ` ${separator}`}, or ${column} to ${shown} if it is one`,
        ];
  });
}

/** True if what is held has the same names with different values of a column. */
function isScattered(sample: Sample, at: number, held: Readonly<Record<'resource' | 'entitlement', readonly number[]>>): boolean {
  const first = new Map<string, string>();
  return sample.some((row) => {
    const key = JSON.stringify([...held.resource, ...held.entitlement].map((place) => row[place] ?? ''));
    const value = (row[at] ?? '').trim();
    const known = first.get(key);
    first.set(key, known ?? value);
    return known !== undefined && known !== value;
  });
}

const separators = [
  { name: ',', pattern: /\s*[,]\s*/ },
  { name: 'semicolon', pattern: /\s*;\s*/ },
  { name: 'bar', pattern: /\s*\|\s*/ },
  { name: 'line', pattern: /\s*\n\s*/ },
];

/** So few different values show nothing of whether others hold the parts of a cell, too. */
const fewValues = 20;

/**
 * Finds what stands between several values in some of these cells, of which others hold the parts, too; the names of directories have commas of
 * their own.
 */
function separatorIn(values: readonly string[]): string | undefined {
  const areNames = values.some((value) => /^(cn|ou)=[^,]+,/i.test(value));
  return separators.find(({ name, pattern }) => {
    if (areNames && name === ',') {
      return false;
    }
    const parts = values.map((value) => value.split(pattern).filter((part) => part !== ''));
    const counts = new Map<string, number>();
    for (const part of parts.flatMap((one) => [...new Set(one)])) {
      counts.set(part, (counts.get(part) ?? 0) + 1);
    }
    return parts.some(
      (one) => one.length > 1 && (areNames || values.length < fewValues || one.some((part) => (counts.get(part) ?? 0) > 1)),
    );
  })?.name;
}
