/**
 * SQL that finds who reported a person: the file source whose file named them last, and the identity providers that push them. What of it
 * each attribute came from is said by attribute-sources.ts.
 */
import { type Sql, sql } from '../../lib/sql.ts';
import { directorySlot } from './slots.ts';

/** The data source whose file reported a person last. */
export interface FileSource {
  readonly sourceId: string;
  /** Wanted column -> column of the file; empty where files have the wanted names. */
  readonly columns: Readonly<Record<string, string>>;
}

/** A user that an identity provider pushes and that stands for a person. */
export interface PushSource {
  readonly sourceId: string;
  readonly appId: string;
  /** The account in the provider's app; null where it has none. */
  readonly accountId: string | null;
  /** The userName in lower case. */
  readonly nameKey: string;
  readonly isActive: boolean;
  /** Other texts in lower case by attribute path in lower case; addresses as a list (see scim_resources.keys). */
  readonly keys: Readonly<Record<string, unknown>>;
  /** The SCIM id of the manager as it was pushed, and who that is here; null where none was or it is nobody. */
  readonly managerScimId: string | null;
  readonly managerId: string | null;
}

/** Members of a UserRow of `users u`. Every subselect reads an index by the user's id, or a primary key. */
export interface SourceColumns {
  readonly file: FileSource | null;
  /** By connector. */
  readonly pushes: readonly PushSource[];
  /** The manager's address; null for nobody. */
  readonly managerEmail: string | null;
}

/** Returns the columns of SourceColumns. */
export function getSourceColumnsSql(): Sql {
  return sql`${directorySlot.get().getSourceColumns()},
  (SELECT m.email FROM users m WHERE m.tenant_id = u.tenant_id AND m.id = u.manager_id) AS "managerEmail"`;
}
