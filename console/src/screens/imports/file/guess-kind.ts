/** What a file holds, by its columns. */
import { inspectFile } from '~/data/inventory/upload.ts';
import type { Kind } from './fields.ts';
import { foundMapping, type Inspection } from './mapping.ts';

/** Columns of lists of people that lists of an app's users seldom have. A manager is enough; of the others it takes two. */
const ofPeople = ['department', 'job_title', 'employment_type'];

function isWhole(read: Inspection | undefined): read is Inspection {
  return read !== undefined && (read.columns ?? []).length > 0 && (read.missing ?? []).length === 0;
}

function hasColumn(read: Inspection, field: string): boolean {
  const from = foundMapping(read)[field];
  return from !== undefined && !from.startsWith('=');
}

/**
 * The kind of a file of which both readings are known; undefined where neither is whole. Where no column says what people may do, so that the access
 * is one word for all rows, it is an export of users: of people where it names their managers or two other things that employers know.
 */
export function kindOf(grants: Inspection | undefined, people: Inspection | undefined): Kind | undefined {
  if (!isWhole(grants)) {
    return isWhole(people) ? 'people' : undefined;
  }
  if (!isWhole(people) || hasColumn(grants, 'entitlement') || hasColumn(grants, 'resource')) {
    return 'grants';
  }
  const known = ofPeople.filter((field) => hasColumn(people, field)).length;
  return hasColumn(people, 'manager_email') || known >= 2 ? 'people' : 'grants';
}

/** The kind of a file; undefined where its columns do not say. */
export async function guessKind(file: Blob): Promise<Kind | undefined> {
  const [grants, people] = await Promise.all(
    (['grants', 'people'] as const).map((kind) => inspectFile({ kind }, file).catch(() => undefined)),
  );
  return kindOf(grants, people);
}
