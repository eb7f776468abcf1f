/**
 * Holding the profile attributes of a file to their types, and storing them as that. What a type is stands in the directory.
 */
import type { Context } from '../../../context.ts';
import { countAttributes, lockAttributesShared, profileForms } from '../../../foundation/directory/index.ts';
import { type CountedNotes, maxNotesTold } from '../values/index.ts';
import { countStagedMisfits, listStagedMisfits, updateStagedProfiles } from './store-profiles.ts';

const subjects = { import_people: 'USER', import_accounts: 'ACCOUNT' } as const;

/**
 * The values that do not fit the type of their attribute, as row errors; where there are none, those staged have it from now on. The types
 * stay as they are until the transaction ends. Without typed attributes this is one small query.
 */
export async function checkProfiles(context: Context, relation: keyof typeof subjects): Promise<CountedNotes> {
  const subject = subjects[relation];
  await lockAttributesShared(context);
  if ((await countAttributes(context, subject)) === 0) {
    return { count: 0, notes: [] };
  }
  const misfits = await listStagedMisfits(context, subject, relation, maxNotesTold);
  if (misfits.length === 0) {
    await updateStagedProfiles(context, subject, relation);
  }
  const count = misfits.length < maxNotesTold ? misfits.length : await countStagedMisfits(context, subject, relation);
  const notes = misfits.map(({ line, name, value, type }) => ({
    line,
    column: name,
    reason: `${JSON.stringify(value.slice(0, 100))} is no ${type}: the attribute has that type, and needs ${profileForms[type]}`,
  }));
  return { count, notes };
}
