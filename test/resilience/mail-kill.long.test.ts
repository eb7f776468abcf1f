/**
 * kill -9 of processes that send mail, at random moments and in the middle of a mail, against a server that really takes it: nobody gets a mail twice,
 * and whoever gets none has one that is marked unsure, which the evidence of the review says.
 */
import { describe, expect, it, vi } from 'vitest';
import { kills, seed, useEngine } from '../support/engine.ts';

const managers = 150;
const engine = useEngine(managers, ['pay']);

const mailsOf = (reviewId: string) =>
  engine.rows(
    `SELECT m.id, m.state, m.address, m.answer, m.attempts, (SELECT array_agg(e.kind ORDER BY e.id) FROM events e WHERE e.target_id = m.id AND e.review_id = $1) AS events
     FROM mails m WHERE m.id IN (SELECT o.mail_id FROM mail_outbox o WHERE o.review_id = $1)`,
    [reviewId],
  );

describe('mails', () => {
  it(`come once each, but those that are marked unsure, through ${kills} kills (seed ${seed})`, { timeout: 400_000 }, async () => {
    engine.mail().behave({ pauseMs: 80 });
    const id = await engine.prepare({ notificationConfig: { sendKickoff: true } });
    await engine.open(id);
    await engine.strike(kills, 900);
    await engine.untilNone("SELECT state FROM reviews WHERE id = $1 AND state <> 'OPEN'", [id]);
    await vi.waitFor(
      async () =>
        expect(await engine.rows('SELECT id FROM mail_outbox WHERE review_id = $1 AND mail_id IS NOT NULL', [id])).toHaveLength(managers),
      { timeout: 60_000, interval: 200 },
    );
    await engine.untilNone("SELECT state FROM mails WHERE state IN ('WAITING', 'SENDING')");
    await engine.stop();
    const mails = await mailsOf(id);
    expect(mails.map(({ address }) => address).sort()).toEqual(Array.from({ length: managers }, (_, n) => `m${n}@mail.example`).sort());
    const unsure = mails.filter(({ state }) => state === 'UNSURE');
    for (const { state, address, events } of mails) {
      const came = engine.mail().to(String(address)).length;
      expect([address, state, came <= 1]).toEqual([address, state === 'UNSURE' ? 'UNSURE' : 'SENT', true]);
      expect([address, state === 'UNSURE' || came === 1]).toEqual([address, true]);
      expect(events).toEqual([state === 'UNSURE' ? 'mail.unsure' : 'mail.sent']);
    }
    // A process has three of one tenant under way at most.
    expect(unsure.length).toBeLessThanOrEqual(3 * kills);
    const lost = unsure.filter(({ address }) => engine.mail().to(String(address)).length === 0).length;
    console.log(`seed ${seed}: ${mails.length} mails, ${kills} kills, ${unsure.length} unsure, of which ${lost} had not come`);
  });

  it('are marked before they are sent, and one that is marked when its process dies is not sent again', { timeout: 240_000 }, async () => {
    const id = await engine.prepare({ notificationConfig: { sendKickoff: true } });
    const before = engine.mail().taken.length;
    engine.mail().behave({ pauseMs: 60_000 });
    await engine.open(id);
    const doomed = await engine.start();
    await vi.waitFor(async () => expect((await mailsOf(id)).filter(({ state }) => state === 'SENDING')).toHaveLength(3), {
      timeout: 60_000,
      interval: 50,
    });
    const marked = (await mailsOf(id)).filter(({ state }) => state === 'SENDING').map((mail) => String(mail.id));
    // The server has what these say, and nobody ever learns that it took them.
    expect(engine.mail().taken).toHaveLength(before);
    await doomed.end('SIGKILL');
    engine.mail().behave(undefined);
    await engine.start();
    await engine.untilNone("SELECT state FROM mails WHERE state IN ('WAITING', 'SENDING')");
    await engine.stop();
    const mails = await mailsOf(id);
    expect(
      mails
        .filter(({ state }) => state === 'UNSURE')
        .map((mail) => String(mail.id))
        .sort(),
    ).toEqual(marked.sort());
    expect(mails.filter(({ state }) => state === 'SENT')).toHaveLength(managers - marked.length);
    const sentAgain = engine
      .mail()
      .taken.slice(before)
      .filter(({ to }) => mails.some(({ state, address }) => state === 'UNSURE' && to.includes(String(address))));
    expect(sentAgain).toEqual([]);
    for (const { state, events, answer } of mails.filter((mail) => mail.state === 'UNSURE')) {
      expect([state, events, answer]).toEqual(['UNSURE', ['mail.unsure'], expect.stringContaining('not sent again')]);
    }
  });
});
