/**
 * The index of texts, asked through the functions of the schema: it stands outside row-level security, and they refuse every tenant but the
 * connection's.
 */
import type { Context } from '../../context.ts';
import { askedWords } from '../../lib/names/asked-words.ts';

/** Kinds in the index of texts: each has a table with a `search_text`, whose triggers keep the index. */
export type TextKind = 'USER' | 'ACCOUNT' | 'ENTITLEMENT' | 'RESOURCE';

/** A look at the next so many things of a kind. */
export interface TextBound {
  /** The id of the last of them; undefined where fewer are left. */
  readonly until: string | undefined;
  /** Number of them that the query finds. */
  readonly found: number;
}

/** Looks at the next `entries` things after an id. */
export async function findTextBound(context: Context, kind: TextKind, query: string, after: string, entries: number): Promise<TextBound> {
  const { bound, matched } = await context.db.one<{ bound: string | null; matched: number }>(
    'SELECT bound, matched FROM search_bound($1, $2, $3, $4, $5)',
    [context.tenantId, kind, askedWords(query), after, entries],
  );
  return { until: bound ?? undefined, found: matched };
}

/** The ids after an id that a query may be found in, in no order, and no others; undefined where it is found in more than `most`. */
export async function findTextCandidates(
  context: Context,
  kind: TextKind,
  query: string,
  after: string,
  most: number,
): Promise<string[] | undefined> {
  const found = await context.db.value<string[] | null>('SELECT search_candidates($1, $2, $3, $4, $5) AS ids', [
    context.tenantId,
    kind,
    askedWords(query),
    after,
    most,
  ]);
  return found ?? undefined;
}

/**
 * The people or accounts whose text became another since a moment: the index knows only what they are called now. Undefined where there are
 * more than `most`.
 */
export async function listRenamed(context: Context, kind: 'USER' | 'ACCOUNT', since: Date, most: number): Promise<string[] | undefined> {
  const rows = await context.db.rows<{ id: string }>(
    'SELECT r.id FROM search_renames r WHERE r.tenant_id = $1 AND r.kind = $2 AND r.renamed_at >= $3 LIMIT $4',
    [context.tenantId, kind, since, most + 1],
  );
  return rows.length > most ? undefined : rows.map(({ id }) => id);
}
