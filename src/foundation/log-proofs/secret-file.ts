/** The operator's file with the log secret: read before the database is opened, and held against the keys of every log before anything is served. */
import { readFile } from 'node:fs/promises';
import { AppError } from '../../errors.ts';
import { type Logger, type React, systemActor } from '../../context.ts';
import type { Database } from '../../db/types.ts';
import { reasonOfFile } from '../../lib/files/file-reason.ts';
import { readLogSecrets } from '../../lib/log/log-secret.ts';
import { listUnfitTenants } from '../audit/index.ts';
import { settleKey } from './tree/index.ts';

/** The secrets in a file, the one in use first; none where no file is named. FAILED_PRECONDITION where it cannot be read. */
export async function readLogSecretFile(path: string | undefined): Promise<Buffer[]> {
  if (path === undefined || path === '') {
    return [];
  }
  try {
    return readLogSecrets(await readFile(path));
  } catch (error) {
    const reason = reasonOfFile(error) ?? `it must hold ${error instanceof Error ? error.message : String(error)}`;
    throw new AppError('FAILED_PRECONDITION', `The log secret file ${path} (--log-secret-file) cannot be used: ${reason}.`, {
      cause: error,
    });
  }
}

/** Brings a new secret into use for every log. FAILED_PRECONDITION where one is signed with a key whose secret this process does not have. */
export async function settleLogKeys(
  database: Database,
  { log, react, clock }: { readonly log: Logger; readonly react: React; readonly clock: () => Date },
): Promise<void> {
  let rotated = 0;
  for (const tenantId of await listUnfitTenants(database.system())) {
    const context = { db: database.tenant(tenantId), tenantId, actor: systemActor('start'), now: clock(), log, react };
    rotated += (await settleKey(context)) === 'rotated' ? 1 : 0;
  }
  if (rotated > 0) {
    log.info({ logs: rotated }, 'event logs have a new key; the former one signs beside it for 30 days');
  }
  if (database.system().vault.logSecrets.length === 0) {
    log.warn({}, 'the keys of event logs are in the database, so who has the database can sign; --log-secret-file keeps them outside');
  }
}
