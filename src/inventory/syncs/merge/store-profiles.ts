/**
 * SQL that holds the profiles a file brings to the types of their attributes, and converts them: all at once, in the temporary tables.
 */
import type { Context } from '../../../context.ts';
import type { ProfileSubject, ProfileType } from '../../../foundation/directory/index.ts';

/** Tables where an import keeps the profiles it read, beside the line each is of. */
export type StagedProfiles = keyof typeof stagedLines;

const stagedLines = { import_people: 's.line', import_accounts: 's.profile_line' } as const;

/** A value of an import that does not fit the type of its attribute. */
export interface StagedMisfit {
  readonly line: number;
  readonly name: string;
  readonly value: string;
  readonly type: ProfileType;
}

const stagedMisfits = (relation: StagedProfiles): string => `FROM ${relation} s
  JOIN profile_attributes a ON a.tenant_id = $1 AND a.subject = $2 AND s.profile ? a.name
  WHERE profile_value(s.profile -> a.name, a.value_type) IS NULL`;

/** The first of the staged values that do not fit, by line. */
export function listStagedMisfits(
  context: Context,
  subject: ProfileSubject,
  relation: StagedProfiles,
  limit: number,
): Promise<StagedMisfit[]> {
  return context.db.rows<StagedMisfit>(
    `SELECT ${stagedLines[relation]} AS line, a.name, s.profile ->> a.name AS value, a.value_type AS type ${stagedMisfits(relation)} ORDER BY 1, a.name LIMIT $3`,
    [context.tenantId, subject, limit],
  );
}

/** Counts the staged values that do not fit. */
export function countStagedMisfits(context: Context, subject: ProfileSubject, relation: StagedProfiles): Promise<number> {
  return context.db.value<number>(`SELECT count(*) AS count ${stagedMisfits(relation)}`, [context.tenantId, subject]);
}

/** Gives the staged values the types of their attributes. */
export async function updateStagedProfiles(context: Context, subject: ProfileSubject, relation: StagedProfiles): Promise<void> {
  await context.db.run(
    `UPDATE ${relation} s SET profile = typed_profile(s.profile, t.types)
     FROM (SELECT jsonb_object_agg(name, value_type) AS types FROM profile_attributes WHERE tenant_id = $1 AND subject = $2) t
     WHERE typed_profile(s.profile, t.types) <> s.profile`,
    [context.tenantId, subject],
  );
}
