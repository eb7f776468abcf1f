/**
 * Holds every transaction of a server under test to src/reactions.ts: one that takes a revision of the inventory, or changes whether a person is
 * enabled, fails at its commit unless its event called for the job that follows. So a new kind of event that nobody reacts to shows wherever a test
 * brings it about.
 */
import type { TestDatabase } from './database.ts';

/** Puts the checks into a database; they look at what the service does, not at what tests write themselves. */
export async function requireReactions(test: TestDatabase): Promise<void> {
  await test.admin(`CREATE FUNCTION require_call() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF current_setting('application_name') LIKE 'countersign%' AND NOT EXISTS (
        SELECT FROM jobs c WHERE c.tenant_id = NEW.tenant_id AND c.state = 'CALLED' AND c.kind = TG_ARGV[0] AND c.xmin = pg_current_xact_id()::xid)
      THEN
        RAISE EXCEPTION 'a change of % called for no %: add the kind of its event to src/reactions.ts', TG_TABLE_NAME, TG_ARGV[0];
      END IF;
      RETURN NULL;
    END $$`);
  await test.admin(`CREATE CONSTRAINT TRIGGER revision_is_heard AFTER INSERT ON inventory_revisions DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION require_call('reviews.access')`);
  await test.admin(`CREATE CONSTRAINT TRIGGER status_is_heard AFTER UPDATE OF status ON users DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION require_call('reviews.people')`);
}
