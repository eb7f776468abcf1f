/** Files on web servers, and Google Sheets. */
import type { HttpsSettings } from '~/data/messages.ts';
import type { KindOfSource } from './kind.ts';

export const https: KindOfSource<HttpsSettings> = {
  id: 'HTTPS',
  type: 'type.googleapis.com/countersign.v1.HttpsSettings',
  name: 'https.name',
  about: 'https.about',
  before: 'https.before',
  people: 'setting',
  canTest: true,
  fields: [
    {
      name: 'url',
      control: 'line',
      label: 'https.url',
      hint: 'https.urlHint',
      example: 'https://hr.example.com/people.csv',
      isRequired: true,
    },
    { name: 'header-Authorization', control: 'line', label: 'https.authorization', hint: 'https.authorizationHint', isSecret: true },
    {
      name: 'serviceAccount',
      control: 'area',
      label: 'https.serviceAccount',
      hint: 'https.serviceAccountHint',
      isSecret: true,
      isMore: true,
    },
    { name: 'query', control: 'line', label: 'https.query', hint: 'https.queryHint', isSecret: true, isMore: true },
    { name: 'headers', control: 'lines', label: 'https.headers', hint: 'https.headersHint', example: 'Accept: text/csv', isMore: true },
    { name: 'sheet', control: 'line', label: 'https.sheet', hint: 'https.sheetHint', isMore: true },
    { name: 'needsManifest', control: 'tick', label: 'https.needsManifest', hint: 'https.needsManifestHint', isMore: true },
    { name: 'ca', control: 'area', label: 'https.ca', hint: 'https.caHint', example: '-----BEGIN CERTIFICATE-----', isMore: true },
  ],
  // Places of files, and not the apps that the files are of.
  systems: [
    { name: { text: 'https.aLink' }, also: 'http https url web link download csv excel xlsx export' },
    { name: { text: 'https.googleSheet' }, also: 'google workspace drive spreadsheet tabelle csv' },
    { name: { text: 'https.azureBlob' }, also: 'microsoft azure sas blob storage speicher' },
  ],
};
