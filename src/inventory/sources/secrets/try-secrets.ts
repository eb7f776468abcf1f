/** Secrets for settings that are tried out: those that were sent, those in files of the operator, and those of a source that is there. */
import type { JsonObject } from '@bufbuild/protobuf';
import { type FieldViolation, refuseInvalid } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { findTenantHost, hostNameOf } from '../../../foundation/tenants/index.ts';
import { openSecrets } from './keep-secrets.ts';
import { isSecretFile, maxSecretLength, maxSecrets, placeOfSettings } from './rules.ts';
import { readSecretFile } from './secret-files.ts';

/** Secrets by their names. */
export interface GivenSecrets {
  readonly values: Readonly<Record<string, string>>;
  /** Files of the operator that hold them. */
  readonly files: Readonly<Record<string, string>>;
  /** Source whose secrets stand for those that are not given; undefined for none. */
  readonly source: { readonly id: string; readonly config: JsonObject | null } | undefined;
}

/**
 * Returns the secrets by their names. Those of a source are used for settings that lead where it leads, and for no others, so that nobody has them
 * sent elsewhere. INVALID_ARGUMENT for too many or too long ones, FAILED_PRECONDITION for a file that cannot be used.
 */
export async function openSecretsToTry(
  context: Context,
  config: JsonObject,
  { values, files, source }: GivenSecrets,
): Promise<Readonly<Record<string, string>>> {
  const violations: FieldViolation[] = [];
  if (Object.keys(values).length > maxSecrets || Object.values(values).some((value) => value.length > maxSecretLength)) {
    violations.push({ field: 'secrets', description: `must be at most ${maxSecrets}, of at most ${maxSecretLength} characters each` });
  }
  if (Object.keys(files).length > maxSecrets || !Object.values(files).every(isSecretFile)) {
    violations.push({ field: 'secretFiles', description: `must be at most ${maxSecrets}, each the name of a file without folders` });
  }
  refuseInvalid(violations);
  const isSamePlace = source !== undefined && placeOfSettings(source.config) === placeOfSettings(config);
  const kept = isSamePlace ? await openSecrets(context, source.id) : {};
  const host = hostNameOf((await findTenantHost(context.db, context.tenantId)) ?? '');
  const read = await Promise.all(
    Object.entries(files).map(async ([name, file]) => [name, await readSecretFile(context.db.vault.secretsDir, host, file)] as const),
  );
  return { ...kept, ...Object.fromEntries(read), ...values };
}
