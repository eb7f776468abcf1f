/** Saving member by member: what failed is sent again with what is changed next, and nothing counts as saved before all is. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ClientError } from '../../../src/client/error.ts';
import { createSaver } from './save-members.ts';

interface Thing {
  readonly name: string;
  readonly due: string;
  readonly note: string;
}
type Answer = () => Promise<unknown>;

const stored: Answer = () => Promise.resolve();
const fails =
  (status: number, ...fields: string[]): Answer =>
  () =>
    Promise.reject(new ClientError('no', { status, code: 'INTERNAL', violations: fields.map((field) => ({ field, description: 'no' })) }));

/** A saver whose calls are answered one after the other, the last answer again and again; and what it sent. */
function startSaver(...answers: Answer[]) {
  const sent: Partial<Thing>[] = [];
  const saver = createSaver<Thing>({
    stored: () => ({}),
    send: (patch) => {
      sent.push(patch);
      return ((answers.length > 1 ? answers.shift() : answers[0]) ?? stored)();
    },
  });
  return { saver, sent };
}

/** A server that others use as well: it refuses what its client did not read, as the real one does. */
function startShared() {
  const stands: { -readonly [M in keyof Thing]?: Thing[M] } = { name: 'a', due: 'x', note: 'y' };
  const sent: Partial<Thing>[] = [];
  const server = { isLosing: false, stands, sent };
  const saver = createSaver<Thing>({
    stored: () => ({ ...stands }),
    send: async (patch, asRead) => {
      sent.push(patch);
      const names = Object.keys(patch) as (keyof Thing)[];
      const changed = names.filter((name) => patch[name] !== stands[name] && asRead[name] !== stands[name]);
      if (changed.length > 0) {
        throw new ClientError('Ann changed it.', { status: 409, code: 'CONFLICT', metadata: { changed: changed.join(',') } });
      }
      Object.assign(stands, patch);
      if (server.isLosing) {
        throw new ClientError('No answer.', { status: 0, code: 'UNAVAILABLE' });
      }
    },
  });
  return { saver, server };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('what is changed', () => {
  it('is sent together after a rest, and is saved then', async () => {
    const { saver, sent } = startSaver();
    saver.change({ name: 'a' });
    saver.change({ name: 'ab', due: 'x' });
    expect(saver.read()).toMatchObject({ unsaved: { name: 'ab', due: 'x' }, savedAt: undefined });
    await vi.advanceTimersByTimeAsync(700);
    expect(sent).toEqual([{ name: 'ab', due: 'x' }]);
    expect(saver.read()).toMatchObject({ unsaved: {}, isSaving: false, error: undefined, version: 1 });
    expect(saver.read().savedAt).toBeInstanceOf(Date);
  });

  it('while a call is under way goes next, and the answer to the older value does not count for it', async () => {
    let answer = (): void => undefined;
    const { saver, sent } = startSaver(() => new Promise<void>((resolve) => (answer = resolve)), stored);
    saver.change({ name: 'a' });
    const done = saver.flush();
    saver.change({ name: 'ab' });
    answer();
    await done;
    expect(sent).toEqual([{ name: 'a' }, { name: 'ab' }]);
    expect(saver.read().unsaved).toEqual({});
  });

  it('and emptied is sent as that', async () => {
    const { saver, sent } = startSaver();
    saver.change({ due: undefined as unknown as string });
    expect(Object.keys(saver.read().unsaved)).toEqual(['due']);
    await saver.flush();
    expect(Object.keys(sent[0] ?? {})).toEqual(['due']);
    expect(Object.keys(saver.read().unsaved)).toEqual([]);
  });
});

describe('what could not be stored', () => {
  it('goes with the next call, and is not saved until then', async () => {
    const { saver, sent } = startSaver(fails(500), stored);
    saver.change({ name: 'a' });
    await saver.flush();
    expect(saver.read()).toMatchObject({ unsaved: { name: 'a' }, savedAt: undefined });
    expect(saver.read().error).toBeInstanceOf(ClientError);
    saver.change({ due: 'x' });
    expect(saver.read().error).toBeInstanceOf(ClientError);
    await saver.flush();
    expect(sent).toEqual([{ name: 'a' }, { name: 'a', due: 'x' }]);
    expect(saver.read()).toMatchObject({ unsaved: {}, error: undefined });
  });

  it.each([0, 429, 500, 503])('by a fault (%s) is sent again by itself, ever later', async (status) => {
    const { saver, sent } = startSaver(fails(status), fails(status), fails(status), stored);
    saver.change({ name: 'a' });
    await vi.advanceTimersByTimeAsync(700);
    for (const [seconds, calls] of [
      [1, 2],
      [2, 3],
      [4, 4],
    ] as const) {
      await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
      expect(sent).toHaveLength(calls - 1);
      await vi.advanceTimersByTimeAsync(1);
      expect(sent).toHaveLength(calls);
    }
    expect(saver.read()).toMatchObject({ unsaved: {}, error: undefined });
  });

  it('since it was refused waits for the next change, and the rest is stored without it', async () => {
    const { saver, sent } = startSaver(fails(400, 'accessReview.name'), stored, fails(400, 'accessReview.name'), stored, stored);
    saver.change({ name: '', due: 'x', note: 'y' });
    await saver.flush();
    expect(sent).toEqual([
      { name: '', due: 'x', note: 'y' },
      { due: 'x', note: 'y' },
    ]);
    expect(saver.read()).toMatchObject({ unsaved: { name: '' } });
    expect(saver.read().error).toBeInstanceOf(ClientError);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent).toHaveLength(2);
    saver.change({ due: 'z' });
    await saver.flush();
    expect(sent.slice(2)).toEqual([{ name: '', due: 'z' }, { due: 'z' }]);
    expect(saver.read().unsaved).toEqual({ name: '' });
    saver.change({ name: 'a' });
    await saver.flush();
    expect(saver.read()).toMatchObject({ unsaved: {}, error: undefined });
  });

  it('for a reason that names no member is tried each by itself', async () => {
    const { saver, sent } = startSaver(fails(409), fails(409), stored);
    saver.change({ name: 'a', due: 'x' });
    await saver.flush();
    expect(sent).toEqual([{ name: 'a', due: 'x' }, { name: 'a' }, { due: 'x' }]);
    expect(saver.read()).toMatchObject({ unsaved: { name: 'a' } });
  });

  it('stays unsaved where something beside it is stored', async () => {
    const { saver } = startSaver(fails(400, 'name'));
    saver.change({ name: '' });
    await saver.flush();
    saver.touch();
    expect(saver.read().error).toBeInstanceOf(ClientError);
    expect(saver.read().unsaved).toEqual({ name: '' });
  });

  it('is no longer an error once its value is the stored one again', async () => {
    const { saver } = startSaver(fails(400, 'name'), stored);
    saver.change({ name: '' });
    await saver.flush();
    saver.change({ name: 'as it was' });
    await saver.flush();
    expect(saver.read()).toMatchObject({ unsaved: {}, error: undefined });
  });
});

