/** Choices people make for themselves: theme, language, time zone and keys. What the pages make of it is theirs. */
import { isDeepStrictEqual } from 'node:util';
import { AppError, type FieldViolation } from '../../../errors.ts';
import { type Context, inTransaction } from '../../../context.ts';
import { isTimeZone } from '../../../lib/wall-time.ts';
import { recordEvent } from '../../audit/index.ts';
import { findTimeZone } from '../../tenants/index.ts';
import { findPreferences, type PreferencesRow, updatePreferences } from './store-preferences.ts';

/** Preferences somebody chooses. */
export type NewPreferences = Omit<PreferencesRow, 'updatedAt'>;

const maxKeys = 64;
const commandName = /^[a-z][a-z0-9_.-]{0,39}$/;
/** Name of a key in a browser, with modifiers: Shift+K, ArrowDown, g h. */
const keyName = /^[\x21-\x7e\u00a0-\u{10ffff}](?:[\x20-\x7e\u00a0-\u{10ffff}]{0,30}[\x21-\x7e\u00a0-\u{10ffff}])?$/u;
const longestLanguage = 35;

const untouched: NewPreferences = { theme: 'SYSTEM', language: '', timeZone: '', letterKeys: true, keys: {} };

/** The tag in its usual spelling; undefined for what is none. */
function canonicalTag(language: string): string | undefined {
  try {
    return language.length > longestLanguage ? undefined : Intl.getCanonicalLocales(language)[0];
  } catch {
    return undefined;
  }
}

function listViolations({ language, timeZone, keys }: NewPreferences): FieldViolation[] {
  const entries = Object.entries(keys);
  const say = (field: string, description: string): FieldViolation => ({ field: `preferences.${field}`, description });
  return [
    ...(language === '' || canonicalTag(language) !== undefined
      ? []
      : [say('language', 'must be a language tag of BCP 47, such as de or pt-BR, or empty')]),
    ...(timeZone === '' || isTimeZone(timeZone)
      ? []
      : [say('timeZone', 'must be the name of a time zone, such as Europe/Berlin or UTC, or empty')]),
    ...(entries.length > maxKeys ? [say('keys', `must hold at most ${maxKeys} keys, holds ${entries.length}`)] : []),
    ...entries.flatMap(([command, key]) => [
      ...(commandName.test(command)
        ? []
        : [say('keys', 'names commands by 1 to 40 lower-case letters, digits, dots, dashes and underscores')]),
      ...(keyName.test(key)
        ? []
        : [say('keys', `must say a key of 1 to 32 characters for each command, says ${JSON.stringify(key.slice(0, 40))}`)]),
    ]),
  ];
}

/** The caller's preferences as they are, and the time zone that counts where they chose none. */
export async function readPreferences(
  context: Context,
): Promise<{ preferences: NewPreferences & { readonly updatedAt: Date | null }; tenantTimeZone: string }> {
  const found = await findPreferences(context);
  return { preferences: found ?? { ...untouched, updatedAt: null }, tenantTimeZone: await findTimeZone(context.db, context.tenantId) };
}

/** The time zone in which somebody reads, the caller unless named: their own, else that of the tenant. */
export async function findOwnTimeZone(context: Context, userId = context.actor.userId): Promise<string> {
  const found = await findPreferences(context, userId);
  return found === undefined || found.timeZone === '' ? findTimeZone(context.db, context.tenantId) : found.timeZone;
}

/** Replaces the caller's preferences. INVALID_ARGUMENT names each member that is wrong. */
export function setPreferences(context: Context, wanted: NewPreferences): Promise<void> {
  const violations = listViolations(wanted);
  if (violations.length > 0) {
    throw new AppError('INVALID_ARGUMENT', violations.map(({ field, description }) => `${field} ${description}`).join('; '), {
      violations,
    });
  }
  const chosen = { ...wanted, language: wanted.language === '' ? '' : (canonicalTag(wanted.language) ?? '') };
  return inTransaction(context, async (inside) => {
    const { updatedAt: _at, ...before } = (await findPreferences(inside)) ?? { ...untouched, updatedAt: null };
    const changed = (Object.keys(chosen) as (keyof NewPreferences)[]).filter((name) => !isDeepStrictEqual(before[name], chosen[name]));
    if (changed.length === 0) {
      return;
    }
    await updatePreferences(inside, chosen);
    await recordEvent(inside, {
      kind: 'user.preferences_changed',
      targetId: inside.actor.userId,
      data: { changed: changed.sort() },
    });
  });
}
