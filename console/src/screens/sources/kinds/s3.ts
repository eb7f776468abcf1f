/** Files in S3 stores. */
import type { S3Settings } from '~/data/messages.ts';
import type { KindOfSource } from './kind.ts';

export const s3: KindOfSource<S3Settings> = {
  id: 'S3',
  type: 'type.googleapis.com/countersign.v1.S3Settings',
  name: 's3.name',
  about: 's3.about',
  before: 's3.before',
  people: 'setting',
  canTest: true,
  fields: [
    { name: 'endpoint', control: 'line', label: 's3.endpoint', hint: 's3.endpointHint', example: 'https://s3.example.com' },
    { name: 'region', control: 'line', label: 's3.region', hint: 's3.regionHint', example: 'eu-central-1', isRequired: true },
    { name: 'bucket', control: 'line', label: 's3.bucket', isRequired: true },
    { name: 'prefix', control: 'line', label: 's3.prefix', hint: 's3.prefixHint', example: 'exports/hr/' },
    { name: 'pattern', control: 'line', label: 's3.pattern', hint: 's3.patternHint', example: 'people-*.csv', isRequired: true },
    { name: 'accessKeyId', control: 'line', label: 's3.accessKeyId', isRequired: true },
    { name: 'secretAccessKey', control: 'line', label: 's3.secretAccessKey', isSecret: true, isRequired: true },
    { name: 'sheet', control: 'line', label: 's3.sheet', hint: 's3.sheetHint', isMore: true },
    { name: 'needsManifest', control: 'tick', label: 's3.needsManifest', hint: 's3.needsManifestHint', isMore: true },
    { name: 'ca', control: 'area', label: 's3.ca', hint: 's3.caHint', example: '-----BEGIN CERTIFICATE-----', isMore: true },
  ],
  // Places of files, and not the apps that the files are of.
  systems: [
    { name: { text: 's3.amazon' }, also: 'aws bucket object storage speicher file datei' },
    { name: { text: 's3.minio' }, also: 's3 bucket object storage speicher file datei' },
    { name: { text: 's3.ceph' }, also: 's3 bucket object storage rados speicher file datei' },
    { name: { text: 's3.garage' }, also: 's3 bucket object storage speicher file datei', settings: { region: 'garage' } },
    { name: { text: 's3.cloudflare' }, also: 's3 bucket object storage speicher file datei', settings: { region: 'auto' } },
    {
      name: { text: 's3.google' },
      also: 'gcs gcp s3 bucket object storage speicher file datei hmac',
      settings: { region: 'auto', endpoint: 'https://storage.googleapis.com' },
    },
    { name: { text: 's3.aStore' }, also: 's3 bucket object storage speicher file datei' },
  ],
};
