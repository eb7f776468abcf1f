/** Every fetcher, and the settings that clients send for one. */
import type { JsonObject } from '@bufbuild/protobuf';
import { AppError, type FieldViolation, isAppError } from '../../../errors.ts';
import { canonicalise } from '../../../wire/canonical.ts';
import { typePrefix } from '../../../wire/row.ts';
import { readRequest } from '../../../wire/read.ts';
import { batonFetcher } from './baton.ts';
import { entraFetcher } from './entra.ts';
import { folderFetcher } from './folder.ts';
import { httpsFetcher } from './https.ts';
import { ldapFetcher } from './ldap.ts';
import { s3Fetcher } from './s3.ts';
import { sqlFetcher } from './sql.ts';
import type { FetchedKind, Fetcher } from './types.ts';

/** By kind. */
const fetchers: ReadonlyMap<string, Fetcher> = new Map<FetchedKind, Fetcher>([
  ['FOLDER', folderFetcher],
  ['HTTPS', httpsFetcher],
  ['S3', s3Fetcher],
  ['LDAP', ldapFetcher],
  ['BATON', batonFetcher],
  ['SQL', sqlFetcher],
  ['ENTRA', entraFetcher],
]);

/** The fetcher of a kind of source; undefined where such sources do not fetch. */
export function findFetcher(kind: string): Fetcher | undefined {
  return fetchers.get(kind);
}

/** Settings that were read: the config in its fixed form, and what is wrong with it. */
export interface ReadSettings {
  readonly kind: FetchedKind;
  readonly config: JsonObject;
  readonly violations: readonly FieldViolation[];
}

/** Reads the config of a source, which says by its type which kind it is; undefined where it is of no kind that fetches. */
export function checkSettings(config: JsonObject): ReadSettings | undefined {
  const { '@type': type, ...members } = config;
  const fetcher = [...fetchers.values()].find(({ settings }) => `${typePrefix}${settings.typeName}` === type || settings.typeName === type);
  if (fetcher === undefined) {
    return undefined;
  }
  const { kind } = fetcher;
  try {
    refuseUnknown(readRequest(fetcher.settings, members).unknown.map(({ path }) => path));
  } catch (error) {
    if (isAppError(error, 'INVALID_ARGUMENT')) {
      return { kind, config, violations: error.violations ?? [{ field: '', description: error.message }] };
    }
    throw error;
  }
  const settings = canonicalise(fetcher.settings, members);
  return {
    kind,
    config: { '@type': `${typePrefix}${fetcher.settings.typeName}`, ...settings },
    violations: fetcher.check(settings),
  };
}

/** A setting that nobody knows is most likely misspelt. */
function refuseUnknown(fields: readonly string[]): void {
  if (fields.length > 0) {
    const violations = fields.map((field) => ({ field, description: 'is no setting of this kind' }));
    throw new AppError('INVALID_ARGUMENT', 'There are settings that nobody knows.', { violations });
  }
}
