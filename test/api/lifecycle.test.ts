/**
 * The whole life of everything that clients can make, over HTTP: made, read, listed to the end, changed through every path of its mask and
 * without one, found, deleted, and all the while nothing to another tenant. What there is to change is read from the contract, so a new
 * field fails here until it is taken care of; what a test must know beyond that stands in test/support/kinds,
 * or beside the samples of its operations.
 */
import type { DescField, DescMessage, JsonObject, JsonValue } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serverOwnedNames } from '../../src/wire/plan.ts';
import { type Answer, type Loose, violatedFields } from '../support/api.ts';
import { accessKinds } from '../support/kinds/access.ts';
import { catalogKinds } from '../support/kinds/catalog.ts';
import type { Change, Kind } from '../support/kinds/kind.ts';
import { loadSamples } from '../support/load-samples.ts';
import { listOperations } from '../support/operations.ts';
import { jsonAt, listMaskPaths, sampleField, valueAt, writableFields } from '../support/sample-message.ts';
import { openStage, type Stage } from '../support/stage.ts';
import { sampled } from '../support/runs.ts';

const kinds: readonly Kind[] = [...catalogKinds, ...accessKinds, ...(await loadSamples()).kinds];
const operations = new Map((await listOperations()).map((operation) => [operation.name, operation.desc]));

/** Content of a kind's change: its message in the contract. */
function messageOf({ operation, member }: Change): DescMessage {
  const field = operations.get(operation)?.input.fields.find(({ jsonName }) => jsonName === member);
  if (field?.fieldKind !== 'message') {
    throw new Error(`${operation} has no member ${member}`);
  }
  return field.message;
}

const snake = (path: string): string => path.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const top = (path: string): string => path.split('.', 1).join('');
const isAny = (field: DescField): boolean => field.fieldKind === 'message' && field.message.typeName === 'google.protobuf.Any';
const isDefault = (value: unknown, field: DescField | undefined): boolean =>
  value === undefined || ['""', 'false', '0', '"0"', '[]', '{}'].includes(JSON.stringify(value)) || value === field?.enum?.values[0]?.name;

