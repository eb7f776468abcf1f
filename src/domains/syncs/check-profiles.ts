/**
 * Holding the profile attributes of a file to their types, and storing them as that. What a type is stands in the directory.
 */
import type { Context } from '../../context.ts';
import { profileForms, updateProfileTypes } from '../directory/index.ts';
import { maxNotesTold } from './limits.ts';
import type { CountedNotes } from './types.ts';

const subjects = { import_people: 'USER', import_accounts: 'ACCOUNT' } as const;

/** The values that do not fit the type of their attribute, as row errors; where there are none, those staged have it from now on. */
export async function checkProfiles(context: Context, relation: keyof typeof subjects): Promise<CountedNotes> {
  const { count, misfits } = await updateProfileTypes(context, subjects[relation], relation, maxNotesTold);
  const notes = misfits.map(({ line, name, value, type }) => ({
    line,
    column: name,
    reason: `${JSON.stringify(value.slice(0, 100))} is no ${type}: the attribute has that type, and needs ${profileForms[type]}`,
  }));
  return { count, notes };
}
