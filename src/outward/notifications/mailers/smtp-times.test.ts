/** What a mail server may take its time over, which names it hears, and what becomes of a mail that is cut off: word for word, on a bare socket. */
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { type ScriptedSmtp, type SmtpScript, startScriptedSmtp, usualAnswer } from '../../../../test/support/scripted-smtp.ts';
import { getAsciiAddress } from '../../../lib/names/same-address.ts';
import { buildMessage } from './build-message.ts';
import { isUsableAddress } from './mail-address.ts';
import type { OutgoingMail, SendResult } from './mailer.ts';
import { createSmtpMailer, type SmtpTimes, smtpTimes } from './smtp-mailer.ts';

let server: ScriptedSmtp | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const mail: OutgoingMail = {
  id: '2yXQpJ8oCq3u1mV5nB7sD9eFaGh',
  from: { name: 'Countersign', address: 'from@mail.example' },
  replyTo: '',
  to: { name: 'Anna', address: 'anna@mail.example' },
  subject: 'Access',
  text: 'Hello\n',
  html: '<p>Hello</p>',
  date: new Date('2026-06-01T12:00:00Z'),
};

async function send(
  script: SmtpScript,
  { times = {}, ...more }: Partial<OutgoingMail> & { times?: Partial<SmtpTimes> } = {},
  signal = new AbortController().signal,
): Promise<SendResult> {
  server ??= await startScriptedSmtp(script);
  const settings = { host: '127.0.0.1', port: server.port, tls: 'none', user: '', password: '' } as const;
  const mailer = createSmtpMailer({ server: settings, ca: undefined, name: 'reviews.example', times: { ...smtpTimes, ...times } });
  const message = await buildMessage({ ...mail, ...more });
  return mailer.send({ ...mail, ...more }, message ?? Buffer.alloc(0), signal);
}

/** Answers as usual but for one thing, about which it says nothing. */
const silentAt =
  (what: string, tell: () => void = () => undefined): SmtpScript =>
  (said) => {
    if (said.startsWith(what)) {
      tell();
      return undefined;
    }
    return usualAnswer(said);
  };

describe('the times of a mail server', () => {
  it('are those of RFC 5321 4.5.3.2', () => {
    const minutes = (milliseconds: number): number => milliseconds / 60_000;
    expect(minutes(smtpTimes.greetingMs)).toBeGreaterThanOrEqual(5);
    // MAIL and RCPT 5, DATA 2, a block of the message 3.
    expect(minutes(smtpTimes.commandMs)).toBeGreaterThanOrEqual(5);
    expect(minutes(smtpTimes.wholeMs)).toBeGreaterThanOrEqual(10);
  });

  it.each([
    ['connect', { connectMs: 3000 }],
    ['whole', { commandMs: 3000 }],
  ])('count each for itself: the answer to %s may take longer than %j', async (what, times) => {
    const slow: SmtpScript = async (said) => {
      await delay(said === what ? 3500 : 0);
      return usualAnswer(said);
    };
    expect(await send(slow, { times })).toMatchObject({ outcome: 'sent' });
  });

  it.each([
    ['connect', { greetingMs: 50 }, 'refused'],
    ['EHLO', { commandMs: 50 }, 'refused'],
    ['MAIL', { commandMs: 50 }, 'refused'],
    ['RCPT', { commandMs: 50 }, 'refused'],
    ['DATA', { commandMs: 50 }, 'refused'],
    ['whole', { wholeMs: 50 }, 'unsure'],
  ])('end where it says nothing at %s: the mail is %j: %s', async (what, times, outcome) => {
    const result = await send(silentAt(what), { times });
    expect(result).toMatchObject({ outcome, ...(outcome === 'refused' ? { isPermanent: false } : {}) });
  });
});

describe('an answer for good', () => {
  const refusedAt =
    (what: string, answer: string): SmtpScript =>
    (said) =>
      (what === 'EHLO' ? /^(EHLO|HELO)/.test(said) : said.startsWith(what)) ? answer : usualAnswer(said);

  it.each([
    ['connect', '554 5.7.1 your network is blocked'],
    ['connect', '521 no mail here'],
    ['EHLO', '550 5.7.1 who are you'],
    ['MAIL', '530 5.7.0 Must issue a STARTTLS command first'],
    ['MAIL', '530 5.7.0 Authentication required'],
    ['RCPT', '538 5.7.11 encryption required'],
  ])('at %s is none about the mail, which is tried again: %s', async (what, answer) => {
    expect(await send(refusedAt(what, answer))).toEqual({
      outcome: 'refused',
      isPermanent: false,
      answer: expect.stringContaining(answer),
    });
  });

  it.each([
    ['MAIL', '550 5.7.1 sender not allowed'],
    ['RCPT', '550 5.1.1 nobody of that name'],
    ['DATA', '554 5.6.0 no'],
    ['whole', '552 5.3.4 too large'],
  ])('at %s is for good: %s', async (what, answer) => {
    expect(await send(refusedAt(what, answer))).toEqual({ outcome: 'refused', isPermanent: true, answer: expect.stringContaining(answer) });
  });

  it('of a server without TLS at a port for TLS names the way out', async () => {
    server = await startScriptedSmtp((said) => usualAnswer(said));
    const settings = { host: '127.0.0.1', port: server.port, tls: 'direct', user: '', password: '' } as const;
    const mailer = createSmtpMailer({ server: settings, ca: undefined, name: 'reviews.example' });
    expect(await mailer.send(mail, Buffer.alloc(0), new AbortController().signal)).toEqual({
      outcome: 'refused',
      isPermanent: false,
      answer: 'The mail server does not begin with TLS at this port. Begin --smtp-url with smtp://, which is TLS by STARTTLS.',
    });
  });
});

