/** Random types of attributes and random files of people, beside a plain model: what is refused, what is stored, and what each search finds. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { bodyOf, makeTenant, openFixture, peopleHeader, type TestTenant } from '../../../test/support/inventory.ts';
import type { TestDatabase } from '../../../test/support/database.ts';
import { isAppError } from '../../errors.ts';
import { type ProfileType, profileTypes, readTyped } from '../../foundation/directory/attributes/profile-types.ts';
import { removeProfileAttribute, setProfileAttribute } from '../identity/set-profile-attribute.ts';
import { searchProfiles } from '../../foundation/directory/attributes/search-profiles.ts';
import { importPeople } from './import-people.ts';

const names = ['a', 'b'] as const;
type Name = (typeof names)[number];
const people = 4;
const texts = ['', '7', '7.50', '-1', '007', 'yes', 'true', 'FALSE', '2026-01-05', '2026-02-30', 'abc', 'ABC', '1e5', 'x'.repeat(250)];

type Value = string | number | boolean;
type Step =
  | { readonly kind: 'file'; readonly rows: readonly (readonly [string, string])[] }
  | { readonly kind: 'type'; readonly name: Name; readonly type: ProfileType }
  | { readonly kind: 'untype'; readonly name: Name };

const text = fc.constantFrom(...texts);
const name = fc.constantFrom(...names);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('file' as const),
      rows: fc.array(fc.tuple(text, text), { minLength: people, maxLength: people }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('type' as const), name, type: fc.constantFrom(...profileTypes) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('untype' as const), name }) },
);

/** Values of people, and attributes with a type: a few lines of what the database does with triggers. */
class Model {
  readonly types = new Map<Name, ProfileType>();
  readonly values: Record<Name, (Value | undefined)[]> = { a: Array(people).fill(undefined), b: Array(people).fill(undefined) };

  /** The lines and columns of a file that do not fit. */
  misfits(rows: readonly (readonly [string, string])[]): string[] {
    return rows.flatMap((row, index) =>
      names.flatMap((one, place) => {
        const type = this.types.get(one);
        return type === undefined || readTyped(type, row[place] ?? '') !== undefined ? [] : [`line ${index + 2}, ${one}`];
      }),
    );
  }

  take(rows: readonly (readonly [string, string])[]): void {
    for (const [place, one] of names.entries()) {
      const type = this.types.get(one) ?? 'TEXT';
      this.values[one] = rows.map((row) => (row[place] === '' ? undefined : (readTyped(type, row[place] ?? '') ?? undefined)));
    }
  }

  /** True if all values fit a type; where they do, they have it from then on. */
  retype(one: Name, type: ProfileType): boolean {
    const said = this.values[one];
    if (said.some((value) => value !== undefined && readTyped(type, String(value)) === undefined)) {
      return false;
    }
    this.types.set(one, type);
    this.values[one] = said.map((value) => (value === undefined ? undefined : (readTyped(type, String(value)) ?? undefined)));
    return true;
  }

  untype(one: Name): boolean {
    this.values[one] = this.types.has(one)
      ? this.values[one].map((value) => (value === undefined ? undefined : String(value)))
      : this.values[one];
    return this.types.delete(one);
  }

  /** The people whose value is one of these. */
  equal(one: Name, wanted: readonly string[]): number[] {
    const type = this.types.get(one) as ProfileType;
    const key = (value: unknown): string => String(value).toLowerCase();
    const keys = wanted.map((each) => key(readTyped(type, each)));
    return this.find(one, (value) => keys.includes(key(value)));
  }

  between(one: Name, from: string, to: string): number[] {
    const [low, high] = [from, to].map((each) => readTyped(this.types.get(one) as ProfileType, each)) as [Value, Value];
    return this.find(one, (value) => value >= low && value < high);
  }