describe('what somebody else changed first', () => {
  it('waits for a word while all else is stored, and goes on being written', async () => {
    const { saver, server } = startShared();
    saver.change({ name: 'b', due: 'z' });
    server.stands.name = 'theirs';
    await saver.flush();
    expect(server.stands).toEqual({ name: 'theirs', due: 'z', note: 'y' });
    expect(saver.read()).toMatchObject({ unsaved: { name: 'b' }, error: undefined });
    expect(saver.read().stale).toBeInstanceOf(ClientError);
    saver.change({ name: 'bc', note: 'w' });
    await saver.flush();
    expect(server.sent.at(-1)).toEqual({ note: 'w' });
    expect(saver.read()).toMatchObject({ unsaved: { name: 'bc' } });
    saver.takeTheirs();
    await saver.flush();
    expect(server.stands).toEqual({ name: 'theirs', due: 'z', note: 'w' });
    expect(saver.read()).toMatchObject({ unsaved: {}, stale: undefined });
  });

  it('is replaced once the person says so, unless they changed it again', async () => {
    const { saver, server } = startShared();
    saver.change({ name: 'b' });
    server.stands.name = 'theirs';
    await saver.flush();
    await saver.putOnTop();
    expect(server.stands.name).toBe('b');
    expect(saver.read()).toMatchObject({ unsaved: {}, stale: undefined });
    saver.change({ name: 'c' });
    await saver.flush();
    expect(server.stands.name).toBe('c');
    saver.change({ name: 'd' });
    server.stands.name = 'theirs again';
    await saver.flush();
    expect(server.stands.name).toBe('theirs again');
    expect(saver.read().stale).toBeInstanceOf(ClientError);
  });

  it('is not what was sent from here without an answer', async () => {
    const { saver, server } = startShared();
    server.isLosing = true;
    saver.change({ name: 'b', due: 'z' });
    await saver.flush();
    saver.change({ name: 'bc' });
    server.isLosing = false;
    await saver.flush();
    expect(server.stands).toEqual({ name: 'bc', due: 'z', note: 'y' });
    expect(saver.read()).toMatchObject({ unsaved: {}, stale: undefined, error: undefined });
  });

  it('is not what was written here while the call before was under way', async () => {
    const { saver, server } = startShared();
    saver.change({ name: 'b' });
    const done = saver.flush();
    saver.change({ name: 'bc' });
    await done;
    expect(server.stands.name).toBe('bc');
    expect(saver.read()).toMatchObject({ unsaved: {}, stale: undefined });
  });
});
