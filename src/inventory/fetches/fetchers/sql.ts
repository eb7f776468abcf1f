/** Rows of a database, by one statement that reads. */
import { SqlSettingsSchema } from '../../../gen/countersign/v1/fetches_pb.js';
import { openSql } from '../../../lib/sql-source/open-sql.ts';
import { findSettingFaults, type SqlSettings } from '../../../lib/sql-source/settings.ts';
import { bareName } from '../../../wire/names.ts';
import type { Asked, Fetched, Fetcher, Settings } from './types.ts';
import { readFaults } from './violations.ts';

const readSettings = (sent: Settings<typeof SqlSettingsSchema>) => ({ ...sent, engine: bareName('SQL_ENGINE_', sent.engine) });

async function openDatabaseSource(asked: Asked<typeof SqlSettingsSchema>): Promise<Fetched> {
  const { settings, secrets, installation, clock, signal, noteStep } = asked;
  const { password } = secrets;
  const parts = { rules: installation.outgoing, signal, now: clock, noteStep };
  const { table, facts, close } = await openSql(readSettings(settings) as SqlSettings, { password }, parts);
  return { mark: '', contents: [table], facts, close };
}

/** The fetcher of databases. */
export const sqlFetcher: Fetcher<typeof SqlSettingsSchema> = {
  kind: 'SQL',
  settings: SqlSettingsSchema,
  check: (sent) => readFaults(findSettingFaults(readSettings(sent))),
  open: openDatabaseSource,
};
