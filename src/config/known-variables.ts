/**
 * Environment variables that look like ours: which are, which Kubernetes set, and which are most likely misspelt. A misspelt name of the
 * database would otherwise start an empty product beside the one that was meant.
 */
import { serveOptions, variableName } from './serve-options.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Read by the command line, by compose.yaml or by the set-up of a clone. */
const readElsewhere = [
  'COUNTERSIGN_URL',
  'COUNTERSIGN_CLIENT_ID',
  'COUNTERSIGN_CLIENT_SECRET',
  'COUNTERSIGN_OWNER_PASSWORD',
  'COUNTERSIGN_APP_PASSWORD',
  'COUNTERSIGN_PUBLISHED_PORT',
  'COUNTERSIGN_SETTING_UP',
];
const options = serveOptions.map(({ flag }) => variableName(flag));
const databaseVariable = 'DATABASE_URL';
const farthest = 2;

/**
 * The environment without what Kubernetes adds to each pod for a Service called `countersign` or `countersign-...`: COUNTERSIGN_PORT=tcp://10.0.0.1:80
 * is no port of ours. See "Accessing the Service" in Kubernetes' documentation of Services.
 */
export function withoutServiceLinks(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => !isServiceLink(name, value ?? '')));
}

function isServiceLink(name: string, value: string): boolean {
  return (
    /^COUNTERSIGN_(\w+_)?SERVICE_(HOST|PORT(_\w+)?)$/.test(name) ||
    (/^COUNTERSIGN_(\w+_)?PORT(_\d+_(TCP|UDP|SCTP))?$/.test(name) && /^(tcp|udp|sctp):\/\//.test(value)) ||
    /^COUNTERSIGN_(\w+_)?PORT_\d+_(TCP|UDP|SCTP)_(PROTO|PORT|ADDR)$/.test(name)
  );
}

/**
 * A sentence for each variable that begins with COUNTERSIGN_, in any case, and is none of ours, nor `keyVariable`, which --key-env names; and for a
 * name close to DATABASE_URL with the URL of a database in it, and for DATABASE_URL_FILE, where no database is named.
 */
export function listUnknownVariables(env: Environment, keyVariable: string | undefined, namesDatabase: boolean): string[] {
  const known = new Set([...options, ...readElsewhere, keyVariable]);
  const isUnknown = (name: string): boolean => /^COUNTERSIGN_(?!TEST_)/i.test(name) && !known.has(name);
  const isDatabase = (name: string): boolean =>
    !namesDatabase &&
    name !== databaseVariable &&
    /^postgres(ql)?:/.test(env[name] ?? '') &&
    countEdits(name, databaseVariable) <= farthest;
  return Object.keys(env).flatMap((name) => {
    if (name === `${databaseVariable}_FILE` && !namesDatabase) {
      return [`${name} is not read: no file stands for a variable; set ${databaseVariable} itself`];
    }
    if (isDatabase(name)) {
      return [`${name} is not read, and names a database; did you mean ${databaseVariable}?`];
    }
    return isUnknown(name) ? [`${name} is no variable of countersign${suggest(name)}`] : [];
  });
}

/**
 * A sentence for each variable of a database that is set to nothing, as a template leaves it whose own variable is misspelt: it would start on
 * an empty database elsewhere. `isNamed` says which places are named otherwise.
 */
export function listEmptyPlaces(env: Environment, isNamed: { readonly url: boolean; readonly directory: boolean }): string[] {
  const places = isNamed.url ? [] : ['COUNTERSIGN_DATABASE_URL', databaseVariable, ...(isNamed.directory ? [] : ['COUNTERSIGN_DATA_DIR'])];
  return places
    .filter((name) => env[name]?.trim() === '')
    .map((name) => `${name} is set and empty; give it a value, or take it away to use the embedded database`);
}

/** The way out: the option itself where a file was to stand for it, as images of others have it, or the closest one, where one is close. */
function suggest(variable: string): string {
  const whole = variable.replace(/_FILE$/, '');
  if (whole !== variable && options.includes(whole)) {
    return `: no file stands for a variable; set ${whole} itself`;
  }
  const [closest] = options
    .map((option) => ({ option, edits: countEdits(variable.toUpperCase(), option) }))
    .filter(({ edits }) => edits <= farthest)
    .sort((one, other) => one.edits - other.edits);
  return closest === undefined ? '; take it away, or see countersign serve --help' : `; did you mean ${closest.option}?`;
}

/** Damerau-Levenshtein distance (optimal string alignment): letters added, left out, replaced or exchanged with the next one. */
function countEdits(one: string, other: string): number {
  const rows = Array.from({ length: one.length + 1 }, (_, row) => [row]);
  const at = (row: number, column: number): number => rows[row]?.[column] ?? column + row;
  for (let row = 0; row <= one.length; row += 1) {
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isExchanged = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const ways = row === 0 ? [column] : [at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + (isSame ? 0 : 1)];
      (rows[row] as number[])[column] = Math.min(...ways, ...(isExchanged ? [at(row - 2, column - 2) + 1] : []));
    }
  }
  return at(one.length, other.length);
}