describe('a mail that is cut off', () => {
  it.each([
    ['connect', 'refused'],
    ['MAIL', 'refused'],
    ['DATA', 'refused'],
    ['whole', 'unsure'],
  ])('at %s is %s', async (what, outcome) => {
    const patience = new AbortController();
    expect(
      await send(
        silentAt(what, () => setImmediate(() => patience.abort())),
        {},
        patience.signal,
      ),
    ).toMatchObject({ outcome });
    expect(server?.messages).toHaveLength(what === 'whole' ? 1 : 0);
  });
});

describe('names and addresses', () => {
  it('are said as every server knows them: a name of ours, domains by their A-labels', async () => {
    const address = 'anna@Müller.example';
    const from = { name: 'Prüfung', address: 'pruefung@Größe.example' };
    const asked = { to: { name: 'Anna Ü', address }, from, replyTo: 'antwort@größe.example' };
    expect(await send((said) => usualAnswer(said), asked)).toMatchObject({ outcome: 'sent' });
    expect(server?.heard.slice(0, 3)).toEqual([
      'EHLO reviews.example',
      'MAIL FROM:<pruefung@xn--gre-6ka8i.example>',
      'RCPT TO:<anna@xn--mller-kva.example>',
    ]);
    const [head = ''] = (server?.messages[0] ?? '').split('\r\n\r\n');
    expect(head).toMatch(/^[\x20-\x7e\r\n]+$/);
    for (const line of ['<anna@xn--mller-kva.example>', '<pruefung@xn--gre-6ka8i.example>', 'Reply-To: antwort@xn--gre-6ka8i.example']) {
      expect(head).toContain(line);
    }
    expect(head).toContain(`Message-ID: <${mail.id}@xn--gre-6ka8i.example>`);
  });

  it('with other letters before the @ go to servers that take them, and are refused for good by others', async () => {
    const to = { name: 'Änne', address: 'änne@müller.example' };
    expect(await send((said) => usualAnswer(said, ['SMTPUTF8', '8BITMIME']), { to })).toMatchObject({ outcome: 'sent' });
    expect(server?.heard).toContain('RCPT TO:<änne@xn--mller-kva.example>');
    expect(server?.heard.find((line) => line.startsWith('MAIL'))).toContain('SMTPUTF8');
    await server?.close();
    server = undefined;
    const refused = await send((said) => usualAnswer(said), { to });
    expect(refused).toMatchObject({ outcome: 'refused', isPermanent: true, answer: expect.stringContaining('SMTPUTF8') });
    expect((server as ScriptedSmtp | undefined)?.heard.some((line) => line.startsWith('MAIL'))).toBe(false);
  });

  it.each([
    ['anna@müller.example', 'anna@xn--mller-kva.example', true],
    ['anna@xn--mller-kva.example', 'anna@xn--mller-kva.example', true],
    ['anna@mail_host.example', 'anna@mail_host.example', true],
    ['anna@例え.テスト', 'anna@xn--r8jz45g.xn--zckzah', true],
    ['anna@a\u0000ü.example', 'anna@a\u0000ü.example', false],
    ['anna', 'anna', false],
    ['a@b..example', 'a@b..example', false],
    ['a@.example', 'a@.example', false],
    ['a@b.example.', 'a@b.example.', false],
    ['a@ü。。example', 'a@xn--tda..example', false],
    ['a@bü%63her.example', 'a@bü%63her.example', false],
    [`anna@${'a'.repeat(300)}.example`, `anna@${'a'.repeat(300)}.example`, false],
  ])('%j is %j on the wire, usable: %s', (address, wire, isUsable) => {
    expect([getAsciiAddress(address), isUsableAddress(address)]).toEqual([wire, isUsable]);
  });

  it('no address is usable whose domain has an empty label, and each is whose labels are not', () => {
    const label = fc.constantFrom('a', 'b-c', 'xn--bcher-kva', 'bücher', '例え');
    fc.assert(
      fc.property(
        fc.array(fc.oneof(label, label, fc.constant('')), { minLength: 1, maxLength: 5 }),
        fc.constantFrom('.', '。'),
        (labels, dot) => {
          expect(isUsableAddress(`anna@${labels.join(dot)}`)).toBe(!labels.includes(''));
        },
      ),
    );
  });
});
