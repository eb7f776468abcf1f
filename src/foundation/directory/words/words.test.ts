/** Words that people had at a moment: as the trigger of users keeps them, the database answers them, and a model has them. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textPlanOf } from '../../../../test/support/plans.ts';
import { useTwoTenants, type TwoTenants } from '../../../../test/support/tenants.ts';
import { sql } from '../../../lib/sql.ts';
import { newId } from '../../../wire/ids.ts';
import { erasePersonRow, listPersonTexts } from '../erasure/index.ts';
import { nameAtSql } from '../reads.ts';
import { listAddressHolders, listFormerWords } from './store-former.ts';
import { listFormerAddresses, listPersonWords } from './store-words.ts';
import { type Words, wordsAt } from './words.ts';

let two: TwoTenants;
beforeAll(async () => {
  two = await useTwoTenants();
});
afterAll(() => two.close());

/** Changes carry moments to come: the database never notes one before it is written down. */
const startMs = Date.UTC(2200, 0, 1);
const moment = (seconds: number): Date => new Date(startMs + seconds * 1000);

async function addPerson(words: Words): Promise<string> {
  const { db, tenantId } = two.ours.system;
  const id = newId(new Date());
  await db.run(
    `INSERT INTO users (tenant_id, id, email, email_key, display_name, employee_id, created_at, updated_at) VALUES ($1, $2, $3, lower($3), $4, $5, $6, $6)`,
    [tenantId, id, words.email, words.displayName, words.employeeId, moment(0)],
  );
  return id;
}

async function change(id: string, words: Words, at: Date): Promise<void> {
  const { db, tenantId } = two.ours.system;
  await db.run(
    `UPDATE users SET email = $3, email_key = lower($3), display_name = $4, employee_id = $5, updated_at = $6 WHERE tenant_id = $1 AND id = $2`,
    [tenantId, id, words.email, words.displayName, words.employeeId, at],
  );
}

const say = (id: string, n: number): Words => ({
  displayName: `Name ${n % 3}`,
  email: `${id}-${n % 4}@words.test`,
  employeeId: `${n % 2}`,
});

describe('words of a moment', () => {
  it('are those that held then, whatever changed at whatever moment', async () => {
    const { system } = two.ours;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ after: fc.integer({ min: 0, max: 3 }), n: fc.integer({ min: 0, max: 11 }) }), { maxLength: 6 }),
        async (steps) => {
          const key = newId(new Date());
          const id = await addPerson(say(key, 0));
          const model: { since: number; words: Words }[] = [{ since: 0, words: say(key, 0) }];
          let second = 0;
          for (const { after, n } of steps) {
            second += after;
            await change(id, say(key, n), moment(second));
            model.push({ since: second, words: say(key, n) });
          }
          const person = (await listPersonWords(system, [id])).get(id);
          for (let at = 0; at <= second + 1; at += 1) {
            const wanted = model.findLast(({ since }) => since <= at)?.words;
            expect(wordsAt(person, moment(at))).toEqual(wanted);
            const [found] = await system.db.rows(
              sql`SELECT w.display_name AS "displayName", w.email, w.employee_id AS "employeeId"
              FROM person_words(${system.tenantId}, ${id}, ${moment(at)}) w`,
            );
            expect(found).toEqual(wanted);
          }
          expect(wordsAt(person, null)).toEqual(model.at(-1)?.words);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('keep what was shown while a change waited for its turn: it is of the moment at which it is written down', async () => {
    const { system } = two.ours;
    const id = await addPerson(say('late', 0));
    const begun = new Date(Date.now() - 60_000);
    await change(id, say('late', 1), begun);
    const person = (await listPersonWords(system, [id])).get(id);
    expect(wordsAt(person, new Date(begun.getTime() + 30_000))).toEqual(say('late', 0));
    expect(wordsAt(person, moment(0))).toEqual(say('late', 1));
  });

  it('are nobody’s for an unknown id, and say nothing of changes beside them', async () => {
    const { db, tenantId } = two.ours.system;
    expect(wordsAt(undefined, moment(1))).toEqual({ displayName: '', email: '', employeeId: '' });
    expect(await listPersonWords(two.ours.system, ['nobody', ''])).toEqual(new Map());
    const id = await addPerson(say('same', 0));
    await db.run(`UPDATE users SET department = 'Law', updated_at = $3 WHERE tenant_id = $1 AND id = $2`, [tenantId, id, moment(1)]);
    expect((await listPersonWords(two.ours.system, [id])).get(id)?.former).toEqual([]);
    expect(await listPersonWords(two.theirs.system, [id])).toEqual(new Map());
  });

  it('are read along keys, however the statement asks', async () => {
    const { system } = two.ours;
    const { db, tenantId } = system;
    await db.run(
      `INSERT INTO users (tenant_id, id, email, email_key, created_at, updated_at)
       SELECT $1, 'many' || n, n || '@many.test', n || '@many.test', now(), now() FROM generate_series(1, 5000) n`,
      [tenantId],
    );
    await db.run(
      `INSERT INTO former_words (tenant_id, user_id, valid_until, display_name, email, email_key, employee_id)
       SELECT $1, 'many' || n, now() + m * interval '1 day', 'Was ' || m, '', '', '' FROM generate_series(1, 5000) n, generate_series(1, 4) m`,
      [tenantId],
    );
    await two.admin('ANALYZE users');
    await two.admin('ANALYZE former_words');
    const statement = sql`SELECT ${nameAtSql(tenantId, 'x.id', 'x.at')} FROM unnest(${['many1', 'many2']}::text[], ${[moment(0), moment(0)]}::timestamptz[]) AS x (id, at)`;
    const plan = await textPlanOf(system, 'COSTS OFF', statement);
    expect(plan).not.toContain('Seq Scan');
    expect(plan).toContain('using users_pkey on users');
    expect(plan).toContain('using former_words_pkey on former_words');
    expect(plan).not.toContain('Sort');
  });
});