  private find(one: Name, holds: (value: Value) => boolean): number[] {
    return this.values[one].flatMap((value, person) => (value !== undefined && holds(value) ? [person] : []));
  }
}

describe('typed attributes of people', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openFixture();
  });
  afterAll(() => test.close());

  async function apply(tenant: TestTenant, model: Model, one: Step): Promise<void> {
    const refused = async (work: Promise<unknown>) => {
      const problem = await work.then(
        () => undefined,
        (error: unknown) => error,
      );
      return isAppError(problem) ? problem : undefined;
    };
    if (one.kind === 'file') {
      const lines = one.rows.map(([a, b], person) => `p${person}@x.example,P,,,,ACTIVE,${a},${b}`);
      const body = bodyOf(`${[`${peopleHeader},a,b`, ...lines].join('\n')}\n`);
      const problem = await refused(importPeople(tenant.context(), { source: '', allowRemovals: false }, { body, encoding: '' }));
      const misfits = model.misfits(one.rows);
      expect(problem?.violations?.map(({ field }) => field) ?? []).toEqual(misfits);
      if (misfits.length === 0) {
        model.take(one.rows);
      }
    } else if (one.kind === 'type') {
      const problem = await refused(setProfileAttribute(tenant.context(), 'USER', one.name, one.type));
      expect([one, problem === undefined]).toEqual([one, model.retype(one.name, one.type)]);
    } else {
      const problem = await refused(removeProfileAttribute(tenant.context(), 'USER', one.name));
      expect([one, problem === undefined]).toEqual([one, model.untype(one.name)]);
    }
  }

  /** Checks what is stored and found against the model. */
  async function compare(tenant: TestTenant, model: Model): Promise<void> {
    const context = tenant.context();
    const rows = await context.db.rows<{ id: string; profile: Record<string, Value> }>(
      'SELECT id, profile FROM users WHERE tenant_id = $1 ORDER BY email_key',
      [tenant.tenantId],
    );
    for (const one of names) {
      expect(rows.map((row) => row.profile[one])).toEqual(model.values[one].slice(0, rows.length));
      const type = model.types.get(one);
      const search = { subject: 'USER' as const, name: one, equals: undefined, oneOf: undefined, from: undefined, to: undefined };
      const find = async (more: object): Promise<number[]> => {
        const found: string[] = [];
        for (let after: string[] | undefined; ; ) {
          const page = await searchProfiles(context, { ...search, ...more }, after, 3);
          found.push(...page.map(({ id }) => id));
          const last = page.at(-1);
          if (page.length < 3 || last === undefined) {
            return found.map((id) => rows.findIndex((row) => row.id === id)).sort();
          }
          after = [last.key, last.id];
        }
      };
      if (type === undefined) {
        await expect(find({})).rejects.toMatchObject({ violations: [{ field: 'name' }] });
        continue;
      }
      expect(await find({})).toEqual(model.values[one].flatMap((value, person) => (value === undefined ? [] : [person])));
      const fitting = texts.filter((each) => each !== '' && readTyped(type, each) !== undefined);
      for (const each of fitting) {
        expect([type, each, await find({ equals: each })]).toEqual([type, each, model.equal(one, [each])]);
      }
      expect(await find({ oneOf: fitting })).toEqual(model.equal(one, fitting));
      if (type === 'NUMBER') {
        expect(await find({ from: '-1', to: '7.5' })).toEqual(model.between(one, '-1', '7.5'));
      }
      if (type === 'DATE') {
        expect(await find({ from: '2026-01-01', to: '2026-01-06' })).toEqual(model.between(one, '2026-01-01', '2026-01-06'));
      }
    }
  }

  it('are refused, stored and found as a plain model says, after any sequence of files and types', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
        const tenant = makeTenant(test);
        const model = new Model();
        for (const one of steps) {
          await apply(tenant, model, one);
          await compare(tenant, model);
        }
      }),
      { numRuns: runs(4, 15) },
    );
  });
});
