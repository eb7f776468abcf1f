/**
 * Nothing of a file is lost or made up in silence: of each line of any file, clean or not, it is known whether it was kept, skipped by a rule that is
 * told with its line, or refused with its line and reason; and what the app holds then is what the lines say, no more and no less.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../test/support/database.ts';
import { bodyOf, makeTenant, openFixture } from '../../../test/support/inventory.ts';
import { type DirtyFile, dirtyFile, writeDirty } from '../../../test/support/dirty-files.ts';
import { tries } from '../../../test/support/runs.ts';
import { isAppError } from '../../errors.ts';
import { getNameKey } from '../../lib/names/same-name.ts';
import { importGrants } from './import-grants.ts';
import { grantRows } from './rows/grant-rows.ts';
import { peopleRows } from './rows/people-rows.ts';
import { readFile } from './rows/read-file.ts';
import { RefusedFile } from './values/notes.ts';

/** What became of a file: the lines that were kept with what they say, those that were skipped, and those that were refused. */
interface Fate {
  readonly kept: ReadonlyMap<number, string>;
  readonly skipped: readonly number[];
  readonly refused: readonly number[];
  /** The refusal of the file as a whole. */
  readonly refusal: string;
}

/** The kinds of file: which cells of a row that was read say what its columns say. */
const kinds = {
  grants: { format: grantRows, defaults: { resource: 'App' }, kept: [1, 6, 7], said: ['account', 'resource', 'entitlement'] },
  people: { format: peopleRows, defaults: {}, kept: [1, 3, 9], said: ['email', 'display_name', 'employee_id'] },
} as const;
type Kind = keyof typeof kinds;

async function takeIn(kind: Kind, bytes: Buffer): Promise<Fate> {
  try {
    const { defaults, kept } = kinds[kind];
    const format = kinds[kind].format as typeof grantRows;
    const file = await readFile({ body: bodyOf(bytes), encoding: '' }, format, { defaults });
    const pieces: Buffer[] = [];
    for await (const piece of file.spool.read()) {
      pieces.push(piece);
    }
    await file.spool.close();
    const rows = Buffer.concat(pieces).toString().split('\n').slice(0, -1);
    return {
      kept: new Map(
        rows
          .map((row) => row.split('\t'))
          .map((cells) => [Number(cells[0]), kept.map((place) => getNameKey(plainCell(cells[place]))).join(' | ')]),
      ),
      skipped: (file.howRead.skipped ?? []).map(({ line }) => line),
      refused: file.errors.list().first.map(({ line }) => line),
      refusal: '',
    };
  } catch (error) {
    const told = error instanceof RefusedFile ? error.refusal : error;
    if (!isAppError(told)) {
      throw error;
    }
    return { kept: new Map(), skipped: [], refused: [], refusal: told.message };
  }
}

const plainCell = (cell = ''): string =>
  (cell === '\\N' ? '' : cell).replace(/\\(.)/g, (_, mark: string) => ({ t: '\t', n: '\n', r: '\r' })[mark] ?? mark);

/** What a row says: of grants account, resource and entitlement, of people address, name and employee id. */
function sayRow(kind: Kind, file: DirtyFile, cells: readonly string[]): string {
  const of = (holds: string): string | undefined => cells[file.columns.findIndex((one) => one.holds === holds)];
  const defaults: Readonly<Record<string, string>> = kinds[kind].defaults;
  return kinds[kind].said.map((holds) => getNameKey(of(holds) ?? defaults[holds] ?? '')).join(' | ');
}

/** The lines of these kinds, in order. */
const linesOf = (file: DirtyFile, at: readonly number[], kinds: readonly string[]): number[] =>
  file.lines.flatMap(({ kind }, no) => (kinds.includes(kind) ? [at[no] as number] : []));

const inOrder = (lines: readonly number[]): number[] => [...new Set(lines)].sort((a, b) => a - b);

