/**
 * Contents of an entitlement as a client writes it: which members have a column, which stand in its document, which are never a client's, and what
 * can be wrong with each. Whether what it names is there is asked by `requireContent`.
 */
import { type FieldViolation, refuseInvalid } from '../../../errors.ts';
import { type AppEntitlementJson, AppEntitlementSchema } from '../../../gen/c1/api/app/v1/app_pb.js';
import type { Context } from '../../../context.ts';
import { canonicalise } from '../../../wire/canonical.ts';
import { bareName } from '../../../wire/names.ts';
import { findWrongValues } from '../../classifications/index.ts';
import { findWrongPolicies } from '../apps/index.ts';
import { type EntitlementContent, type EntitlementRow, shownSlug } from '../record/index.ts';

/** Members of the message that are computed, although the public API does not say so. */
export const computedMembers = ['defaultValuesApplied', 'sourceConnectorIds', 'userEditedMask'] as const;
/** Members that say where an entitlement belongs and how it came here: from its making on, they stay. */
export const fixedMembers = ['appId', 'appResourceTypeId', 'appResourceId', 'isManuallyManaged'] as const;

const purposePrefix = 'APP_ENTITLEMENT_PURPOSE_VALUE_';
const maxLengths = [
  ['displayName', 1000],
  ['description', 10_000],
  ['alias', 200],
  ['slug', 200],
] as const;

/** The members of an entitlement that a client may change, in their fixed form. */
export function contentJson(row: EntitlementRow): AppEntitlementJson {
  return tidy({
    ...row.document,
    displayName: row.displayName,
    description: row.description,
    certifyPolicyId: row.certifyPolicyId,
    alias: row.alias,
    slug: shownSlug(row),
    purpose: `${purposePrefix}${row.purpose}`,
    riskLevelValueId: row.riskLevelValueId,
    complianceFrameworkValueIds: [...row.complianceFrameworkValueIds],
  });
}

/** The same of what was sent: names without the spaces around them, without what is never a client's. */
export function tidy(sent: AppEntitlementJson): AppEntitlementJson {
  const content = canonicalise(AppEntitlementSchema, sent);
  for (const member of [...computedMembers, ...fixedMembers]) {
    delete content[member];
  }
  for (const member of ['displayName', 'alias', 'slug'] as const) {
    content[member] = (content[member] ?? '').trim();
  }
  if (content.purpose === `${purposePrefix}UNSPECIFIED`) {
    content.purpose = `${purposePrefix}ASSIGNMENT`;
  }
  return content;
}

/** The same with each framework once: what was sent keeps its places until it was checked. */
export function withoutDoubles(json: AppEntitlementJson): AppEntitlementJson {
  return { ...json, complianceFrameworkValueIds: [...new Set(json.complianceFrameworkValueIds)] };
}

/** Makes the stored form. `shown` is the slug that is shown where none is set: setting that one is setting none. */
export function entitlementContent(json: AppEntitlementJson, shown: string): EntitlementContent {
  const {
    displayName = '',
    description = '',
    certifyPolicyId = '',
    alias = '',
    slug = '',
    purpose = `${purposePrefix}UNSPECIFIED`,
    riskLevelValueId = '',
    complianceFrameworkValueIds = [],
    ...document
  } = json;
  const use = bareName(purposePrefix, purpose);
  return {
    displayName,
    description,
    certifyPolicyId,
    alias,
    riskLevelValueId,
    complianceFrameworkValueIds,
    document,
    slug: slug === shown ? '' : slug,
    purpose: use === 'UNSPECIFIED' ? 'ASSIGNMENT' : use,
  };
}

/**
 * INVALID_ARGUMENT with everything that is wrong with the members named in `fields`. `prefix` is put before the name of each field.
 * `keepValues` was called before.
 */
export async function requireContent(
  context: Context,
  json: AppEntitlementJson,
  fields: ReadonlySet<string>,
  prefix: string,
  more: readonly FieldViolation[] = [],
): Promise<void> {
  const violations: FieldViolation[] = [...more];
  const wrong = (field: string, description: string) => violations.push({ field: `${prefix}${field}`, description });
  if (fields.has('displayName') && json.displayName === '') {
    wrong('displayName', 'must not be empty');
  }
  for (const [field, length] of maxLengths) {
    if (fields.has(field) && (json[field] ?? '').length > length) {
      wrong(field, `must not be longer than ${length} characters`);
    }
  }
  if (fields.has('durationGrant') && !(Number.parseFloat(json.durationGrant ?? '1s') > 0)) {
    wrong('durationGrant', 'must be longer than nothing; leave it out, or set durationUnset, for no limit');
  }
  violations.push(
    ...(await findWrongValues(
      context,
      {
        riskLevelValueId: fields.has('riskLevelValueId') ? (json.riskLevelValueId ?? '') : '',
        complianceFrameworkValueIds: fields.has('complianceFrameworkValueIds') ? (json.complianceFrameworkValueIds ?? []) : [],
      },
      prefix,
    )),
    ...(await findWrongPolicies(context, json, fields, prefix)),
  );
  refuseInvalid(violations);
}
