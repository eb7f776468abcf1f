/**
 * The keys of a tenant's log: which generation is in use, and which of them this process has the secret of. The secret is in the operator's file,
 * or in the database where there is none. Notes are signed with them elsewhere.
 */
import { type KeyObject, randomBytes } from 'node:crypto';
import { AppError } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import type { Db } from '../../../db/types.ts';
import { deriveLogSeed } from '../../../lib/log/checkpoint.ts';
import { deriveMacKey } from '../../../lib/log/event-mac.ts';
import { createNoteSigner, type NoteKey, type NoteSigner, readPublicKey } from '../../../lib/log/signed-note.ts';
import { insertLogKey, type LogKeyRow, listAllLogKeys, listLogKeys, updateRetired } from './store-keys.ts';

/** A generation and what follows from its secret. */
export interface LogKey {
  readonly generation: number;
  readonly source: LogKeyRow['source'];
  readonly publicKey: Buffer;
  readonly createdAt: Date;
  readonly retiredAt: Date | null;
  /** Absent where this process does not have the secret. */
  readonly secret: Buffer | undefined;
}

/** The key of the codes of events. */
export interface MacKey {
  readonly generation: number;
  readonly key: KeyObject;
}

/** Whatever has a database with the secrets of this process. */
type Vaulted = { readonly db: Pick<Db, 'vault'> };

/** Both keys sign for so long after a change. */
const dayMs = 24 * 3_600_000;
const signsBesideMs = 30 * dayMs;
/** Processes that have not heard of a new key go on with the old one for so long: those of a rolling restart. */
const macBesideMs = dayMs;
const keepMs = 60_000;

const missing =
  'The log of this tenant is signed with a key of a log secret file, and this process does not have it. Give that file (--log-secret-file, COUNTERSIGN_LOG_SECRET_FILE).';

/**
 * The key that vouches for events written now. Makes the first generation where there is none. FAILED_PRECONDITION where its secret is in a file
 * that this process was not given.
 */
export async function findMacKey(context: Context): Promise<MacKey> {
  const { tenantId } = context;
  const { remembered } = context.db.vault;
  const known = remembered.get(tenantId) as (MacKey & { readonly until: number }) | undefined;
  if (known !== undefined && known.until > performance.now()) {
    return known;
  }
  const { keys, isCommitted } = await readOrMakeKeys(context);
  const inUse = keys.find(
    ({ secret, retiredAt }) => secret !== undefined && (retiredAt === null || context.now.getTime() - retiredAt.getTime() < macBesideMs),
  );
  if (inUse?.secret === undefined) {
    throw new AppError('FAILED_PRECONDITION', missing);
  }
  const found = { generation: inUse.generation, key: deriveMacKey(inUse.secret, tenantId, inUse.generation) };
  if (isCommitted) {
    remembered.set(tenantId, { ...found, until: performance.now() + keepMs });
  }
  return found;
}

/** All generations, the newest first. */
export async function listKeys(context: Context): Promise<LogKey[]> {
  return withSecrets(context, context.tenantId, await listLogKeys(context));
}

/** The signers of a log now: the generation in use, and those that were until a short while ago. FAILED_PRECONDITION where their secret is not here. */
export async function findSigners(context: Context, origin: string): Promise<NoteSigner[]> {
  const { keys } = await readOrMakeKeys(context);
  const [inUse] = keys;
  if (inUse?.secret === undefined) {
    throw new AppError('FAILED_PRECONDITION', missing);
  }
  return keys
    .filter(({ retiredAt }) => retiredAt === null || context.now.getTime() - retiredAt.getTime() < signsBesideMs)
    .flatMap(({ secret, generation }) =>
      secret === undefined ? [] : [createNoteSigner(origin, deriveLogSeed(secret, context.tenantId, generation))],
    );
}

/** The public key of a generation under the name of the log. */
export function noteKeyOf({ publicKey }: Pick<LogKey, 'publicKey'>, origin: string): NoteKey {
  return readPublicKey(origin, publicKey);
}

/** Standing of this process to the keys of a log: it has the one in use, is to bring a new one into use, or has none that fits. */
type KeyStanding = 'fits' | 'new' | 'foreign';

/** Says which; a log without keys fits. */
export async function findKeyStanding(context: Context): Promise<KeyStanding> {
  return judgeStanding(context, await listKeys(context));
}

/** The tenants to whose log this process has no key that fits, in one query for all of them. */
export async function listUnfitTenants(system: Db): Promise<string[]> {
  const byTenant = Map.groupBy(await listAllLogKeys(system), ({ tenantId }) => tenantId);
  const isUnfit = ([tenantId, rows]: [string, readonly LogKeyRow[]]): boolean =>
    judgeStanding({ db: system }, withSecrets({ db: system }, tenantId, rows)) !== 'fits';
  return [...byTenant].filter(isUnfit).map(([tenantId]) => tenantId);
}

function judgeStanding({ db }: Vaulted, [inUse, ...former]: readonly LogKey[]): KeyStanding {
  const [first] = db.vault.logSecrets;
  if (inUse === undefined) {
    return 'fits';
  }
  if (inUse.secret === undefined || (first !== undefined && former.some(({ secret }) => secret?.equals(first)))) {
    return 'foreign';
  }
  return first === undefined || inUse.secret.equals(first) ? 'fits' : 'new';
}

/** Brings the next generation into use, from the operator's file or made here, and returns the former and the new one. Only inside a transaction. */
export async function makeNextKey(context: Context): Promise<{ readonly former: LogKey | undefined; readonly next: LogKey }> {
  const [former] = await listKeys(context);
  const generation = (former?.generation ?? 0) + 1;
  await addKey(context, generation);
  await updateRetired(context, generation);
  context.db.vault.remembered.delete(context.tenantId);
  const [next] = await listKeys(context);
  if (next === undefined) {
    throw new AppError('INTERNAL', 'Something went wrong on our side.', { detail: 'a key of the log was not made' });
  }
  return { former, next };
}

async function readOrMakeKeys(context: Context): Promise<{ keys: LogKey[]; isCommitted: boolean }> {
  let rows = await listLogKeys(context);
  if (rows.length === 0) {
    await addKey(context, 1);
    rows = await listLogKeys(context);
  }
  return { keys: withSecrets(context, context.tenantId, rows), isCommitted: rows.every(({ isCommitted }) => isCommitted) };
}

async function addKey(context: Context, generation: number): Promise<void> {
  const [given] = context.db.vault.logSecrets;
  const secret = given ?? randomBytes(32);
  const { publicKey } = createNoteSigner('log', deriveLogSeed(secret, context.tenantId, generation)).key;
  await insertLogKey(context, {
    generation,
    source: given === undefined ? 'TENANT' : 'FILE',
    publicKey,
    seed: given === undefined ? secret : null,
  });
}

/** The generations of a tenant with their secrets, where these are in the database or in the file that was given. */
function withSecrets({ db }: Vaulted, tenantId: string, rows: readonly LogKeyRow[]): LogKey[] {
  return rows.map(({ generation, source, publicKey, seed, createdAt, retiredAt }) => {
    const candidates = seed === null ? db.vault.logSecrets : [seed];
    const secret = candidates.find((one) =>
      createNoteSigner('log', deriveLogSeed(one, tenantId, generation)).key.publicKey.equals(publicKey),
    );
    return { generation, source, publicKey, createdAt, retiredAt, secret };
  });
}
