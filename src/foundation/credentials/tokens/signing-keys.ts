/**
 * The keys of a tenant that sign access tokens: made where there is none, rotated when old, and remembered for a few seconds.
 * A retired key proves what it signed until the longest token has run out.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import type { Database, Db } from '../../../db/types.ts';
import type { Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import { recordEvent } from '../../audit/index.ts';
import { encodeHeader, type SigningKey } from './access-token.ts';
import { createMemory } from '../record/index.ts';
import { insertSigningKey, listSigningKeys, lockSigningKeys, type SigningKeyRow, endOtherSigningKeys } from './store-tokens.ts';

/** A key signs for this long, then a new one is made. */
export const rotateAfterMs = 30 * 24 * 3_600_000;
const keepMs = 4_000;

/** The keys of one tenant at one moment. */
export interface KeySet {
  readonly signing: SigningKey;
  readonly byId: ReadonlyMap<string, SigningKey>;
  /** RFC 7517, public halves only. */
  readonly jwks: { readonly keys: readonly JsonWebKey[] };
  readonly loadedAt: number;
}

/** Finds the keys of tenants. */
export interface SigningKeys {
  find(tenantId: string): KeySet | Promise<KeySet>;
  /** The key with this id; looks again where it is unknown, since another process may just have made it. */
  findKey(tenantId: string, keyId: string): Promise<SigningKey | undefined>;
}

function keyOf(row: SigningKeyRow): SigningKey {
  return {
    id: row.id,
    publicKey: createPublicKey({ key: row.publicJwk, format: 'jwk' }),
    privateKey: createPrivateKey({ key: row.privateJwk, format: 'jwk' }),
    header: encodeHeader(row.id),
    retiredAt: row.retiredAt ?? undefined,
  };
}

async function addKey(db: Db, tenantId: string, now: Date): Promise<string> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const id = newId(now);
  const publicJwk = { ...publicKey.export({ format: 'jwk' }), kid: id, alg: 'EdDSA', use: 'sig' };
  await insertSigningKey(db, tenantId, {
    id,
    publicJwk,
    privateJwk: { ...privateKey.export({ format: 'jwk' }) },
    createdAt: now,
    retiredAt: null,
  });
  await endOtherSigningKeys(db, tenantId, id, now);
  return id;
}

/** Makes a new signing key and retires the others; their tokens stay good until they run out. Returns its id. In a transaction. */
async function rotateSigningKey(context: Context): Promise<string> {
  await lockSigningKeys(context.db, context.tenantId);
  const id = await addKey(context.db, context.tenantId, context.now);
  await recordEvent(context, { kind: 'signing_key.created', targetId: id });
  return id;
}

/** Makes the finder. `systemScope` is for the event of a rotation that falls due. */
export function createSigningKeys(
  database: Database,
  options: { now: () => Date; tokenLifetimeSeconds: number; systemContext: (tenantId: string) => Context },
): SigningKeys {
  const remembered = createMemory<KeySet>({ keepMs, max: 2_000, now: () => options.now().getTime() });
  // Beyond a token's life by as much as one process may still sign with what it remembers.
  const provesForMs = options.tokenLifetimeSeconds * 1000 + 60_000;

  const list = (db: Db, tenantId: string, now: Date) => listSigningKeys(db, tenantId, new Date(now.getTime() - provesForMs));
  const findSigning = (rows: readonly SigningKeyRow[], now: Date) =>
    rows.find((row) => row.retiredAt === null && now.getTime() - row.createdAt.getTime() < rotateAfterMs);

  async function load(tenantId: string): Promise<KeySet> {
    const now = options.now();
    let rows = await list(database.tenant(tenantId), tenantId, now);
    if (findSigning(rows, now) === undefined) {
      const context = options.systemContext(tenantId);
      rows = await context.db.transaction(async (db) => {
        await lockSigningKeys(db, tenantId);
        const others = await list(db, tenantId, now);
        if (findSigning(others, now) !== undefined) {
          return others;
        }
        await rotateSigningKey({ ...context, db, now });
        return list(db, tenantId, now);
      });
    }
    const signing = findSigning(rows, now) ?? rows[0];
    if (signing === undefined) {
      throw new Error('a tenant has no signing key right after one was made');
    }
    const keys = rows.map(keyOf);
    const byId = new Map(keys.map((key) => [key.id, key]));
    return {
      signing: byId.get(signing.id) ?? keyOf(signing),
      byId,
      jwks: { keys: rows.map((row) => row.publicJwk) },
      loadedAt: now.getTime(),
    };
  }

  const find = (tenantId: string) => remembered.get(tenantId, () => load(tenantId));
  return {
    find,
    async findKey(tenantId, keyId) {
      const keys = await find(tenantId);
      const known = keys.byId.get(keyId);
      // Not more often than this, or invented key ids would cost a query each.
      if (known !== undefined || options.now().getTime() - keys.loadedAt < 500) {
        return known;
      }
      remembered.forget(tenantId);
      return (await find(tenantId)).byId.get(keyId);
    },
  };
}
