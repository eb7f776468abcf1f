/** Makes c1z files as a connector does: a SQLite database with the tables of its SDK, in zstd behind five bytes. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdCompressSync } from 'node:zlib';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** Bytes of a message: each field a text, bytes, a number, or a list of these. */
export type Fields = Readonly<Record<number, FieldValue | readonly FieldValue[] | undefined>>;
type FieldValue = string | Uint8Array | number | bigint | boolean;

/** Writes a message of protobuf. */
export function message(fields: Fields): Uint8Array {
  const writer = new BinaryWriter();
  for (const [no, values] of Object.entries(fields)) {
    for (const value of [values ?? []].flat() as readonly FieldValue[]) {
      if (typeof value === 'string') {
        writer.tag(Number(no), WireType.LengthDelimited).string(value);
      } else if (value instanceof Uint8Array) {
        writer.tag(Number(no), WireType.LengthDelimited).bytes(value);
      } else if (typeof value === 'boolean') {
        writer.tag(Number(no), WireType.Varint).bool(value);
      } else {
        writer.tag(Number(no), WireType.Varint).int64(value);
      }
    }
  }
  return writer.finish();
}

/** Writes a google.protobuf.Any of the connectors' package. */
export const annotation = (type: string, fields: Fields = {}): Uint8Array =>
  message({ 1: `type.googleapis.com/c1.connector.v2.${type}`, 2: message(fields) });

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** Writes a google.protobuf.Struct. */
export function struct(members: Readonly<Record<string, Json>>): Uint8Array {
  return message({ 1: Object.entries(members).map(([name, value]) => message({ 1: name, 2: writeValue(value) })) });
}

function writeValue(value: Json): Uint8Array {
  if (typeof value === 'number') {
    return new BinaryWriter().tag(2, WireType.Bit64).double(value).finish();
  }
  if (typeof value === 'string' || typeof value === 'boolean') {
    return message(typeof value === 'string' ? { 3: value } : { 4: value });
  }
  return value === null
    ? message({ 1: 0 })
    : Array.isArray(value)
      ? message({ 6: message({ 1: value.map(writeValue) }) })
      : message({ 5: struct(value as Record<string, Json>) });
}

/** A row of each table; ids are made of types and names as connectors do. */
export interface C1zContents {
  readonly types: Iterable<{ readonly id: string; readonly traits?: readonly number[]; readonly name?: string }>;
  readonly resources: Iterable<{
    readonly type: string;
    readonly id: string;
    readonly parent?: readonly [string, string];
    readonly data?: Fields;
  }>;
  readonly entitlements: Iterable<{ readonly type: string; readonly resource: string; readonly slug: string; readonly data?: Fields }>;
  /** Entitlements as `type:resource:slug`; the principal is its type and id. */
  readonly grants: Iterable<{
    readonly of: string;
    readonly to: readonly [string, string];
    readonly sources?: Readonly<Record<string, boolean>>;
    readonly annotations?: readonly Uint8Array[];
  }>;
  readonly run?: Readonly<Partial<Record<'started_at' | 'ended_at' | 'sync_token' | 'sync_type' | 'stats', string | null>>>;
}

const schema = `
  CREATE TABLE v1_resource_types (id integer primary key, external_id text not null, data blob not null, sync_id text not null, discovered_at datetime not null);
  CREATE UNIQUE INDEX types_by_id ON v1_resource_types (external_id, sync_id);
  CREATE TABLE v1_resources (id integer primary key, resource_type_id text not null, external_id text not null, parent_resource_type_id text,
    parent_resource_id text, data blob not null, sync_id text not null, discovered_at datetime not null);
  CREATE UNIQUE INDEX resources_by_id ON v1_resources (external_id, sync_id);
  CREATE TABLE v1_entitlements (id integer primary key, resource_type_id text not null, resource_id text not null, external_id text not null,
    data blob not null, sync_id text not null, discovered_at datetime not null);
  CREATE UNIQUE INDEX entitlements_by_id ON v1_entitlements (external_id, sync_id);
  CREATE TABLE v1_grants (id integer primary key, resource_type_id text not null, resource_id text not null, entitlement_id text not null,
    principal_resource_type_id text not null, principal_resource_id text not null, external_id text not null, expansion blob,
    needs_expansion integer not null default 0, data blob not null, sync_id text not null, discovered_at datetime not null);
  CREATE INDEX grants_by_principal ON v1_grants (principal_resource_type_id, principal_resource_id);
  CREATE UNIQUE INDEX grants_by_id ON v1_grants (external_id, sync_id);
  CREATE TABLE v1_sync_runs (id integer primary key, sync_id text not null, started_at datetime not null, ended_at datetime, sync_token text not null,
    sync_type text not null default 'full', stats text);`;