describe.each(
  sampled(
    kinds.map((kind) => [kind.name, kind] as const),
    10,
  ),
)('%s', (_name, kind) => {
  let stage: Stage;
  let thing: Loose;
  let made: Loose;
  // Of three digits, so that no label is part of another.
  let count = 100;

  const keyOf = (one: Loose): string => one[kind.key ?? 'id'];
  const make = async (): Promise<Loose> => {
    count += 1;
    return valueAt(await stage.ok(kind.create, await kind.make(stage, `${kind.name} ${count}`)), bare(kind.create));
  };
  /** Some make with a reply of their own, which holds the thing without what is around it elsewhere. */
  const bare = (operation: string): string =>
    kind.at.includes('.') && operations.get(operation)?.output.fields.every(({ jsonName }) => jsonName !== top(kind.at)) === true
      ? (kind.at.split('.')[1] ?? '')
      : kind.at;
  const pathTo = (one: Loose): Readonly<Record<string, string>> => kind.path(stage, one);
  /** By its own operation, or where there is none, in its list. */
  const read = async (one: Loose): Promise<Loose> => {
    if (kind.get !== undefined) {
      return valueAt(await stage.ok(kind.get, { path: pathTo(one) }), bare(kind.get));
    }
    const all = await stage.all(kind.lists[0] ?? '', { path: pathTo(one) });
    const rows = kind.row === undefined ? all : all.map((row) => row[kind.row ?? '']);
    return rows.find((row) => keyOf(row) === keyOf(one));
  };
  const keysIn = async (operation: string, size: number, fields: Readonly<Record<string, unknown>> = {}): Promise<string[]> => {
    const where = kind.lists.includes(operation) ? kind.row : (kind.found ?? kind.row);
    const rows = await stage.all(operation, { path: pathTo(thing), fields }, size);
    return rows.map((row) => keyOf(where === undefined || where === '' ? row : row[where]));
  };

  beforeAll(async () => {
    stage = await openStage();
    const sample = await kind.make(stage, `${kind.name} first`);
    made = sample.fields;
    thing = valueAt(await stage.ok(kind.create, sample), bare(kind.create));
  });
  afterAll(() => stage.stop());

  it('is made as it was sent, and read as it was made', async () => {
    expect(keyOf(thing)).toMatch(/^[0-9A-Za-z]{27}$/);
    expect(thing.createdAt).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(thing.deletedAt).toBeUndefined();
    const kept = Object.entries(made ?? {}).filter(([name]) => name in thing);
    expect(kept.length).toBeGreaterThan(0);
    expect(thing).toMatchObject(Object.fromEntries(kept));
    expect(await read(thing)).toEqual(thing);
  });

  it('is in each of its lists once, whatever the size of a page', { timeout: 240_000 }, async () => {
    for (let number = 0; number < 11; number++) {
      await make();
    }
    for (const list of kind.lists) {
      for (const size of [1, 10, 11, 100]) {
        const keys = await keysIn(list, size);
        expect(new Set(keys).size).toBe(keys.length);
        expect(keys.length).toBeGreaterThan(11);
        expect([list, keys.filter((key) => key === keyOf(thing)).length]).toEqual([list, 1]);
      }
    }
  });

  it('is in its lists once while others come and go between the pages', { timeout: 240_000 }, async () => {
    for (const list of kind.lists) {
      const [early, late] = [await make(), await make()];
      const before = await keysIn(list, 100);
      const seen: string[] = [];
      let token = '';
      do {
        const page = await stage.ok(list, { path: pathTo(thing), fields: { page_size: 10, page_token: token } });
        seen.push(...page.list.map((row: Loose) => keyOf(kind.row === undefined || kind.row === '' ? row : row[kind.row])));
        if (token === '') {
          await make();
          await stage.ok(kind.remove, { path: pathTo(seen.includes(keyOf(late)) ? early : late) });
        }
        token = page.nextPageToken;
      } while (token !== '');
      expect([list, new Set(seen).size]).toEqual([list, seen.length]);
      const stable = before.filter((key) => ![keyOf(early), keyOf(late)].includes(key));
      expect([list, stable.filter((key) => !seen.includes(key))]).toEqual([list, []]);
    }
  });

  it('is made by either spelling of what is sent, with null for what is not, and more than the contract knows', async () => {
    const { path, fields = {} } = await kind.make(stage, `${kind.name} spelled`);
    const names = operations.get(kind.create)?.input.fields.map(({ jsonName }) => jsonName) ?? [];
    const unset = names.filter((name) => !(name in fields) && path?.[snake(name)] === undefined).map((name) => [name, null]);
    const spelled = Object.entries(fields).map(([name, value]) => [snake(name), value]);
    const sample = { ...(path && { path }), fields: { ...Object.fromEntries([...spelled, ...unset]), unknownMember: { a: [1] } } };
    const one: Loose = valueAt(await stage.ok(kind.create, sample), bare(kind.create));
    expect(one).toMatchObject(Object.fromEntries(Object.entries(fields).filter(([name]) => name in one)));
    expect(Object.keys(one).sort()).toEqual(Object.keys(thing).sort());
  });

  it('is the same wherever it is shown', async () => {
    const one = await read(thing);
    for (const operation of [...kind.lists, ...Object.keys(kind.searches ?? {})]) {
      const rows = await stage.all(operation, { path: pathTo(thing), fields: { ...kind.searches?.[operation]?.(thing) } });
      const where = kind.lists.includes(operation) ? kind.row : (kind.found ?? kind.row);
      const shown = rows.map((row) => (where === undefined || where === '' ? row : row[where])).find((row) => keyOf(row) === keyOf(one));
      expect([operation, shown]).toEqual([operation, one]);
    }
  });

  it('is found by its searches, and nothing else is', async () => {
    for (const [search, filterOf] of Object.entries(kind.searches ?? {})) {
      expect([search, await keysIn(search, 10, filterOf(thing))]).toEqual([search, [keyOf(thing)]]);
    }
  });

  if (kind.change !== undefined) {
    const change = kind.change;
    const message = messageOf(change);
    const writable = writableFields(message);
    const isRefused = (path: string): boolean => change.refused !== undefined && top(path) in change.refused;
    const update = (one: Loose, body: JsonObject, mask?: string): Promise<Answer> =>
      stage.ask(change.operation, {
        path: pathTo(one),
        fields: { [change.member]: body, ...(mask === undefined ? {} : { updateMask: mask }) },
      });
    const updated = async (one: Loose, body: JsonObject, mask?: string): Promise<Loose> => {
      const answer = await update(one, body, mask);
      if (answer.status !== 200) {
        throw new Error(`${answer.status}: ${answer.body.message}`);
      }
      return valueAt(answer.body, bare(change.operation));
    };
    const sampleOf = (path: string, field: DescField): JsonValue => {
      const values = change.values?.(stage) ?? {};
      return values[path] ?? values[field.jsonName] ?? sampleField(field, values as Readonly<Record<string, JsonValue>>);
    };
    /** Every other member, the server's too, but those that exclude the one at the path. */
    const everythingBut = (path: string): JsonObject => {
      const own = message.fields.find(({ jsonName }) => jsonName === top(path));
      const taken = new Set<unknown>([own?.oneof]);
      const body: JsonObject = {};
      for (const field of message.fields) {
        if (field !== own && (field.oneof === undefined || !taken.has(field.oneof))) {
          taken.add(field.oneof);
          body[field.jsonName] = isAny(field) ? sampleOf(field.jsonName, field) : sampleField(field, {});
        }
      }
      return body;
    };
    /** Members that may differ after a change of this one. */
    const mayDiffer = (path: string): string[] => [
      top(path),
      'updatedAt',
      ...(change.always ?? []),
      ...(change.follows?.[top(path)] ?? []),
      ...(message.fields.find(({ jsonName }) => jsonName === top(path))?.oneof?.fields.map(({ jsonName }) => jsonName) ?? []),
    ];
    const without = (one: Loose, names: readonly string[]): Loose =>
      Object.fromEntries(Object.entries(one).filter(([name]) => !names.includes(name)));

    it.each(listMaskPaths(message).map(({ path, field }) => [path, field] as const))(
      'changes %s through the mask, and nothing that was sent beside it',
      async (path, field) => {
        const value = sampleOf(path, field);
        const before = await read(thing);
        const body = { ...everythingBut(path), ...jsonAt(path, value) };
        if (isRefused(path)) {
          const answer = await update(thing, body, path);
          expect(answer.status).toBe(400);
          expect(answer.body.message).toContain(top(path));
          expect(await read(thing)).toEqual(before);
          return;
        }
        const after = await updated(thing, body, path);
        expect(await read(thing)).toEqual(after);
        expect(without(after, mayDiffer(path))).toEqual(without(before, mayDiffer(path)));
        expect(after).toMatchObject(jsonAt(path, value));
      },
    );

    it('takes the mask in either spelling, and several paths at once', async () => {
      const one = await make();
      const paths = writable.map(({ jsonName }) => jsonName).filter((path) => !isRefused(path));
      const chosen = paths.filter((path) => message.fields.find(({ jsonName }) => jsonName === path)?.oneof === undefined);
      const body = Object.fromEntries(
        writable.filter(({ jsonName }) => chosen.includes(jsonName)).map((field) => [field.jsonName, sampleOf(field.jsonName, field)]),
      );
      const again = change.required?.(stage, 'both') ?? {};
      const after = await updated(one, { ...body, ...again }, chosen.map(snake).join(','));
      expect(after).toMatchObject({ ...body, ...again });
      expect(await read(one)).toEqual(after);
    });

    it('changes without a mask what is sent, and keeps the rest', async () => {
      const one = await make();
      const body = change.required?.(stage, 'alone') ?? {};
      const after = await updated(one, body);
      expect(after).toMatchObject(body);
      const names = ['updatedAt', ...(change.always ?? []), ...Object.keys(body)];
      expect(without(after, names)).toEqual(without(one, names));
      expect(await updated(one, {})).toEqual(after);
    });

    it('takes back what was read, and nothing changes', async () => {
      const one = await make();
      expect(await updated(one, one)).toEqual(one);
      expect(await read(one)).toEqual(one);
    });

    it('is replaced whole by *', async () => {
      const one = await make();
      const body = change.required?.(stage, 'whole') ?? {};
      const after = await updated(one, body, '*');
      expect(after).toMatchObject(body);
      for (const field of writable) {
        const name = field.jsonName;
        const kept = name in body || isRefused(name) || change.always?.includes(name);
        const fallback = change.defaults?.[name];
        expect([name, kept || isDefault(after[name], field) || after[name] === fallback]).toEqual([name, true]);
      }
      for (const name of serverOwnedNames(message)) {
        if (!mayDiffer(name).slice(1).includes(name)) {
          expect([name, after[name]]).toEqual([name, one[name]]);
        }
      }
    });

    it('keeps what the server says: each such member in a mask is refused by name, and an echo does nothing', async () => {
      const before = await read(thing);
      const names = [...serverOwnedNames(message)];
      expect(names).toContain('createdAt');
      for (const name of names) {
        const answer = await update(thing, { ...before, [name]: before[name] ?? null }, name);
        // To ask for a state of a review is to ask for the way there.
        if (kind.create === 'AccessReviewService.create' && name === 'state') {
          continue;
        }
        expect([name, answer.status, violatedFields(answer)]).toEqual([name, 400, ['updateMask']]);
        expect(answer.body.message).toContain(name);
      }
      expect(await read(thing)).toEqual(before);
    });

    it('refuses paths that lead nowhere, and changes nothing', async () => {
      const before = await read(thing);
      const required = change.required?.(stage, 'never') ?? {};
      for (const mask of ['nothing', 'displayName.nothing', `displayName,nothing`, '__proto__', 'id.x', '*,nothing']) {
        const answer = await update(thing, { ...required }, mask);
        expect([mask, answer.status, [...new Set(violatedFields(answer))]]).toEqual([mask, 400, ['updateMask']]);
      }
      expect(await read(thing)).toEqual(before);
    });
  }

  it('is nothing to another tenant', async () => {
    const before = await read(thing);
    for (const operation of [kind.get, kind.change?.operation, kind.remove]) {
      if (operation !== undefined) {
        const answer = await stage.ask(operation, { path: pathTo(thing), fields: {} }, stage.other);
        expect([operation, answer.status]).toEqual([operation, 404]);
      }
    }
    for (const [search, filterOf] of Object.entries(kind.searches ?? {})) {
      const { status, body } = await stage.ask(search, { fields: filterOf(thing) }, stage.other);
      expect([search, status, body.list]).toEqual([search, 200, []]);
    }
    expect(await read(thing)).toEqual(before);
  });

  it('is gone once deleted: no read, list, search or change knows it', async () => {
    const one = await make();
    expect(await stage.ok(kind.remove, { path: pathTo(one) })).toEqual({});
    for (const operation of [kind.get, kind.change?.operation, kind.remove]) {
      if (operation !== undefined) {
        const fields = operation === kind.get ? {} : { [kind.change?.member ?? '']: {} };
        const answer = await stage.ask(operation, { path: pathTo(one), fields });
        const isReadable = operation === kind.get && kind.isTombstoneRead === true;
        expect([operation, answer.status]).toEqual([operation, isReadable ? 200 : 404]);
      }
    }
    for (const list of kind.lists) {
      expect(await keysIn(list, 100)).not.toContain(keyOf(one));
    }
    for (const [search, filterOf] of Object.entries(kind.searches ?? {})) {
      expect([search, (await stage.ok(search, { fields: filterOf(one) })).list]).toEqual([search, []]);
    }
    if (kind.tombstone !== undefined) {
      const [search, filter] = kind.tombstone;
      const found = await keysIn(search, 100, { ...kind.searches?.[search]?.(one), [filter]: true });
      expect(found).toEqual([keyOf(one)]);
    }
    expect((await read(thing)).createdAt).toBe(thing.createdAt);
  });
});

