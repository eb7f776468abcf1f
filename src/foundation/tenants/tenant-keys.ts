/**
 * Keys of a tenant, by which secrets are sealed that must be read again. They are in the database, wrapped by the key of the installation: a dump
 * of the database alone opens nothing.
 */
import { randomBytes } from 'node:crypto';
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import type { Keyring } from '../../db/types.ts';
import { insertTenantKey, listTenantKeys, type TenantKeyRow } from './store-keys.ts';

/** A key to seal with. */
interface TenantKey {
  readonly no: number;
  readonly key: Buffer;
}

const keepMs = 600_000;

/** Returns the key in use, made where there is none. FAILED_PRECONDITION where this process has no key of the installation, or not the right one. */
export async function takeTenantKey(context: Context): Promise<TenantKey> {
  const keyring = requireKeyring(context);
  let [row] = await listTenantKeys(context);
  if (row === undefined) {
    const wrapped = await keyring.wrap(aboutKey(context.tenantId, 1), randomBytes(32));
    await insertTenantKey(context, { no: 1, kekId: keyring.kekId, wrapped });
    [row] = await listTenantKeys(context);
  }
  if (row === undefined) {
    throw new AppError('INTERNAL', 'Something went wrong on our side.', { detail: 'a key of a tenant was not made' });
  }
  return { no: row.no, key: await unwrapKey(context, keyring, row) };
}

/** Returns the key with this number. FAILED_PRECONDITION as above, and where it is gone. */
export async function findTenantKey(context: Pick<Context, 'db' | 'tenantId'>, no: number): Promise<Buffer> {
  const keyring = requireKeyring(context);
  const row = (await listTenantKeys(context)).find((one) => one.no === no);
  return row === undefined ? refuseForeign() : unwrapKey(context, keyring, row);
}

function requireKeyring({ db }: Pick<Context, 'db'>): Keyring {
  const { keyring } = db.vault;
  if (keyring === undefined) {
    throw new AppError(
      'FAILED_PRECONDITION',
      'This installation has no key to seal secrets with. Start it with --key-file, --key-env or --key-command, or keep the secret in a file of the server (fromFile).',
    );
  }
  return keyring;
}

function refuseForeign(): never {
  throw new AppError(
    'FAILED_PRECONDITION',
    'The secrets of this tenant were sealed with another key of the installation. Start the server with that key too, or set the secrets again.',
  );
}

function aboutKey(tenantId: string, no: number): string {
  return `${tenantId} ${no}`;
}

async function unwrapKey({ db, tenantId }: Pick<Context, 'db' | 'tenantId'>, keyring: Keyring, row: TenantKeyRow): Promise<Buffer> {
  const { remembered } = db.vault;
  // By what is wrapped: a key that a rolled back transaction made is never taken for the one that was made after it.
  const place = `tenant key ${tenantId} ${row.wrapped}`;
  const known = remembered.get(place) as { readonly key: Buffer; readonly until: number } | undefined;
  if (known !== undefined && known.until > performance.now()) {
    return known.key;
  }
  const key = (await keyring.unwrap(aboutKey(tenantId, row.no), row)) ?? refuseForeign();
  remembered.set(place, { key, until: performance.now() + keepMs });
  return key;
}
