/** Files of real connectors as rows, by a thread of its own; and those that are refused, each with its sentence. */
import { mkdtempSync, readdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { readVector } from '../../../test/support/c1z.ts';
import { isLong } from '../../../test/support/runs.ts';
import { type OpenC1zOptions, openC1z } from './open-c1z.ts';

async function* piecesOf(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += 3000) {
    yield await Promise.resolve(bytes.subarray(at, at + 3000));
  }
}

async function read(bytes: Uint8Array, options: OpenC1zOptions = {}) {
  const file = await openC1z(piecesOf(bytes), options);
  try {
    const rows: Record<string, string>[] = [];
    for await (const batch of file.table.batches) {
      expect(batch.length).toBeLessThanOrEqual(5000);
      for (const row of batch) {
        expect(row).toHaveLength(file.table.columns.length);
        rows.push(Object.fromEntries(file.table.columns.flatMap((name, at) => (row[at] ? [[name, row[at] as string]] : []))));
      }
    }
    return { rows, ...file.facts(), columns: file.table.columns };
  } finally {
    await file.close();
  }
}

const refusalOf = (bytes: Uint8Array, options?: OpenC1zOptions) =>
  read(bytes, options).then(
    () => 'read',
    (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error)),
  );

describe('files of real connectors', () => {
  it('reads the file of SDK 0.2.50, which lacks newer columns', async () => {
    const { rows, warnings, incompleteReason, observedFrom } = await read(readVector('demo-sdk-0.2.50'));
    const grants = rows.filter((row) => row['account'] !== undefined && row['entitlement'] !== undefined);
    expect(grants).toHaveLength(25);
    expect(new Set(rows.flatMap(({ account = '' }) => (account === '' ? [] : [account])))).toHaveProperty('size', 5);
    const entitlements = rows.filter((row) => row['account'] === undefined);
    expect(entitlements).toHaveLength(10);
    expect(new Set(entitlements.map((row) => row['resource']))).toHaveProperty('size', 6);
    expect(warnings).toEqual([
      expect.stringContaining('6 grants have a principal that is no account'),
      expect.stringContaining('1 grant has no principal'),
    ]);
    expect(incompleteReason).toBe('');
    // Its clock may be fourteen hours ahead of UTC.
    expect(observedFrom).toEqual(new Date('2026-11-23T03:42:19Z'));
    expect(grants.find((row) => row['display_name'] === 'Frank')).toMatchObject({
      account: '2IC0WoaHVvl2GIQppXQH0flK1yJ',
      email: 'frank@example.com',
      account_type: 'USER',
      account_status: 'ENABLED',
    });
  });

  it('reads the same connector after a removal', async () => {
    const [before, after] = await Promise.all([read(readVector('demo-sdk-0.2.50')), read(readVector('demo-sdk-0.2.50-after-revoke'))]);
    const of = ({ rows }: typeof before) => rows.map((row) => `${row['display_name']} ${row['entitlement']}`);
    expect(of(before).filter((grant) => !of(after).includes(grant))).toEqual(['Frank role:2IC0WmaHecJdzo5jYnQiTh2BVlB:assignment']);
    expect(after.warnings[1]).toContain('2 grants have no principal');
  });

  it('reads the file of SDK 0.25.0', async () => {
    const { rows, warnings } = await read(readVector('sdk-0.25-sqlite'));
    expect(rows.filter((row) => row['account'] !== undefined && row['entitlement'] !== undefined)).toHaveLength(120);
    expect(new Set(rows.map((row) => row['account']).filter(Boolean))).toHaveProperty('size', 60);
    expect(rows.filter((row) => row['account'] === undefined)).toHaveLength(6);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['sdk-0.25-pebble', 'the file holds a Pebble store, which is not read here; run the connector with BATON_STORAGE_ENGINE=sqlite'],
    ['pebble-magic', 'the file holds a Pebble store, which is not read here; run the connector with BATON_STORAGE_ENGINE=sqlite'],
    ['cut', 'the file is damaged or was cut off: its zstd cannot be expanded to the end'],
    ['one-bit', 'the file is damaged or was cut off: its zstd cannot be expanded to the end'],
    ['noise', 'the file is damaged or was cut off: its zstd cannot be expanded to the end'],
    ['view-for-table', 'v1_grants in the file is a view, not a table'],
    ['unfinished', 'the file has no finished full sync; it has an unfinished one; let the connector finish one'],
    ['partial', 'the file has no finished full sync; it has one of the type "partial"; let the connector finish one'],
    [
      'not-expanded',
      'the sync in the file was not expanded (needs_expansion): grants that groups pass on are missing; let the connector finish it',
    ],
  ])('refuses %s', async (name, sentence) => {
    expect(await refusalOf(readVector(name))).toBe(`C1zError: ${sentence}`);
  });

  it('refuses what expands without end, and leaves nothing on disk', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'c1z-own-'));
    vi.stubEnv('TMPDIR', folder);
    const limits = isLong ? {} : { limits: { maxBytes: 1024 ** 4, maxExpansion: 200, graceBytes: 20 * 1024 ** 2 } };
    expect(await refusalOf(readVector('bomb'), limits)).toBe('C1zError: the file expands to more than 200 times its size');
    expect(await refusalOf(readVector('demo-sdk-0.2.50'), { limits: { maxBytes: 50_000, maxExpansion: 200, graceBytes: 10 } })).toContain(
      'more than',
    );
    expect(await read(readVector('sdk-0.25-sqlite'))).toMatchObject({ warnings: [] });
    vi.unstubAllEnvs();
    expect(readdirSync(folder)).toEqual([]);
    rmdirSync(folder);
  });

  it.each([
    ['nothing', ''],
    ['four bytes', 'C1ZF'],
    ['text', 'account,email\n'],
  ])('refuses %s', async (_name, text) => {
    expect(await refusalOf(Buffer.from(text))).toBe('C1zError: the file is no c1z: it does not begin with C1ZF');
  });
});
