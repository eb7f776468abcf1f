/** A stop, or a lost connection, in the middle of a mail: what the server has already may have been taken and is unsure, anything before is sent later. */
import { expect, it } from 'vitest';
import { startScriptedSmtp, usualAnswer } from '../support/scripted-smtp.ts';
import { startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

async function hangAt(what: string) {
  let reached = (): void => undefined;
  const silence = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const smtp = await startScriptedSmtp((said) => {
    if (said.startsWith(what)) {
      reached();
      return undefined;
    }
    return usualAnswer(said);
  });
  const address = { host: '127.0.0.1', port: smtp.port, tls: 'none', user: '', password: '' } as const;
  const transport = { type: 'smtp', server: address, passwordFile: undefined, caFile: undefined } as const;
  const server = await startTestServer({
    config: { mail: { transport, from: 'countersign@mail.example', perMinute: 300 } },
  });
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  await server.makePerson('elif.sample@mail.example');
  await server.fetch('/auth/link', { method: 'POST', headers, body: JSON.stringify({ email: 'elif.sample@mail.example' }) });
  await silence;
  return { ...server, smtp };
}

it.concurrent.each([
  ['MAIL', 'WAITING', 'before the message had left'],
  ['whole', 'UNSURE', 'while the server had the message'],
])('at %s leaves the mail %s', async (what, state, answer) => {
  const { app, test, stop, smtp } = await hangAt(what);
  await app.stop();
  expect(await test.admin('SELECT state, answer FROM mails')).toEqual([{ state, answer: expect.stringContaining(answer) }]);
  await stop();
  await smtp.close();
});

it.concurrent('a connection that is lost after the final dot leaves a mail that the metrics count', async () => {
  const { test, stop, smtp, fetch } = await hangAt('whole');
  await smtp.close();
  await until(async () => expect(await test.admin('SELECT state FROM mails')).toEqual([{ state: 'UNSURE' }]));
  expect(await (await fetch('/metrics')).text()).toContain('countersign_mails_unsure 1\n');
  await stop();
});
