/** Rows of a database, by one statement that reads. */
import { SqlSettingsSchema } from '../../../gen/countersign/v1/fetches_pb.js';
import { openSql } from '../../../lib/sql-source/open-sql.ts';
import { findSettingFaults, type SqlEngine, type SqlSettings } from '../../../lib/sql-source/settings.ts';
import type { FieldViolation } from '../../../errors.ts';
import type { Asked, Fetched, Fetcher } from './types.ts';
import { readFaults } from './violations.ts';

/** Settings as clients send them. */
type SentSettings = Omit<SqlSettings, 'engine'> & { readonly engine: string };

function readSettings(sent: SentSettings): SqlSettings {
  return { ...sent, engine: sent.engine.replace('SQL_ENGINE_', '') as SqlEngine };
}

function check(sent: SentSettings): FieldViolation[] {
  return readFaults(findSettingFaults(readSettings(sent)));
}

async function openDatabaseSource(asked: Asked<SentSettings>): Promise<Fetched> {
  const { settings, secrets, installation, clock, signal, noteStep } = asked;
  const { password } = secrets;
  const parts = { rules: installation.outgoing, signal, now: clock, noteStep };
  const { table, facts, close } = await openSql(readSettings(settings), { password }, parts);
  return { mark: '', contents: [table], facts, close };
}

/** The fetcher of databases. */
export const sqlFetcher: Fetcher<SentSettings> = { kind: 'SQL', settings: SqlSettingsSchema, check, open: openDatabaseSource };
