/** SQL of preferences: how people want the service to look and to be used; no row for whoever never chose anything. */
import { sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';

/** Look of the pages (`user_preferences.theme`). */
export type ThemeName = 'SYSTEM' | 'LIGHT' | 'DARK';

/** Choices of a person; texts are empty where they chose nothing. */
export interface PreferencesRow {
  readonly theme: ThemeName;
  readonly language: string;
  readonly timeZone: string;
  readonly letterKeys: boolean;
  readonly keys: Readonly<Record<string, string>>;
  readonly updatedAt: Date;
}

/** Finds somebody's choices, the caller's unless named; undefined for nothing yet. */
export function findPreferences({ db, tenantId, actor }: Context, userId = actor.userId): Promise<PreferencesRow | undefined> {
  return db.maybe<PreferencesRow>(
    sql`SELECT p.theme, p.language, p.time_zone AS "timeZone", p.letter_keys AS "letterKeys", p.keys, p.updated_at AS "updatedAt"
      FROM user_preferences p WHERE p.tenant_id = ${tenantId} AND p.user_id = ${userId}`,
  );
}

/** Replaces what the caller chose. */
export async function updatePreferences({ db, tenantId, actor, now }: Context, row: Omit<PreferencesRow, 'updatedAt'>): Promise<void> {
  await db.run(
    sql`INSERT INTO user_preferences (tenant_id, user_id, theme, language, time_zone, letter_keys, keys, updated_at)
      VALUES (${tenantId}, ${actor.userId}, ${row.theme}, ${row.language}, ${row.timeZone}, ${row.letterKeys}, ${JSON.stringify(row.keys)}::jsonb, ${now})
      ON CONFLICT (tenant_id, user_id) DO UPDATE SET theme = excluded.theme, language = excluded.language, time_zone = excluded.time_zone,
        letter_keys = excluded.letter_keys, keys = excluded.keys, updated_at = excluded.updated_at`,
  );
}
