/** SQL of what has profile attributes: people and accounts. */
import { fixed, type Sql } from '../../lib/sql.ts';
import type { ProfileSubject } from '../../foundation/directory/index.ts';

const items: Readonly<Record<ProfileSubject, string>> = { USER: 'users_public', ACCOUNT: 'accounts_public' };

/** Returns the people, or the accounts, as a FROM item with `tenant_id`, `id`, `profile` and `deleted_at`. */
export function getProfiledSql(subject: ProfileSubject): Sql {
  return fixed(items[subject]);
}