describe('former addresses', () => {
  it('are listed once each, with their dates, without the one of today', async () => {
    const { system } = two.ours;
    const id = await addPerson({ displayName: 'Ann', email: 'Ann@words.test', employeeId: '' });
    const steps = ['Alt@words.test', 'Alt@words.test', 'neu@words.test', 'ann@words.test'];
    for (const [index, email] of steps.entries()) {
      await change(id, { displayName: `Ann ${index}`, email, employeeId: '' }, moment(10 * (index + 1)));
    }
    expect(await listFormerAddresses(system, [id])).toEqual([
      { userId: id, address: 'neu@words.test', addressKey: 'neu@words.test', from: moment(30), until: moment(40) },
      { userId: id, address: 'Alt@words.test', addressKey: 'alt@words.test', from: moment(10), until: moment(30) },
    ]);
  });
});

describe('former words', () => {
  it('are names, addresses and employee ids, once each, with their dates, without those of today', async () => {
    const { system } = two.ours;
    const id = await addPerson({ displayName: 'Eva', email: 'eva@former.test', employeeId: '1' });
    await change(id, { displayName: 'Eva Neu', email: 'eva@former.test', employeeId: '1' }, moment(10));
    await change(id, { displayName: 'Eva Neu', email: 'Eva.Neu@former.test', employeeId: '2' }, moment(20));
    expect(await listFormerWords(system, id)).toEqual([
      { kind: 'ADDRESS', word: 'eva@former.test', from: moment(0), until: moment(20) },
      { kind: 'EMPLOYEE_ID', word: '1', from: moment(0), until: moment(20) },
      { kind: 'NAME', word: 'Eva', from: moment(0), until: moment(10) },
    ]);
    expect(await listFormerWords(two.theirs.system, id)).toEqual([]);
  });

  it('name whoever else had or has one of the addresses, on both sides', async () => {
    const { system } = two.ours;
    const said = (displayName: string, email: string): Words => ({ displayName, email, employeeId: '' });
    const first = await addPerson(said('First', 'desk@shared.test'));
    await change(first, said('First', 'first@shared.test'), moment(10));
    const second = await addPerson(said('Second', 'second@shared.test'));
    await change(second, said('Second', 'desk@shared.test'), moment(11));
    await change(second, said('Second', ''), moment(20));
    const third = await addPerson(said('Third', ''));
    await change(third, said('Third', 'Desk@shared.test'), moment(21));
    const desk = (userId: string, displayName: string, from: Date, until: Date | null, address = 'desk@shared.test') => ({
      address,
      userId,
      displayName,
      from,
      until,
    });
    const ofFirst = desk(first, 'First', moment(0), moment(10));
    const ofSecond = desk(second, 'Second', moment(11), moment(20));
    const ofThird = desk(third, 'Third', moment(21), null, 'Desk@shared.test');
    expect(await listAddressHolders(system, first)).toEqual([ofThird, ofSecond]);
    expect(await listAddressHolders(system, second)).toEqual([ofThird, ofFirst]);
    expect(await listAddressHolders(system, third)).toEqual([ofSecond, ofFirst]);
    expect(await listAddressHolders(two.theirs.system, first)).toEqual([]);
  });
});

describe('erasing a person', () => {
  it('looks for their former words, and takes them', async () => {
    const { system } = two.ours;
    const id = await addPerson({ displayName: 'Erna Alt', email: 'erna.alt@words.test', employeeId: 'E-77' });
    await change(id, { displayName: 'Erna Neu', email: 'erna@words.test', employeeId: 'E-78' }, moment(1));
    expect(await listPersonTexts(system, id)).toEqual(expect.arrayContaining(['erna alt', 'erna.alt@words.test', 'e-77', 'e-78']));
    await erasePersonRow(system, id);
    const person = (await listPersonWords(system, [id])).get(id);
    expect(person?.former).toEqual([]);
    expect(wordsAt(person, moment(0))).toEqual({ displayName: '', email: '', employeeId: '' });
  });
});