describe.each(['grants', 'people'] as const)('a file of %s with dirt around its rows', (kind) => {
  it('keeps each row as it stands, and names each line that it skips', async () => {
    await fc.assert(
      fc.asyncProperty(dirtyFile(kind, false), async (file) => {
        const { bytes, at } = writeDirty(file);
        const fate = await takeIn(kind, bytes);
        expect(fate.refusal).toBe('');
        expect(fate.refused).toEqual([]);
        expect([...fate.kept]).toEqual(
          file.lines.flatMap((line, no) => (line.kind === 'ROW' ? [[at[no], sayRow(kind, file, line.cells)]] : [])),
        );
        // Rows that say nothing may stand together as one, and a sheet does not have them; what ends a file is of its program.
        const blank = linesOf(file, at, ['BLANK']);
        const told = inOrder(fate.skipped).filter((line) => !blank.includes(line) && line <= (at.at(-1) ?? 0));
        expect(told).toEqual(linesOf(file, at, ['TITLE', 'RULER', 'AGAIN', 'FOOT']));
      }),
      { numRuns: tries(150, 5000) },
    );
  });

  it('refuses what is wrong, at its line, and makes nothing of it', async () => {
    await fc.assert(
      fc.asyncProperty(dirtyFile(kind, true), async (file) => {
        const { bytes, at } = writeDirty(file);
        const fate = await takeIn(kind, bytes);
        const wrong = linesOf(file, at, ['WRONG']);
        if (fate.refusal !== '') {
          // Refused as a whole: a fault in the first rows speaks against what the header seems to say.
          expect(wrong).not.toEqual([]);
          return;
        }
        expect(inOrder(fate.refused)).toEqual(wrong);
        expect([...fate.kept.keys()]).toEqual(linesOf(file, at, ['ROW']));
      }),
      { numRuns: tries(150, 5000) },
    );
  });
});

/** What the rows of a file say as a whole. */
interface Said {
  /** Each account with what it holds. */
  readonly grants: ReadonlySet<string>;
  /** The lines of which another one says otherwise. */
  readonly disputed: readonly number[];
}

/** What the columns of an account or of a grant say, so that two rows that mean the same are the same. */
function meanCell(holds: string, text: string): string {
  const plain = ['NULL', '(null)'].includes(text) ? '' : text.trim().toLowerCase();
  return holds === 'account_status'
    ? plain.startsWith('enabled') || plain === 'active'
      ? 'on'
      : 'off'
    : holds === 'email'
      ? plain
      : text.trim();
}

/** Reads the rows as somebody would who holds each of them against the others. */
function readAll(file: DirtyFile, at: readonly number[]): Said {
  const grants = new Set<string>();
  const first = new Map<string, string>();
  const disputed: number[] = [];
  for (const [no, { kind, cells }] of file.lines.entries()) {
    if (kind !== 'ROW') {
      continue;
    }
    const said = sayRow('grants', file, cells);
    const account = said.split(' | ')[0] ?? '';
    grants.add(said);
    const isOther = file.columns.some(({ holds }, column) => {
      // An account has one owner and one status; the same grant stands once, whatever else its rows say.
      const key = ['email', 'account_status'].includes(holds) ? `${holds} ${account}` : holds === 'other' ? `${holds} ${said}` : '';
      const value = meanCell(holds, cells[column] ?? '');
      const known = first.get(key);
      first.set(key, known ?? value);
      return key !== '' && known !== undefined && known !== value;
    });
    disputed.push(...(isOther ? [at[no] as number] : []));
  }
  return { grants, disputed };
}

describe('the app that a file with dirt fills', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openFixture();
  });
  afterAll(() => test.close());

  it('holds what the rows say, or nothing where two of them contradict each other', async () => {
    await fc.assert(
      fc.asyncProperty(dirtyFile('grants', false), async (file) => {
        const { bytes, at } = writeDirty(file);
        const { grants, disputed } = readAll(file, at);
        const tenant = makeTenant(test);
        const work = importGrants(tenant.context(), { app: 'App', allowRemovals: false }, { body: bodyOf(bytes), encoding: '' });
        const told = await work.then(
          () => undefined,
          (error: unknown) => error,
        );
        const held = await test.admin(
          `SELECT a.external_id AS account, coalesce(r.display_name, '') AS resource, e.external_id AS entitlement
           FROM grants g JOIN accounts a ON a.tenant_id = g.tenant_id AND a.id = g.account_id
           JOIN entitlements e ON e.tenant_id = g.tenant_id AND e.id = g.entitlement_id AND NOT e.is_app_access
           LEFT JOIN resources r ON r.tenant_id = e.tenant_id AND r.id = e.resource_id
           WHERE g.tenant_id = $1 AND g.removed_revision IS NULL`,
          [tenant.tenantId],
        );
        const found = held.map(({ account, resource, entitlement }) =>
          [account, resource, entitlement].map((one) => getNameKey(String(one))).join(' | '),
        );
        if (disputed.length > 0) {
          expect(isAppError(told) && told.violations?.length).toBeGreaterThan(0);
          expect(found).toEqual([]);
          return;
        }
        expect(told).toBeUndefined();
        expect(found.sort()).toEqual([...grants].sort());
        const accounts = await test.admin('SELECT count(*)::int AS count FROM accounts WHERE tenant_id = $1', [tenant.tenantId]);
        expect(accounts).toEqual([{ count: new Set([...grants].map((said) => said.split(' | ')[0])).size }]);
      }),
      { numRuns: tries(25, 400) },
    );
  }, 300_000);
});
