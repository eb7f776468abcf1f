/**
 * Making, changing and deleting access profiles.
 */
import { AppError, invalidField } from '../../errors.ts';
import { type RequestCatalogJson, RequestCatalogSchema } from '../../gen/c1/api/requestcatalog/v1/requestcatalog_pb.js';
import { compareDocuments } from '../../lib/compare-documents.ts';
import { inTransaction, type Context } from '../../context.ts';
import { canonicalise } from '../../wire/canonical.ts';
import { newId } from '../../wire/ids.ts';
import { applyUpdate } from '../../wire/mask.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { requireLockedProfile, requireProfile } from './require.ts';
import { insertProfile, type ProfileContent, type ProfileRow, removeProfile, updateProfile } from './store.ts';

const maxNameLength = 200;
const maxDescriptionLength = 4000;

/** Splits the members a client sent into those with a column and the rest; INVALID_ARGUMENT with all that is wrong. */
function contentOf(sent: RequestCatalogJson, prefix: string): ProfileContent {
  const { displayName = '', published = false, visibleToEveryone = false, ...document } = canonicalise(RequestCatalogSchema, sent);
  const name = displayName.trim();
  const violations = [];
  if (name === '') {
    violations.push({ field: `${prefix}displayName`, description: 'must not be empty' });
  } else if (name.length > maxNameLength) {
    violations.push({ field: `${prefix}displayName`, description: `must not be longer than ${maxNameLength} characters` });
  }
  if ((document.description ?? '').length > maxDescriptionLength) {
    violations.push({ field: `${prefix}description`, description: `must not be longer than ${maxDescriptionLength} characters` });
  }
  if (violations.length > 0) {
    throw violations.length === 1 && violations[0] !== undefined
      ? invalidField(violations[0].field, violations[0].description)
      : new AppError('INVALID_ARGUMENT', 'The access profile is not valid.', { violations });
  }
  return { displayName: name, published, visibleToEveryone, document };
}

/** Returns a profile as sent, without what the server owns. */
function contentAsSent(row: ProfileContent) {
  return { ...row.document, displayName: row.displayName, published: row.published, visibleToEveryone: row.visibleToEveryone };
}

/** Makes a profile that gives nothing yet. Names may repeat, as in the public API. */
export function createProfile(context: Context, sent: RequestCatalogJson): Promise<ProfileRow> {
  const content = contentOf(sent, '');
  return inTransaction(context, async (inside) => {
    const id = newId(inside.now);
    await insertProfile(inside, id, content);
    await recordEvent(inside, { kind: 'access_profile.created', targetId: id, data: contentAsSent(content) });
    return requireProfile(inside, id);
  });
}

/** Changes the members the mask names, or those that were sent where there is none. NOT_FOUND for none, INVALID_ARGUMENT for a bad mask or value. */
export function changeProfile(
  context: Context,
  id: string,
  sent: RequestCatalogJson,
  mask: readonly string[] | undefined,
): Promise<ProfileRow> {
  return inTransaction(context, async (inside) => {
    const before = contentAsSent(await requireLockedProfile(inside, id));
    const content = contentOf(applyUpdate(RequestCatalogSchema, before, sent, mask), 'catalog.');
    const after = contentAsSent(content);
    const { fields, from, to } = compareDocuments(before, after);
    if (fields.length > 0) {
      await updateProfile(inside, id, content);
      await recordEvent(inside, {
        kind: 'access_profile.updated',
        targetId: id,
        data: { fields, from, to },
      });
    }
    return requireProfile(inside, id);
  });
}

/** Deletes a profile; what people hold through it stays with them. NOT_FOUND for none. */
export function deleteProfile(context: Context, id: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    const { displayName } = await requireLockedProfile(inside, id);
    await removeProfile(inside, id);
    await recordEvent(inside, { kind: 'access_profile.deleted', targetId: id, data: { displayName } });
  });
}
