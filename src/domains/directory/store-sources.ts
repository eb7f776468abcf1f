/**
 * SQL that finds who reported a person: the file source whose file named them last, and the identity providers that push them. What of it
 * each attribute came from is said by attribute-sources.ts.
 */
import { fixed, type Sql } from '../../lib/sql.ts';

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

const manager = `r.document #>> '{urn:ietf:params:scim:schemas:extension:enterprise:2.0:User,manager,value}'`;

/** The columns of SourceColumns. */
export const sourceColumns: Sql = fixed(`(SELECT jsonb_build_object('sourceId', c.id, 'columns', c.column_mapping) FROM sources c
    WHERE c.tenant_id = u.tenant_id AND c.id = u.source AND c.kind = 'FILE') AS file,
  coalesce((SELECT jsonb_agg(jsonb_build_object('sourceId', c.id, 'appId', c.app_id, 'accountId', r.account_id, 'nameKey', r.name_key,
      'isActive', r.is_active, 'keys', r.keys, 'managerScimId', ${manager},
      'managerId', (SELECT m.user_id FROM scim_resources m WHERE m.tenant_id = r.tenant_id AND m.source_id = r.source_id AND m.id = ${manager}))
      ORDER BY c.id)
    FROM scim_resources r JOIN sources c ON c.tenant_id = r.tenant_id AND c.id = r.source_id AND c.deleted_at IS NULL
    WHERE r.tenant_id = u.tenant_id AND r.user_id = u.id AND r.kind = 'USER' AND r.deleted_at IS NULL), '[]') AS pushes,
  (SELECT m.email FROM users m WHERE m.tenant_id = u.tenant_id AND m.id = u.manager_id) AS "managerEmail"`);
