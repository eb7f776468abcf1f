/** A file on a web server, or a Google Sheet. */
import type { FieldViolation } from '../../../errors.ts';
import { HttpsSettingsSchema } from '../../../gen/countersign/v1/files_pb.js';
import { FetchFault } from '../../../lib/tables/fetch-fault.ts';
import type { AskParts } from '../../../lib/web-files/ask.ts';
import { askGoogleToken } from '../../../lib/web-files/google-token.ts';
import { openWebFile, readBeside, type Validators, type WebFile } from '../../../lib/web-files/open-web-file.ts';
import { findAddress, findSettingFaults, type HttpsSettings, isSheet, joinHeaders, type Secrets } from '../../../lib/web-files/settings.ts';
import { openFile } from './file-content.ts';
import { findSheetFault } from './file-names.ts';
import { type Manifest, manifestSuffix, maxManifestBytes, parseManifest, refuseLarge, refuseWithout } from './manifest.ts';
import type { Asked, Fetched, Fetcher } from './types.ts';
import { listFaults, readFaults } from './violations.ts';

/** Marks what was taken: what the server says of it, and its SHA-256. */
interface Mark extends Validators {
  readonly sha256: string;
}

function check(settings: HttpsSettings): FieldViolation[] {
  return [...readFaults(findSettingFaults(settings)), ...listFaults({ sheet: findSheetFault(settings.sheet) })];
}

function makeHeaders(settings: HttpsSettings, secrets: Secrets): Readonly<Record<string, string>> {
  const headers = joinHeaders(settings, secrets);
  if (typeof headers === 'string') {
    throw new FetchFault('SETTINGS', headers);
  }
  return headers;
}

/** Headers, with a token for a sheet that is shared with a service account. */
async function signIn(parts: AskParts, settings: HttpsSettings, secrets: Secrets, now: Date): Promise<Readonly<Record<string, string>>> {
  const headers = makeHeaders(settings, secrets);
  const { serviceAccount } = secrets;
  return serviceAccount !== undefined && isSheet(settings)
    ? { ...headers, authorization: `Bearer ${await askGoogleToken(parts, serviceAccount, now)}` }
    : headers;
}

/** The address, with the part of its query that is a secret. */
function makeAddress(settings: HttpsSettings, { query = '' }: Secrets): URL {
  const url = findAddress(settings);
  const secret = query.replace(/^[?&]/, '');
  if (secret !== '') {
    url.search = url.search === '' ? secret : `${url.search}&${secret}`;
  }
  return url;
}

function readMark(text: string): Mark {
  return text === '' ? { etag: '', lastModified: '', sha256: '' } : (JSON.parse(text) as Mark);
}

/** Reads the manifest beside the file. One that is not needed is asked for where the address is that of a plain file. */
async function findManifest(
  parts: AskParts,
  settings: HttpsSettings,
  url: URL,
  headers: Readonly<Record<string, string>>,
): Promise<Manifest | undefined> {
  const name = url.pathname.slice(url.pathname.lastIndexOf('/') + 1);
  const isPlain = !isSheet(settings) && new URL(settings.url).search === '' && name.includes('.');
  if (!settings.needsManifest && !isPlain) {
    return undefined;
  }
  const beside = new URL(url);
  beside.pathname += manifestSuffix;
  const text = await readBeside(parts, beside, headers, maxManifestBytes);
  if (text === 'large') {
    return refuseLarge(name);
  }
  if (text !== undefined) {
    return parseManifest(text, name);
  }
  return settings.needsManifest ? refuseWithout(name) : undefined;
}

async function open(asked: Asked<typeof HttpsSettingsSchema>): Promise<Fetched> {
  const { settings, secrets, installation, lastMark, signal, clock } = asked;
  const parts: AskParts = { rules: installation.outgoing, signal, ca: settings.ca };
  const begun = clock();
  const headers = await signIn(parts, settings, secrets, begun);
  const url = makeAddress(settings, secrets);
  const last = readMark(lastMark);
  const file = await openWebFile(parts, { url, headers, last });
  if (file === undefined) {
    return { isUnchanged: true };
  }
  try {
    const manifest = await findManifest(parts, settings, url, headers);
    return await openFound(asked, { file, manifest, begun, last });
  } catch (error) {
    file.close();
    throw error;
  }
}

interface Found {
  readonly file: WebFile;
  readonly manifest: Manifest | undefined;
  readonly begun: Date;
  readonly last: Mark;
}

async function openFound(
  { settings, zone, installation }: Asked<typeof HttpsSettingsSchema>,
  { file, manifest, begun, last }: Found,
): Promise<Fetched> {
  if (!file.isWhole && manifest?.sha256 === undefined) {
    throw new FetchFault(
      'REFUSED',
      'The server says neither how long the file is nor where it ends. Lay a manifest with its SHA-256 beside it.',
    );
  }
  const opened = await openFile({
    pieces: file.pieces,
    encoding: file.isGzip ? 'gzip' : '',
    manifest,
    settings,
    zone,
    // A cache may have had the file for a while.
    begun: new Date(begun.getTime() - file.age * 1000),
    saidAt: file.saidAt,
    lookAgain: () => file.lookAgain(installation.settleMs),
  });
  return {
    contents: opened.contents,
    get mark() {
      return JSON.stringify({ ...file.validators, sha256: opened.sha256() } satisfies Mark);
    },
    async facts() {
      const facts = await opened.facts();
      // Without a time, the same bytes may be an export that has died.
      const isUndated = file.saidAt === undefined && manifest?.exportedAt === undefined;
      return { ...facts, isUnchanged: isUndated && opened.sha256() === last.sha256 };
    },
    async close() {
      file.close();
      await opened.close();
    },
  };
}

/** The fetcher of files on web servers. */
export const httpsFetcher: Fetcher<typeof HttpsSettingsSchema> = { kind: 'HTTPS', settings: HttpsSettingsSchema, check, open };
