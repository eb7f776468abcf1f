/**
 * Giving profile attributes of people and accounts a type, which every import is held to. An attribute without a type is text and is not searched by value; one with a
 * type has every value stored as that type, and is.
 */
import { AppError, invalidField, orThrow } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import {
  type AttributeRow,
  countAttributes,
  findAttribute,
  findMisfits,
  insertValues,
  lockAttributes,
  profileForms,
  type ProfileSubject,
  type ProfileType,
  removeAttribute,
  updateAttribute,
  updateUserProfiles,
} from '../../foundation/directory/index.ts';
import { updateAccountProfiles } from '../ledger/index.ts';
import { getProfiledSql } from './store-profiled.ts';

/** Most attributes of a subject that may have a type: each is kept up with every change of a profile. */
const maxAttributes = 100;
const maxNameLength = 128;

function checkName(name: string): void {
  if (name.trim() === '' || name.length > maxNameLength) {
    throw invalidField('name', `must have 1 to ${maxNameLength} characters: the name of a column of an import`);
  }
}

/**
 * Gives an attribute a type and converts its values. FAILED_PRECONDITION with their number and some of them where values do not fit; nothing
 * changes then.
 */
export function setProfileAttribute(context: Context, subject: ProfileSubject, name: string, type: ProfileType): Promise<AttributeRow> {
  checkName(name);
  return inTransaction(context, async (inside) => {
    await lockAttributes(inside);
    const before = await findAttribute(inside, subject, name);
    if (before?.type === type) {
      return before;
    }
    if (before === undefined && (await countAttributes(inside, subject)) >= maxAttributes) {
      throw new AppError('FAILED_PRECONDITION', `At most ${maxAttributes} attributes may have a type. Remove one first.`);
    }
    const { count, examples } = await findMisfits(inside, getProfiledSql(subject), name, type);
    if (count > 0) {
      const some = examples.map(({ id, value }) => `${JSON.stringify(value)} of ${id}`).join(', ');
      const many = count === 1 ? '1 value does' : `${count} values do`;
      throw new AppError(
        'FAILED_PRECONDITION',
        `${many} not fit: ${some}${count > examples.length ? ' and others' : ''}. The type ${type} needs ${profileForms[type]}. Import corrected values first.`,
      );
    }
    await updateAttribute(inside, subject, name, type);
    const converted = await convertValues(inside, subject, name, type);
    await insertValues(inside, getProfiledSql(subject), subject, name, type);
    await recordEvent(inside, {
      kind: 'profile_attribute.set',
      targetId: `${subject}/${name}`,
      data: { before: before?.type ?? null, after: type, converted },
    });
    return { subject, name, type, createdAt: before?.createdAt ?? inside.now, updatedAt: inside.now };
  });
}

/** Takes the type away again: its values become texts, and are no longer searched. NOT_FOUND where it has none. */
export function removeProfileAttribute(context: Context, subject: ProfileSubject, name: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    await lockAttributes(inside);
    const before = orThrow(await findAttribute(inside, subject, name), 'NOT_FOUND', 'No attribute of this name has a type.');
    await removeAttribute(inside, subject, name);
    const converted = await convertValues(inside, subject, name, 'TEXT');
    await recordEvent(inside, {
      kind: 'profile_attribute.removed',
      targetId: `${subject}/${name}`,
      data: { before: before.type, converted },
    });
  });
}

/** Converts the values of an attribute where they are, as far as they fit, and returns how many objects had another one before. */
function convertValues(context: Context, subject: ProfileSubject, name: string, type: ProfileType): Promise<number> {
  return subject === 'USER' ? updateUserProfiles(context, name, type) : updateAccountProfiles(context, name, type);
}
