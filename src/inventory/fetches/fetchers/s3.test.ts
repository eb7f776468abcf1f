/** Objects of an S3 store that verifies signatures: which is taken, what is said of it, and what is refused. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failureOf, readSource, type Wish } from '../../../../test/support/open-source.ts';
import { s3Key, type S3Store, startS3Store } from '../../../../test/support/s3-store.ts';
import type { S3SettingsJson } from '../../../gen/countersign/v1/files_pb.js';
import { s3Fetcher } from './s3.ts';

const { region, accessKeyId, secretAccessKey } = s3Key;
let store: S3Store;
beforeAll(async () => {
  store = await startS3Store();
});
afterAll(() => store.close());
beforeEach(() => {
  store.objects.clear();
  store.requests.length = 0;
  store.instead = () => false;
});

const settings = (more: S3SettingsJson = {}): Required<S3SettingsJson> => ({
  endpoint: store.endpoint,
  region,
  bucket: 'exports',
  prefix: 'hr/',
  pattern: 'people-*.csv',
  accessKeyId,
  ca: '',
  isPeople: false,
  sheet: '',
  needsManifest: false,
  ...more,
});
const put = (key: string, text: string, minute = 0, bucket = 'exports'): void =>
  void store.objects.set(`${bucket}/${key}`, { bytes: Buffer.from(text), modifiedAt: new Date(Date.UTC(2026, 0, 1, 0, minute)) });
const read = (more: S3SettingsJson = {}, wish: Wish = {}) =>
  readSource(s3Fetcher, settings(more), { allowed: ['127.0.0.1', `127.0.0.1:${store.port}`], secrets: { secretAccessKey }, ...wish });
const fault = (more: S3SettingsJson = {}, wish: Wish = {}) => failureOf(read(more, wish));

describe('objects of a store', () => {
  it('are the newest whose name fits, over all pages and no folder below', async () => {
    for (const minute of [1, 2, 9, 4, 5]) {
      put(`hr/people-${minute}.csv`, `of ${minute}`, minute);
    }
    put('hr/people-deep/x.csv', 'deeper', 30);
    put('hr/other.csv', 'other', 30);
    put('hr/people-9.csv.part', 'unfinished', 30);
    put('hr/.people-9.csv', 'hidden', 30);
    const found = await read();
    expect(found).toMatchObject({ text: 'of 9', facts: { observedFrom: new Date('2026-01-01T00:09:00Z'), incompleteReason: '' } });
    expect(store.requests.filter((request) => request.includes('list-type')).length).toBe(3);
    expect(await read({}, { lastMark: found?.mark ?? '' })).toBeUndefined();
    put('hr/people-9.csv', 'written anew', 9);
    expect((await read({}, { lastMark: found?.mark ?? '' }))?.text).toBe('written anew');
  });

  it.each(['a b+c&d=e.csv', "ü!'()*~.csv", 'a%2Fb.csv', '日本/語.csv', '<x>.csv'])('may have any name: %s', async (name) => {
    put(`hr/${name}`, 'here');
    const pattern = name.replace('*', '?').includes('?') ? 'ü*' : name;
    expect((await read({ pattern }))?.text).toBe('here');
    expect((await read({ prefix: '', pattern: `hr/${pattern}` }))?.text).toBe('here');
  });

  it('are held to their manifest', async () => {
    put('hr/people-1.csv', 'text', 1);
    const manifest = (facts: object): void => put('hr/people-1.csv.manifest.json', JSON.stringify(facts), 9);
    expect(await fault({ needsManifest: true })).toContain('CONFLICT: The file "people-1.csv" has no manifest');
    manifest({ sha256: createHash('sha256').update('text').digest('hex'), rows: 7, exportedAt: '2025-12-31T00:00:00Z' });
    expect((await read())?.facts).toMatchObject({ rows: 7, observedFrom: new Date('2025-12-31T00:00:00Z') });
    manifest({ sha256: '0'.repeat(64) });
    expect(await fault()).toBe('CONFLICT: The file has another SHA-256 than its manifest says.');
    put('hr/people-1.csv.manifest.json', ' '.repeat(70_000), 9);
    expect(await fault()).toContain('larger than 65536 bytes');
  });

  it('are refused in words that repeat no secret and nothing of what the store says', async () => {
    put('hr/people-1.csv', 'text');
    const wrong = 'a-wrong-secret-of-somebody';
    const faults = [
      await fault({}, { secrets: {} }),
      await fault({}, { secrets: { secretAccessKey: wrong } }),
      await fault({ accessKeyId: 'AKIA0' }),
      await fault({ region: 'us-east-1' }),
      await fault({ bucket: 'none' }),
      await fault({}, { clock: () => new Date('2020-01-01') }),
      await fault({ pattern: 'nothing-*' }),
      await fault({}, { allowed: [] }),
    ];
    expect(faults).toEqual([
      'REFUSED: The source has no secret named secretAccessKey.',
      expect.stringMatching(/^REFUSED: The store refuses the access key: .* answered 403 \(SignatureDoesNotMatch\)/),
      expect.stringMatching(/^REFUSED: .* 403 \(InvalidAccessKeyId\)/),
      expect.stringMatching(/^SETTINGS: The bucket "exports" lies elsewhere: .*\. Set the region eu-test-1/),
      expect.stringMatching(/^SETTINGS: The store has no bucket "none"/),
      expect.stringMatching(/^UNREACHED: The clock of this server/),
      expect.stringMatching(/^UNREACHED: No object of the bucket "exports" fits/),
      expect.stringMatching(/^REFUSED: 127.0.0.1:\d+ is not asked: /),
    ]);
    expect(faults.join()).not.toMatch(/a-wrong-secret|words of the store|wJalr/);
  });

  it('are nothing half: cut off, replaced meanwhile, or a listing that never ends', async () => {
    put('hr/people-1.csv', 'x'.repeat(1000));
    store.instead = (request, response) => {
      if (request.url?.includes('people-1')) {
        response.writeHead(200, { 'content-length': 1000 }).write('x'.repeat(500), () => response.destroy());
        return true;
      }
      return false;
    };
    expect(await fault()).toMatch(/^UNREACHED: The file of .* broke off after \d+ bytes/);
    store.instead = (request) => {
      if (request.url?.includes('people-1')) {
        put('hr/people-1.csv', 'another');
      }
      return false;
    };
    expect(await fault()).toBe('HALF: The object was replaced while it was read.');
    put('hr/people-1.csv', 'x'.repeat(1000));
    store.instead = (request, response) => {
      if (request.url?.includes('people-1')) {
        response.writeHead(200).end('x'.repeat(999));
        return true;
      }
      return false;
    };
    expect(await fault()).toMatch(/^HALF: .* 999 bytes, and 1000 were announced/);
    store.instead = (_, response) => {
      const pour = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
      };
      response.writeHead(200).on('drain', pour);
      pour();
      return true;
    };
    expect(await fault()).toMatch(/^REFUSED: .* a listing of more than 8 MiB/);
  });

  it.each<[string, string]>([
    ['<html>', 'no listing'],
    ['<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>', 'no listing'],
    ['<ListBucketResult><Contents><Key>hr/people-1.csv</Key></Contents><IsTruncated>false</IsTruncated></ListBucketResult>', 'no listing'],
    [`<!DOCTYPE x [<!ENTITY a "${'a'.repeat(100)}">]><ListBucketResult><IsTruncated>&a;</IsTruncated></ListBucketResult>`, 'no listing'],
    ['<a>'.repeat(10_000), 'no listing'],
    [
      '<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken></ListBucketResult>',
      '100000 objects',
    ],
  ])('are not found in what is no listing: %#', async (xml, words) => {
    put('hr/people-1.csv', 'x');
    store.instead = (_, response) => {
      response.writeHead(200).end(xml);
      return true;
    };
    expect(await fault()).toContain(words);
  });

  it('are asked for by good settings alone', () => {
    const fields = (more: S3SettingsJson) => s3Fetcher.check(settings(more)).map(({ field }) => field);
    expect(fields({})).toEqual([]);
    expect(fields({ endpoint: '' })).toEqual([]);
    for (const endpoint of ['s3.example.com', 'https://s3.example.com/bucket', 'https://a:b@s3.example.com', 'ftp://s3.example.com']) {
      expect(fields({ endpoint }), endpoint).toEqual(['endpoint']);
    }
    const wrong = { region: 'EU/1', bucket: 'a/b', prefix: 'a/../b', pattern: 'a*/b', accessKeyId: 'a b', ca: 'x', sheet: 'x'.repeat(201) };
    expect(fields(wrong).sort()).toEqual(Object.keys(wrong).sort());
  });
});
