/** Rows of a database. */
import type { SqlSettings } from '~/data/messages.ts';
import type { KindOfSource } from './kind.ts';

export const sql: KindOfSource<SqlSettings> = {
  id: 'SQL',
  type: 'type.googleapis.com/countersign.v1.SqlSettings',
  name: 'sql.name',
  about: 'sql.about',
  before: 'sql.before',
  people: 'setting',
  canTest: true,
  fields: [
    {
      name: 'engine',
      control: 'choice',
      label: 'sql.engine',
      options: [
        { value: 'SQL_ENGINE_POSTGRESQL', label: 'PostgreSQL' },
        { value: 'SQL_ENGINE_MYSQL', label: 'MySQL, MariaDB' },
      ],
    },
    { name: 'host', control: 'line', label: 'sql.host', hint: 'sql.hostHint', example: 'db.example.com', isRequired: true, isPlace: true },
    { name: 'port', control: 'number', label: 'sql.port', hint: 'sql.portHint', isPlace: true },
    { name: 'database', control: 'line', label: 'sql.database', isRequired: true },
    { name: 'username', control: 'line', label: 'sql.username', hint: 'sql.usernameHint', example: 'countersign_reader', isRequired: true },
    { name: 'password', control: 'line', label: 'sql.password', isSecret: true, isRequired: true },
    {
      name: 'statement',
      control: 'area',
      label: 'sql.statement',
      hint: 'sql.statementHint',
      example: "SELECT login AS account, mail AS email, 'role' AS resource_type, role AS resource, 'member' AS entitlement FROM app_users",
      isRequired: true,
    },
    { name: 'ca', control: 'area', label: 'sql.ca', hint: 'sql.caHint', example: '-----BEGIN CERTIFICATE-----', isMore: true },
  ],
  systems: [
    { name: 'PostgreSQL', also: 'postgres sql database datenbank table tabelle', settings: { engine: 'SQL_ENGINE_POSTGRESQL' } },
    { name: 'MySQL', also: 'sql database datenbank table tabelle', settings: { engine: 'SQL_ENGINE_MYSQL' } },
    { name: 'MariaDB', also: 'sql database datenbank table tabelle', settings: { engine: 'SQL_ENGINE_MYSQL' } },
    { name: { text: 'sql.hrTable' }, also: 'hr people personal sql table tabelle' },
  ],
};