const syncId = '3MWA250dLDpFLM6EsoMhBX4r7h3';
const moment = '2026-11-23 12:00:00.5';

/** Writes a database with these contents, and lets `change` make it something else. */
export function writeC1zDatabase(path: string, contents: C1zContents, change: (db: DatabaseSync) => void = () => undefined): void {
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; ${schema}`);
  db.exec('BEGIN');
  const row = (table: string, columns: string) =>
    db.prepare(
      `INSERT INTO ${table} (${columns}, sync_id, discovered_at) VALUES (${columns.replace(/\w+/g, '?')}, '${syncId}', '${moment}')`,
    );
  const type = row('v1_resource_types', 'external_id, data');
  for (const { id, traits = [], name = id } of contents.types) {
    type.run(id, message({ 1: id, 2: name, 3: traits }));
  }
  const resource = row('v1_resources', 'resource_type_id, external_id, parent_resource_type_id, parent_resource_id, data');
  for (const { type: of, id, parent, data = {} } of contents.resources) {
    resource.run(of, `${of}:${id}`, parent?.[0] ?? null, parent?.[1] ?? null, message({ 1: message({ 1: of, 2: id }), 3: id, ...data }));
  }
  const entitlement = row('v1_entitlements', 'resource_type_id, resource_id, external_id, data');
  for (const { type: of, resource: on, slug, data = {} } of contents.entitlements) {
    const id = `${of}:${on}:${slug}`;
    entitlement.run(of, on, id, message({ 2: id, 3: slug, 8: slug, ...data }));
  }
  const grant = row(
    'v1_grants',
    'resource_type_id, resource_id, entitlement_id, principal_resource_type_id, principal_resource_id, external_id, data',
  );
  for (const { of, to, sources = {}, annotations = [] } of contents.grants) {
    const [on = '', id = ''] = of.split(':');
    const map = Object.entries(sources).map(([key, isDirect]) => message({ 1: key, 2: message(isDirect ? { 1: true } : {}) }));
    const data = message({
      1: message({ 2: of }),
      2: message({ 1: message({ 1: to[0], 2: to[1] }) }),
      3: `${of}:${to.join(':')}`,
      4: annotations,
      5: map.length > 0 ? message({ 1: map }) : undefined,
    });
    grant.run(on, id, of, to[0], to[1], `${of}:${to.join(':')}`, data);
  }
  const run = { started_at: moment, ended_at: '2026-11-23 12:05:00.5', sync_token: '{}', sync_type: 'full', stats: null, ...contents.run };
  db.prepare('INSERT INTO v1_sync_runs (sync_id, started_at, ended_at, sync_token, sync_type, stats) VALUES (?, ?, ?, ?, ?, ?)').run(
    syncId,
    run.started_at,
    run.ended_at,
    run.sync_token,
    run.sync_type,
    run.stats,
  );
  db.exec('COMMIT');
  change(db);
  db.close();
}

/** Wraps a database as a c1z. */
export function wrapC1z(database: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from('C1ZF\0'), zstdCompressSync(database)]);
}

/** A c1z with these contents. */
export function writeC1z(contents: C1zContents, change?: (db: DatabaseSync) => void): Buffer {
  const directory = mkdtempSync(join(tmpdir(), 'c1z-made-'));
  try {
    const path = join(directory, 'made.db');
    writeC1zDatabase(path, contents, change);
    return wrapC1z(readFileSync(path));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** A file of test/vectors/baton. */
export const readVector = (name: string): Buffer => readFileSync(new URL(`../vectors/baton/${name}.c1z`, import.meta.url));
