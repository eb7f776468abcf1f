/** Looking for words in everything that the database holds. */
import type { TestServer } from './server.ts';

/** Rows of all tables that hold one of the words, as a dump would: files of reports are in it as hexadecimal digits. */
export async function findInDump(server: TestServer, words: readonly string[]): Promise<string[]> {
  const tables = await server.test.admin(
    "SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'countersign'::regnamespace AND c.relkind = 'r'",
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await server.test.admin(`SELECT t::text AS row FROM countersign.${String(name)} t`);
    for (const { row } of rows) {
      const text = String(row).replaceAll(/\\\\x[0-9a-f]{16,}/g, (bytes) => Buffer.from(bytes.slice(3), 'hex').toString('latin1'));
      found.push(
        ...words.filter((word) => text.toLowerCase().includes(word)).map((word) => `${String(name)}: ${word}: ${text.slice(0, 200)}`),
      );
    }
  }
  return found;
}
