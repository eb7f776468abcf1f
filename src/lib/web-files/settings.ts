/** The settings of a file on a web server, and what is wrong with them before anybody is asked. Values of headers that are secret are no settings. */
import { findCertificateFault } from '../tables/certificates.ts';
import { findSheetExport } from './google-sheets.ts';

/** Settings of a source of kind HTTPS. */
export interface HttpsSettings {
  readonly url: string;
  /** Each is `Name: value`; those with secrets are no settings. */
  readonly headers: readonly string[];
  /** Certificates in PEM form that are trusted in place of the usual ones. */
  readonly ca: string;
  readonly isPeople: boolean;
  readonly sheet: string;
  readonly needsManifest: boolean;
}

/** Secrets of a source by their names. */
export type Secrets = Readonly<Record<string, string>>;

/** Something wrong with a setting: a part of a sentence, such as `must be an address`. */
export interface SettingFault {
  readonly field: keyof HttpsSettings;
  readonly reason: string;
}

const maxUrl = 2_000;
const maxHeaders = 8;
const headerPattern = /^(?<name>[A-Za-z0-9_-]{1,100}): ?(?<value>[\x20-\x7e]{1,2000})$/;
/** Begins the names of secrets that are headers. */
const secretPrefix = 'header-';
/** Headers that the request sets by itself, or that would make another request of it. */
const ownHeaders =
  /^(host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|range|if-.*|accept-encoding|cookie2?|proxy-.*)$/i;
const secretName = /authorization|(^|[-_])auth$|token|secret|passw|credential|session|signature|(^|[-_])(api[-_]?)?key$|^sig$/i;

/** Returns the headers of the settings and of the secrets; or what is wrong with the latter, as a sentence. */
export function joinHeaders({ headers }: Pick<HttpsSettings, 'headers'>, secrets: Secrets): Readonly<Record<string, string>> | string {
  const joined = new Map<string, string>();
  for (const text of headers) {
    const { name = '', value = '' } = headerPattern.exec(text)?.groups ?? {};
    joined.set(name.toLowerCase(), value.trim());
  }
  for (const [secret, value] of Object.entries(secrets).filter(([name]) => name.startsWith(secretPrefix))) {
    const name = secret.slice(secretPrefix.length).toLowerCase();
    if (ownHeaders.test(name)) {
      return `The secret ${secret} is of a header that is not sent. Remove it.`;
    }
    if (!/^[\x20-\x7e]*$/.test(value)) {
      return `The secret ${secret} has characters that no header may have. Set it again.`;
    }
    joined.set(name, value);
  }
  return joined.size > maxHeaders ? `There are more than ${maxHeaders} headers, those with secrets included.` : Object.fromEntries(joined);
}

/** Returns the address that is asked: a link of a Google Sheet leads to its CSV. */
export function findAddress({ url }: Pick<HttpsSettings, 'url'>): URL {
  const link = new URL(url);
  return findSheetExport(link) ?? link;
}

/** True if the address is the link of a Google Sheet. */
export function isSheet({ url }: Pick<HttpsSettings, 'url'>): boolean {
  return findSheetExport(new URL(url)) !== undefined;
}

/** Returns all that is wrong. */
export function findSettingFaults({ url, headers, ca, needsManifest }: HttpsSettings): SettingFault[] {
  const urlFault = findUrlFault(url);
  const faults = {
    url: urlFault,
    headers: findHeaderFault(headers),
    ca: findCertificateFault(ca),
    needsManifest:
      needsManifest && urlFault === undefined && isSheet({ url }) ? 'cannot be set for a Google Sheet, which has none' : undefined,
  };
  return Object.entries(faults).flatMap(([field, reason]) =>
    reason === undefined ? [] : [{ field: field as keyof typeof faults, reason }],
  );
}

function findUrlFault(text: string): string | undefined {
  const url = text.length <= maxUrl && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return `must be an address that begins with https://, at most ${maxUrl} characters long`;
  }
  if (url.username !== '' || url.password !== '') {
    return 'must have no user or password; send a header in their place';
  }
  if (url.hash !== '' && findSheetExport(url) === undefined) {
    return 'must have no part behind #, which servers never see';
  }
  const secret = [...url.searchParams.keys()].find((name) => secretName.test(name));
  return secret === undefined
    ? undefined
    : `must hold no secret: leave ${JSON.stringify(secret.slice(0, 60))} out of it, and put that part of the query into the secret query`;
}

function findHeaderFault(headers: readonly string[]): string | undefined {
  const names = new Set<string>();
  for (const text of headers) {
    const name = headerPattern.exec(text)?.groups?.['name'];
    if (name === undefined) {
      return 'must be like Accept: text/csv';
    }
    if (ownHeaders.test(name)) {
      return `must not have ${name}`;
    }
    if (secretName.test(name)) {
      return `must hold no secret: leave ${name} out of it, and set the secret ${secretPrefix}${name}`;
    }
    names.add(name.toLowerCase());
  }
  return names.size < headers.length || names.size > maxHeaders ? `must have at most ${maxHeaders}, each once` : undefined;
}