it('every operation that makes something has its kind in test/support/kinds or samples, or its reason here', () => {
  const elsewhere: Readonly<Record<string, string>> = {
    'AccessConflictService.createMonitor': 'conflicts.test.ts: the reply is the monitor itself',
    'AppEntitlementMonitorBindingService.createAppEntitlementMonitorBinding': 'conflicts.test.ts: an entitlement in a group, not a thing',
    'RequestCatalogManagementService.createRequestableEntry': 'lifecycle-relations.test.ts',
    'RollForwardService.create': 'roll-forward.test.ts of its module: one for each review, made anew each time',
    'TaskService.createRevokeTask': 'tasks.test.ts of the module revocations: a removal, which only evidence ends',
    'ReviewTemplateService.createFromReview': 'from-review.test.ts of its module: a template, which lives as those made alone',
    'ReviewTemplateService.createReview': 'templates.test.ts of its module: a review, which lives as those made alone',
    'TenantAuthConfigService.create': 'auth-configs.test.ts: its secret goes in and never comes out',
    'ScimService.createToken': 'scim.test.ts: a token, never shown again',
  };
  // Owners of the second version are not things but who owns them: owners.test.ts takes them through their lives, for every kind of thing.
  const makers = [...operations.keys()].filter((name) => /\.(create|register|add)(?!.*Comment)/.test(name));
  const known = new Set([...kinds.map(({ create }) => create), ...Object.keys(elsewhere)]);
  expect(makers.filter((name) => !known.has(name) && !/\.add/.test(name) && !/OwnerV2Service\./.test(name))).toEqual([]);
  const changers = [...operations].filter(([, desc]) => desc.input.fields.some(({ name }) => name === 'update_mask')).map(([name]) => name);
  const alone = [
    'AppUserService.update',
    'EventLogService.updateSettings',
    'RetentionService.update',
    'RoleService.update',
    'SessionSettingsService.update',
    // signatures.test.ts: one of two kinds of settings, of which each needs its own
    'StepUpProviderService.update',
    'TenantAuthConfigService.update',
    'TenantEmailProviderService.update',
    'TenantSettingsService.update',
  ];
  expect(changers.filter((name) => !kinds.some(({ change }) => change?.operation === name) && !alone.includes(name))).toEqual([]);
});
