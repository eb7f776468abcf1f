/**
 * The plans of the statements that requests to a server of this process run, as PostgreSQL itself tells them (auto_explain) with the role, the
 * parameters and the kind of plan of production.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import pg from 'pg';
import type { TestDatabase } from './database.ts';
import type { PlanNode } from './plans.ts';

/** A statement that ran. */
export interface RunStatement {
  readonly text: string;
  readonly plan: PlanNode;
}

type Query = (this: pg.Client, ...given: unknown[]) => unknown;

const began = 'http.server.request.start';

/** Has each connection of this database explain what it ran; call it before the server under test makes its own. */
export async function explainStatements(test: TestDatabase): Promise<void> {
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
  };
  const statements = Object.entries(settings).map(
    ([name, value]) => `EXECUTE format('ALTER DATABASE %I SET ${name} = %L', current_database(), '${value}');`,
  );
  await test.admin(`DO $$ BEGIN ${statements.join(' ')} END $$`);
}

/** Keeps this database without statistics: nothing analyzes its tables, neither in the background nor after a large import. */
export async function keepUnanalyzed(test: TestDatabase): Promise<void> {
  await test.admin(`DO $$ DECLARE t regclass; BEGIN
    FOR t IN SELECT c.oid FROM pg_class c WHERE c.relnamespace = 'countersign'::regnamespace AND c.relkind = 'r' LOOP
      EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = off)', t);
    END LOOP; END $$`);
  await test.admin(`CREATE OR REPLACE FUNCTION countersign.update_statistics(name text) RETURNS void LANGUAGE sql AS ''`);
}

/** Notes the statements of requests from here on, in the order in which they ended; `end` stops it. What jobs run is not among them. */
export function watchStatementPlans(): { readonly statements: RunStatement[]; end(): void } {
  const statements: RunStatement[] = [];
  const isOfRequest = new AsyncLocalStorage<boolean>();
  const asking = new WeakMap<pg.Client, boolean>();
  const heard = new Map<pg.Client, (notice: { message?: string | undefined }) => void>();
  const note = (): void => isOfRequest.enterWith(true);
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  prototype.query = function (...given) {
    asking.set(this, isOfRequest.getStore() === true);
    if (!heard.has(this)) {
      const hear = ({ message = '' }: { message?: string | undefined }): void => {
        const [, plan] = /^duration: [\d.]+ ms {2}plan:\n([\s\S]*)/.exec(message) ?? [];
        if (plan !== undefined && asking.get(this) === true) {
          const { 'Query Text': text, Plan } = JSON.parse(plan) as { 'Query Text': string; Plan: PlanNode };
          statements.push({ text, plan: Plan });
        }
      };
      this.on('notice', hear);
      heard.set(this, hear);
    }
    return query.apply(this, given);
  };
  subscribe(began, note);
  return {
    statements,
    end() {
      unsubscribe(began, note);
      prototype.query = query;
      for (const [client, hear] of heard) {
        client.off('notice', hear);
      }
    },
  };
}
