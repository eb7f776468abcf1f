/** Places for SQL, calls of store functions, and the form of migrations. What the migrated schema must hold is in schema.ts. */
import { type Finding, pathFromLayer } from './arrows.ts';
import { isTest, type SourceFile, stringsOf } from './tree.ts';

const statement =
  /\bSELECT\b[\s\S]*\bFROM\b|\bINSERT\s+INTO\b|\bUPDATE\s+(?:ONLY\s+)?[\w"]+[\s\S]*\bSET\b|\bDELETE\s+FROM\b|\bCOPY\s+\w+[\s\S]*\bFROM\b/;

/** True if the file may hold SQL of its module. */
export function isStore(path: string): boolean {
  return /\/(?:store(?:-[a-z0-9-]+)?|reads)\.ts$/.test(path);
}

/** Files with SQL that are neither a store nor in db/. */
export function sqlOutsideStores(files: readonly SourceFile[]): Finding[] {
  return (
    files
      .filter((file) => !isTest(file) && !isStore(file.path) && !file.path.startsWith('src/db/'))
      // That of databases of others, which it reads rows from.
      .filter((file) => !file.path.startsWith('src/lib/sql-source/'))
      .filter((file) => stringsOf(file.text).some((text) => statement.test(text)))
      .map((file) => `${file.path}: SQL stands only in store.ts, store-*.ts, reads.ts and src/db`)
  );
}

/** Code that names the table of texts: only the functions of the schema read it, since no policy guards it. */
export function textsOutsideFunctions(files: readonly SourceFile[]): Finding[] {
  return files
    .filter((file) => !isTest(file) && stringsOf(file.text).some((text) => /\bsearch_texts\b/.test(text)))
    .map((file) => `${file.path}: search_texts is read by the functions of the schema alone`);
}

/** Code that adds events past `recordEvent`, whose one statement stands in the store of audit. */
export function eventsPastAudit(files: readonly SourceFile[]): Finding[] {
  return files
    .filter((file) => !isTest(file) && !/^audit\/store(?:-[a-z0-9-]+)?\.ts$/.test(pathFromLayer(file.path) ?? ''))
    .filter((file) => stringsOf(file.text).some((text) => /\bINSERT\s+INTO\s+events\b/i.test(text)))
    .map((file) => `${file.path}: events are written by recordEvent and recordEventWith of audit alone`);
}

/** Places for evidence of what people did: there everybody is named by the words of the act. */
const ofEvidence =
  /^(?:reports|evidence|walkthroughs|roll-forwards|second-reviews|signatures|revocations\/record|reviews\/(?:record|evidence)|tasks\/(?:task|views|decisions|progress))\//;

/** Texts that people are looked for by: those of today, which are shown nowhere. */
const lookedFor = /coalesce\((\w+)\.display_name \|\| ' ' \|\| \1\.email, ''\)/g;

/** SQL of evidence that reads the present name, address or employee id of a person: `person_words` has those of the act. */
export function presentWords(files: readonly SourceFile[]): Finding[] {
  return files
    .filter((file) => !isTest(file) && ofEvidence.test(pathFromLayer(file.path) ?? ''))
    .filter((file) => {
      const text = file.text.replace(lookedFor, '');
      const aliases = [...text.matchAll(/\b(?:FROM|JOIN) users(?:_public)? (?:AS )?(\w+)/g)].map(([, alias = '']) => alias);
      return aliases.some((alias) => new RegExp(`\\b${alias}\\.(?:display_name|email|employee_id)\\b`).test(text));
    })
    .map((file) => `${file.path}: evidence names people by the words of its act; read person_words (nameAtSql of directory), not users`);
}

/** Migrations whose names are not four digits and words in lower case, joined by underscores, or whose numbers have a gap. */
export function wrongMigrationNames(names: readonly string[]): Finding[] {
  return [...names].sort().flatMap((name, index) => {
    const wanted = String(index + 1).padStart(4, '0');
    return new RegExp(`^${wanted}_[a-z0-9]+(?:_[a-z0-9]+)*\\.sql$`).test(name)
      ? []
      : [`src/db/migrations/${name}: a migration is called NNNN_what_it_does.sql, here ${wanted}_...; underscores, no dashes`];
  });
}
