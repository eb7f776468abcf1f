/** Events: written with their change, never changed, listed in order, and shown as OCSF objects. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordEvent, recordEventWith, recordOccurrence } from '../../../test/support/any-event.ts';
import { actorOf, frozenNow, useTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import { inTransaction } from '../../context.ts';
import { fixed } from '../../lib/sql.ts';
import { type EventQuery, listEvents } from './list-events.ts';
import { shapeEvent } from './view.ts';
import { withoutFractions } from './without-fractions.ts';

let two: TwoTenants;
const everything: EventQuery = { since: undefined, until: undefined, sinceEventUid: '', untilEventUid: '', descending: false };

beforeAll(async () => {
  two = await useTwoTenants();
});
afterAll(() => two.close());

describe('recordEvent', () => {
  it('needs the transaction of the change', async () => {
    await expect(recordEvent(two.ours.admin, { kind: 'thing.changed' })).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  it('goes when the change goes', async () => {
    await expect(
      inTransaction(two.ours.admin, async (context) => {
        await recordEvent(context, { kind: 'thing.undone' });
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    const kinds = (await listEvents(two.ours.admin, everything, undefined, 100)).events.map((row) => row.kind);
    expect(kinds).not.toContain('thing.undone');
  });

  it('says who, through what, from where, and to which object', async () => {
    const context = { ...two.ours.admin, actor: actorOf(two.ours.basicId, [], { credentialId: 'cred', issuerId: two.ours.adminId }) };
    const id = await inTransaction(context, (inside) =>
      recordEvent(inside, { kind: 'thing.changed', targetType: 'thing', targetId: 'thing-1', data: { from: 1, to: [2] } }),
    );
    const { events: rows } = await listEvents(two.ours.admin, everything, undefined, 100);
    expect(rows.find((row) => row.id === id)).toEqual({
      position: expect.any(Number),
      id,
      occurredAt: frozenNow,
      kind: 'thing.changed',
      actorKind: 'user',
      actorId: two.ours.basicId,
      credentialId: 'cred',
      issuerId: two.ours.adminId,
      sourceIp: '192.0.2.1',
      requestId: 'test-request',
      targetType: 'thing',
      targetId: 'thing-1',
      data: { from: 1, to: [2] },
    });
  });

  it('refuses data that other languages write otherwise, with its place, and writes nothing', async () => {
    const write = (data: object) => recordOccurrence(two.ours.admin, { kind: 'thing.odd', data });
    for (const [data, place] of [
      [{ share: 0.5 }, 'share'],
      [{ list: [{ at: new Date(0) }] }, 'list[0].at'],
      [{ size: 2 ** 53 }, 'size'],
      [{ name: '\ud800' }, 'name'],
    ] as const) {
      await expect(write(data)).rejects.toMatchObject({ code: 'INTERNAL', detail: expect.stringContaining(`${place}: `) });
    }
    const id = await write({ gone: undefined, zero: -0, deep: { gone: undefined, list: [{ gone: undefined }] } });
    const { events } = await listEvents(two.ours.admin, everything, undefined, 1000);
    expect(events.filter((event) => event.kind === 'thing.odd')).toMatchObject([{ id, data: { zero: 0, deep: { list: [{}] } } }]);
  });

  it('takes documents of clients once their fractions are text', async () => {
    const document = { a: 0.5, b: [1, 1e300, { c: -2.25 }], d: null, e: 'x', f: true };
    expect(withoutFractions(document)).toEqual({ a: '0.5', b: [1, '1e+300', { c: '-2.25' }], d: null, e: 'x', f: true });
    await recordOccurrence(two.ours.admin, { kind: 'thing.document', data: { document: withoutFractions(document) } });
  });

  it('is written with its change in one statement, or not at all', async () => {
    const write = (condition: string, kind = 'task.commented') =>
      recordEventWith(two.ours.admin, { kind }, (insert) => two.ours.admin.db.run(insert(fixed(`WHERE ${condition}`))));
    expect([await write('false'), await write('true')]).toEqual([0, 1]);
    // Of what the catalogue does not let be written alone.
    await expect(write('true', 'task.cancelled')).rejects.toMatchObject({
      code: 'INTERNAL',
      detail: expect.stringContaining('outside a transaction'),
    });
  });

  it('can never be changed or deleted, not even by its owner', async () => {
    for (const sql of ["UPDATE events SET kind = 'x'", 'DELETE FROM events', 'TRUNCATE events']) {
      await expect(two.ours.admin.db.run(sql, [])).rejects.toMatchObject({ code: 'INTERNAL' });
    }
  });
});

describe('listEvents', () => {
  it('shows no event of another tenant, with or without bounds', async () => {
    const theirs = await recordOccurrence(two.theirs.admin, { kind: 'secret.thing' });
    const { events: rows } = await listEvents(two.ours.admin, everything, undefined, 1000);
    expect(rows.map((row) => row.id)).not.toContain(theirs);
    await listEvents(two.theirs.admin, everything, undefined, 1);
    for (const bound of ['sinceEventUid', 'untilEventUid']) {
      await expect(listEvents(two.ours.admin, { ...everything, [bound]: theirs }, undefined, 1000)).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        violations: [{ field: bound }],
      });
    }
  });

  it('pages both ways, and keeps to the bounds', async () => {
    const at = (minute: number) => new Date(frozenNow.getTime() + minute * 60_000);
    const ids: string[] = [];
    for (let minute = 1; minute <= 6; minute++) {
      ids.push(await recordOccurrence({ ...two.ours.system, now: at(minute) }, { kind: 'tick', data: { minute } }));
    }
    const minutes = async (query: Partial<EventQuery>, after?: string, limit = 100) =>
      (await listEvents(two.ours.admin, { ...everything, since: at(1), ...query }, after, limit)).events.map((row) => row.data.minute);
    expect(await minutes({})).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await minutes({ descending: true })).toEqual([6, 5, 4, 3, 2, 1]);
    expect(await minutes({}, ids[1], 2)).toEqual([3, 4]);
    expect(await minutes({ descending: true }, ids[3], 2)).toEqual([3, 2]);
    expect(await minutes({ since: at(3), until: at(5) })).toEqual([3, 4]);
    expect(await minutes({ sinceEventUid: ids[2] ?? '' })).toEqual([4, 5, 6]);
    expect(await minutes({ untilEventUid: ids[2] ?? '' })).toEqual([1, 2]);
    expect(await minutes({ sinceEventUid: ids[0] ?? '', untilEventUid: ids[4] ?? '', descending: true }, ids[3], 2)).toEqual([3, 2]);
    expect(await minutes({ since: at(-100_000_000), until: at(2) })).toEqual(expect.arrayContaining([1]));
  });
});

describe('shapeEvent', () => {
  it('is an OCSF API Activity with everything an event says', () => {
    const event = {
      position: 7,
      id: 'e1',
      occurredAt: frozenNow,
      kind: 'credential.revoked',
      actorKind: 'user',
      actorId: 'u1',
      credentialId: 'c1',
      issuerId: 'i1',
      sourceIp: '192.0.2.1',
      requestId: 'r1',
      targetType: 'personal_client',
      targetId: 'p1',
      data: { a: 1 },
    };
    expect(shapeEvent(event, 'ours.example/log/t1/1')).toMatchObject({
      class_uid: 6003,
      category_uid: 6,
      activity_id: 4,
      type_uid: 600304,
      time: frozenNow.getTime(),
      status: 'Success',
      metadata: { uid: 'e1', event_code: 'credential.revoked', sequence: 7, log_name: 'ours.example/log/t1/1' },
      actor: { user: { uid: 'u1' }, session: { credential_uid: 'c1', issuer: 'i1' } },
      api: { operation: 'credential.revoked' },
      src_endpoint: { ip: '192.0.2.1' },
      resources: [{ uid: 'p1', type: 'personal_client', data: { a: 1 } }],
      unmapped: { kind: 'credential.revoked', issuer_id: 'i1', data: { a: 1 } },
    });
  });

  it.each([
    ['user.created', 1, 'Success'],
    ['user.roles_changed', 3, 'Success'],
    ['credential.token_refused', 99, 'Failure'],
    ['something.else', 99, 'Success'],
  ])('%s has activity %i, %s', (kind, activity, status) => {
    const row = {
      position: 0,
      id: '',
      occurredAt: frozenNow,
      kind,
      actorKind: 'system',
      actorId: '',
      credentialId: '',
      issuerId: '',
      sourceIp: '',
      requestId: '',
      targetType: '',
      targetId: '',
      data: {},
    };
    expect(shapeEvent(row, '')).toMatchObject({ activity_id: activity, status, resources: [] });
  });
});

describe('the events of one person or one review', () => {
  const of = (subject: { actorId?: string; reviewId?: string }, more: Partial<EventQuery> = {}): EventQuery => ({
    ...everything,
    ...more,
    ...subject,
  });
  const read = async (query: EventQuery, after?: string, limit = 100) =>
    (await listEvents(two.ours.admin, query, after, limit)).events.map((event) => event.kind);

  it('are all of theirs and nobody else’s, also page by page and backwards', async () => {
    const basic = { ...two.ours.admin, actor: actorOf(two.ours.basicId) };
    const later = { ...basic, now: new Date(frozenNow.getTime() + 3_600_000) };
    await recordOccurrence(two.ours.admin, { kind: 'subject.first', targetType: 'access_review', targetId: 'review-1' });
    await recordOccurrence(basic, { kind: 'subject.second', targetType: 'task', targetId: 'task-1', reviewId: 'review-1' });
    await recordOccurrence(basic, { kind: 'subject.elsewhere', targetType: 'task', targetId: 'task-2', reviewId: 'review-2' });
    await recordOccurrence(
      { ...two.theirs.admin, actor: actorOf(two.ours.basicId) },
      { kind: 'subject.theirs', targetType: 'access_review', targetId: 'review-1' },
    );
    await recordOccurrence(later, { kind: 'subject.third', targetType: 'access_review', targetId: 'review-1' });

    expect(await read(of({ reviewId: 'review-1' }))).toEqual(['subject.first', 'subject.second', 'subject.third']);
    expect(await read(of({ reviewId: 'review-1', actorId: two.ours.basicId }, { descending: true }))).toEqual([
      'subject.third',
      'subject.second',
    ]);
    const { events } = await listEvents(two.ours.admin, of({ reviewId: 'review-1' }), undefined, 2);
    expect(await read(of({ reviewId: 'review-1' }), events.at(-1)?.id, 2)).toEqual(['subject.third']);
    expect((await read(of({ actorId: two.ours.basicId }))).slice(-3)).toEqual(['subject.second', 'subject.elsewhere', 'subject.third']);
    expect(await read(of({ actorId: two.ours.basicId, reviewId: 'nowhere' }))).toEqual([]);
  });

  it('stay within moments and events that are named', async () => {
    const { events } = await listEvents(two.ours.admin, of({ reviewId: 'review-1' }), undefined, 100);
    const [first, , third] = events;
    expect(await read(of({ reviewId: 'review-1' }, { sinceEventUid: first?.id ?? '', untilEventUid: third?.id ?? '' }))).toEqual([
      'subject.second',
    ]);
    const between = new Date(frozenNow.getTime() + 60_000);
    expect(await read(of({ reviewId: 'review-1' }, { since: between }))).toEqual(['subject.third']);
    expect(await read(of({ reviewId: 'review-1' }, { until: between }))).toEqual(['subject.first', 'subject.second']);
  });
});
