/** Expansion: each object once, paths to it, only what was asked for. */
import { describe, expect, it } from 'vitest';
import type { Context } from '../context.ts';
import { PolicySchema } from '../gen/c1/api/policy/v1/policy_pb.js';
import { UserSchema } from '../gen/c1/api/user/v1/user_pb.js';
import { expand, joinPaths, type Loaders } from './expand.ts';

const context = {} as Context;
const types = { 'c1.User': UserSchema, 'c1.Policy': PolicySchema };

function loaders(): { loaders: Loaders; calls: string[] } {
  const calls: string[] = [];
  const loader = (type: string) => async (_context: Context, ids: readonly string[]) => {
    calls.push(`${type}: ${ids.join(' ')}`);
    return new Map(ids.filter((id) => !id.startsWith('gone')).map((id) => [id, { id }]));
  };
  return { calls, loaders: new Map(Object.entries(types).map(([type, desc]) => [type, { desc, load: loader(type) }])) };
}

const wanted = [
  { path: 'policy_id', type: 'c1.Policy', ids: ['p', 'p', ''] },
  { path: 'created_by_id', type: 'c1.User', ids: ['a', 'gone'] },
  { path: 'owner_ids', type: 'c1.User', ids: ['b', 'a'] },
  { path: 'template_id', type: 'c1.Template', ids: ['t'] },
];

describe('expansion', () => {
  it('loads nothing unless asked', async () => {
    const { loaders: known, calls } = loaders();
    for (const requested of [undefined, [], ['nope']]) {
      const { expanded, pathOf } = await expand(context, known, wanted, requested);
      expect(expanded).toEqual([]);
      expect(pathOf('policy_id', 'p')).toBe('');
    }
    expect(calls).toEqual([]);
  });

  it('loads only what is asked for, in either spelling', async () => {
    const { loaders: known, calls } = loaders();
    const { expanded, pathOf } = await expand(context, known, wanted, ['createdById']);
    expect(expanded).toEqual([{ desc: UserSchema, row: { id: 'a' } }]);
    expect(pathOf('created_by_id', 'a')).toBe('$.expanded[0]');
    expect(pathOf('owner_ids', 'a')).toBe('');
    expect(calls).toEqual(['c1.User: a gone']);
  });

  it('holds each object once, one call for each type, and leaves out what is not there', async () => {
    const { loaders: known, calls } = loaders();
    const { expanded, pathOf } = await expand(context, known, wanted, ['*']);
    expect(expanded.map(({ row }) => row)).toEqual([{ id: 'p' }, { id: 'a' }, { id: 'b' }]);
    expect(pathOf('created_by_id', 'a')).toBe('$.expanded[1]');
    expect(pathOf('owner_ids', 'a')).toBe('$.expanded[1]');
    expect(pathOf('owner_ids', 'b')).toBe('$.expanded[2]');
    expect(pathOf('created_by_id', 'b')).toBe('$.expanded[2]');
    expect(pathOf('created_by_id', 'gone')).toBe('');
    expect(pathOf('template_id', 't')).toBe('');
    expect(calls).toEqual(['c1.Policy: p', 'c1.User: a gone b']);
  });
});

describe('a path to several objects', () => {
  it.each([
    [[], ''],
    [['', ''], ''],
    [['$.expanded[4]'], '$.expanded[4]'],
    [['$.expanded[0]', '', '$.expanded[12]'], '$.expanded[0,12]'],
  ])('%j is %j', (paths, joined) => {
    expect(joinPaths(paths)).toBe(joined);
  });
});
