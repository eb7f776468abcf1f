/**
 * Holds every event that a server under test writes to the catalogue: one that lacks a member, or has one too many, fails. What is spread into an
 * event's data, and what a statement makes of rows, is seen by no compiler.
 */
import { events } from '../../src/events/index.ts';
import type { TestDatabase } from './database.ts';

/** Puts the check into a database; it looks at what the service writes, not at what tests write themselves. */
export async function requireCatalogue(test: TestDatabase): Promise<void> {
  const kinds = Object.entries(events).map(([kind, { data, target }]) => {
    const members = Object.fromEntries(Object.entries(data).map(([name, { isOptional }]) => [name, isOptional]));
    return [kind, { members, targets: [target].flat() }];
  });
  await test.admin(`CREATE FUNCTION require_members() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      known jsonb := '${JSON.stringify(Object.fromEntries(kinds))}'::jsonb -> NEW.kind;
      wrong text;
    BEGIN
      IF known IS NULL OR current_setting('application_name') NOT LIKE 'countersign%' THEN
        RETURN NULL;
      END IF;
      SELECT coalesce('it has no ' || min(m.key), 'it has ' || min(d.name), 'it is of ' || to_json(min(t.name))) INTO wrong
      FROM (VALUES (1)) one
      LEFT JOIN jsonb_each(known -> 'members') m ON m.value = 'false' AND NOT NEW.data ? m.key
      LEFT JOIN jsonb_object_keys(NEW.data) AS d (name) ON d.name <> 'evidence' AND NOT known -> 'members' ? d.name
      LEFT JOIN (VALUES (NEW.target_type)) AS t (name) ON NEW.target_id <> '' AND NOT known -> 'targets' ? t.name;
      IF wrong IS NOT NULL THEN
        RAISE EXCEPTION 'the event % is not what src/events says: %', NEW.kind, wrong;
      END IF;
      RETURN NULL;
    END $$`);
  await test.admin('CREATE TRIGGER event_is_in_catalogue AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION require_members()');
}
