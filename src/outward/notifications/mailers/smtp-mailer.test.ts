/** Sending over SMTP, to a real server in this process: what it takes, what it refuses, and what can break on the way. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type MailServer, type MailServerOptions, readMessage, startMailServer } from '../../../../test/support/mail-server.ts';
import { readSmtpUrl, type SmtpServer } from '../../../lib/mail-config.ts';
import { buildMessage } from './build-message.ts';
import { isUsableAddress } from './mail-address.ts';
import type { OutgoingMail, SendResult } from './mailer.ts';
import { openMailer } from './open-mailer.ts';
import { createSmtpMailer } from './smtp-mailer.ts';

let server: MailServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const mail: OutgoingMail = {
  id: '2yXQpJ8oCq3u1mV5nB7sD9eFaGh',
  from: { name: 'Countersign', address: 'from@mail.example' },
  replyTo: '',
  to: { name: 'Ann Ü', address: 'ann@mail.example' },
  subject: 'Grüße',
  text: 'Hello,\n.\nthe end\n',
  html: '<p>Hello</p>',
  date: new Date('2026-06-01T12:00:00Z'),
};
const password = 'p4ss: "w/ord';

async function begin(options: MailServerOptions = {}): Promise<MailServer> {
  server = await startMailServer(options);
  return server;
}

async function send(to: Partial<SmtpServer>, ca?: string, signal = new AbortController().signal): Promise<SendResult> {
  const settings = { host: '127.0.0.1', port: server?.port ?? 0, tls: 'none', user: '', password: '', ...to } as const;
  const message = await buildMessage(mail);
  return createSmtpMailer({ server: settings, ca, name: 'mail.example' }).send(mail, message ?? Buffer.alloc(0), signal);
}

describe('a server', () => {
  it('takes the message as it is, text and HTML', async () => {
    const { taken } = await begin();
    expect(await send({})).toMatchObject({ outcome: 'sent' });
    expect(taken).toMatchObject([{ from: 'from@mail.example', to: ['ann@mail.example'], isSecure: false }]);
    const { headers, text, html } = readMessage(taken[0]?.raw ?? '');
    expect([headers.get('subject'), headers.get('to')]).toEqual(['Grüße', 'Ann Ü <ann@mail.example>']);
    expect(headers.get('message-id')).toBe(`<${mail.id}@mail.example>`);
    expect([text.trimEnd(), html]).toEqual(['Hello,\n.\nthe end', '<p>Hello</p>']);
  });

  it.each([
    [451, false],
    [421, false],
    [550, true],
    [552, true],
  ])('that answers %i refuses it, for good: %s', async (code, isPermanent) => {
    const { behave, taken } = await begin();
    behave({ refuse: { code, text: 'not now' } });
    expect(await send({})).toMatchObject({ outcome: 'refused', isPermanent, answer: expect.stringContaining('not now') });
    expect(taken).toEqual([]);
  });

  it('that goes away before it has the message refused it; one that goes away afterwards may have taken it', async () => {
    const { behave } = await begin();
    behave({ breakAt: 'end' });
    expect(await send({})).toMatchObject({ outcome: 'unsure' });
    const port = server?.port ?? 0;
    await server?.close();
    expect(await send({ port })).toMatchObject({ outcome: 'refused', isPermanent: false });
  });

  it('that is slow is waited for, and cut off where nobody waits any more', async () => {
    const { behave } = await begin();
    behave({ pauseMs: 300 });
    expect(await send({})).toMatchObject({ outcome: 'sent' });
    const patience = new AbortController();
    behave({ pauseMs: 60_000, whenWhole: () => patience.abort() });
    expect(await send({}, undefined, patience.signal)).toMatchObject({ outcome: 'unsure' });
  });

  it('without TLS gets nothing where TLS is wanted', async () => {
    const { taken } = await begin();
    expect(await send({ tls: 'starttls' })).toMatchObject({ outcome: 'refused', isPermanent: false });
    expect(taken).toEqual([]);
  });
});

describe('a server with a certificate', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-mail-'));
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  execFileSync('openssl', [
    ...[
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '1',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost,IP:127.0.0.1',
    ],
    ...['-keyout', keyFile, '-out', certFile],
  ]);
  const tls = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
  rmSync(folder, { recursive: true });
  const ca = tls.cert.toString();
  const login = { user: 'countersign', password };

  it.each(['starttls', 'direct'] as const)('gets the password behind TLS alone: %s', async (way) => {
    const { taken } = await begin({ tls, login, isDirect: way === 'direct' });
    expect(await send({ tls: way, ...login }, ca)).toMatchObject({ outcome: 'sent' });
    expect(taken).toMatchObject([{ user: 'countersign', isSecure: true }]);
  });

  it('that nobody vouches for gets nothing', async () => {
    const { taken } = await begin({ tls, login });
    expect(await send({ tls: 'starttls', ...login })).toMatchObject({ outcome: 'refused', isPermanent: false });
    expect(taken).toEqual([]);
  });

  it('that refuses the password is tried again, and the answer does not hold it', async () => {
    await begin({ tls, login });
    const result = await send({ tls: 'starttls', user: login.user, password: `${password}x` }, ca);
    expect(result).toMatchObject({ outcome: 'refused', isPermanent: false });
    expect(JSON.stringify(result)).not.toContain(password);
  });
});

describe('a file of the configuration', () => {
  it.each([
    ['passwordFile', '', '--smtp-password-file: FILE is empty.'],
    ['passwordFile', '\r\n', '--smtp-password-file: FILE is empty.'],
    ['caFile', 'no certificate', '--smtp-ca: there is no certificate in FILE; it has to be PEM.'],
  ])('%s with %j in it ends the start', async (option, content, sentence) => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-mail-'));
    const file = join(folder, 'file');
    writeFileSync(file, content);
    const transport = { type: 'smtp', server: readSmtpUrl('smtp://me@relay'), passwordFile: undefined, caFile: undefined } as const;
    const opened = openMailer({ transport: { ...transport, [option]: file }, from: 'from@mail.example', perMinute: 1 });
    await expect(opened).rejects.toThrow(sentence.replace('FILE', file));
    rmSync(folder, { recursive: true });
  });
});

describe('headers', () => {
  it('hold no more than one name each, whatever it is', async () => {
    const hostile = 'Eve\r\nBcc: all@mail.example\u0000\u2028X-A: b\u202e"<eve@evil.example>';
    const message = await buildMessage({ ...mail, to: { name: hostile, address: 'eve@mail.example' }, subject: hostile });
    const { headers } = readMessage(message?.toString('utf8') ?? '');
    expect([...headers.keys()].filter((name) => ['bcc', 'x-a'].includes(name))).toEqual([]);
    expect(headers.get('to')).toMatch(/<eve@mail\.example>$/);
  });

  it('name addresses that are one', () => {
    expect(['a@b.example', 'a.b+c@b-c.example'].filter(isUsableAddress)).toHaveLength(2);
    expect(['', 'a', 'a@b@c', 'a@b,c@d', 'a b@c', 'a@b\r\nBcc: x@y', '<a@b>', `${'a'.repeat(300)}@b`].filter(isUsableAddress)).toEqual([]);
  });

  it('are of a message below a megabyte', async () => {
    expect(await buildMessage({ ...mail, text: 'x'.repeat(2_000_000) })).toBeUndefined();
  });
});
