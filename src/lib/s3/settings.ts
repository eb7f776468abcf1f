/** The settings of an S3 store, and what is wrong with them before anybody is asked. The secret of the access key is no setting. */
import { findCertificateFault } from '../tables/certificates.ts';

/** Settings of a source of kind S3. */
export interface S3Settings {
  /** '' for Amazon S3 in the region. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Beginning of the keys, '' for all. */
  readonly prefix: string;
  /** Rest of the key, with * for any characters in the last of its names. */
  readonly pattern: string;
  readonly accessKeyId: string;
  /** Certificates in PEM form that are trusted in place of the usual ones. */
  readonly ca: string;
  readonly isPeople: boolean;
  readonly sheet: string;
  readonly needsManifest: boolean;
}

/** Something wrong with a setting: a part of a sentence, such as `must name a bucket`. */
export interface SettingFault {
  readonly field: keyof S3Settings;
  readonly reason: string;
}

const regionPattern = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** Returns where the store is: the endpoint, or that of Amazon in the region. */
export function findEndpoint({ endpoint, region }: Pick<S3Settings, 'endpoint' | 'region'>): URL {
  return new URL(endpoint === '' ? `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}` : endpoint);
}

/** Returns all that is wrong but with the pattern and the sheet. */
export function findSettingFaults({ endpoint, region, bucket, prefix, accessKeyId, ca }: S3Settings): SettingFault[] {
  const faults: SettingFault[] = [];
  const require = (isGood: boolean, field: keyof S3Settings, reason: string): void => {
    if (!isGood) {
      faults.push({ field, reason });
    }
  };
  require(endpoint === '' ||
    isEndpoint(endpoint), 'endpoint', 'must be https://host, with a port where it is not the usual one, and nothing behind it');
  require(regionPattern.test(region), 'region', 'must be a region, such as eu-central-1');
  require(/^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/.test(bucket), 'bucket', 'must be the name of a bucket');
  const hasSteps = prefix.split('/').some((part) => part === '.' || part === '..');
  require(prefix.length <= 500 &&
    !/\p{Cc}/u.test(prefix) &&
    !hasSteps, 'prefix', 'must be the beginning of keys, such as exports/hr/, at most 500 characters long');
  require(/^[\x21-\x7e]{1,128}$/.test(accessKeyId), 'accessKeyId', 'must be the id of an access key');
  const caFault = findCertificateFault(ca);
  require(caFault === undefined, 'ca', caFault ?? '');
  return faults;
}

function isEndpoint(text: string): boolean {
  const url = text.length <= 2_000 && URL.canParse(text) ? new URL(text) : undefined;
  const isBare = url?.username === '' && url.password === '' && url.pathname === '/' && url.search === '' && url.hash === '';
  return isBare && /^https?:$/.test(url.protocol);
}
