/** Errors of the product as identity providers see them: the form of RFC 7644 section 3.12, a status they act on rightly, nothing of ours in it. */
import Fastify from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ScimError } from '../../inventory/scim/index.ts';
import { AppError } from '../../errors.ts';
import { type Logger, silentLogger } from '../../context.ts';
import { sendScimError } from './scim-errors.ts';

const logged: object[] = [];
const log: Logger = { ...silentLogger, error: (fields) => void logged.push(fields) };
let thrown: unknown;
const app = Fastify();
beforeAll(() => {
  app.setErrorHandler((error, request, reply) => sendScimError(log, error, request as never, reply as never));
  app.get('/', () => {
    throw thrown;
  });
  app.post('/', () => 'read');
});
afterAll(() => app.close());
beforeEach(() => logged.splice(0));

async function answerTo(error: unknown) {
  thrown = error;
  const { statusCode, headers, body } = await app.inject('/');
  expect(headers['content-type']).toMatch(/^application\/scim\+json/);
  const { schemas, status, scimType, detail } = JSON.parse(body);
  expect([schemas, status]).toEqual([['urn:ietf:params:scim:api:messages:2.0:Error'], String(statusCode)]);
  return { status: statusCode, scimType, detail: String(detail), headers, body };
}
const ofDatabase = (code: string) => ({ cause: Object.assign(new Error('of the database'), { code }), detail: 'a table' });

describe('errors for providers', () => {
  it.each<[string, unknown, number, string | undefined, string | undefined]>([
    ['one of SCIM', new ScimError(400, 'invalidFilter', 'No.'), 400, 'invalidFilter', undefined],
    ['one without a type', new ScimError(404, '', 'No.'), 404, undefined, undefined],
    ['a wrong argument', new AppError('INVALID_ARGUMENT', 'No.'), 400, 'invalidValue', undefined],
    ['what is not there', new AppError('NOT_FOUND', 'No.'), 404, undefined, undefined],
    ['what is there already', new AppError('CONFLICT', 'No.', ofDatabase('23505')), 409, 'uniqueness', undefined],
    ['changes that kept colliding', new AppError('CONFLICT', 'No.', ofDatabase('40001')), 503, undefined, '1'],
    ['a deadlock', new AppError('CONFLICT', 'No.', ofDatabase('40P01')), 503, undefined, '1'],
    ['a lock that is held', new AppError('CONFLICT', 'No.', ofDatabase('55P03')), 503, undefined, '1'],
    ['a pause', new AppError('UNAVAILABLE', 'No.', { retryAfterSeconds: 300 }), 503, undefined, '300'],
    [
      'a body that is too large',
      Object.assign(new Error('x'), { code: 'FST_ERR_CTP_BODY_TOO_LARGE', statusCode: 413 }),
      413,
      undefined,
      undefined,
    ],
    ['a fault', new Error('secret'), 500, undefined, undefined],
    ['nothing at all', undefined, 500, undefined, undefined],
  ])('%s', async (_name, error, status, scimType, retryAfter) => {
    const answer = await answerTo(error ?? new Error(''));
    expect([answer.status, answer.scimType, answer.headers['retry-after']]).toEqual([status, scimType, retryAfter]);
    expect(answer.detail).not.toBe('');
    expect(answer.body).not.toMatch(/secret|a table|of the database/);
  });

  it('say how to be let in', async () => {
    const { headers } = await answerTo(new AppError('UNAUTHENTICATED', 'No.'));
    expect(headers['www-authenticate']).toContain('error="invalid_token"');
  });

  it('are logged where they are our fault, and reported by the id of their request', async () => {
    const fault = await answerTo(new Error('secret'));
    expect(fault.detail).toMatch(/request id is \S+\.$/);
    expect(logged).toMatchObject([{ err: { code: 'INTERNAL' }, cause: { message: 'secret' } }]);
    await answerTo(new AppError('UNAVAILABLE', 'Gone.', { cause: new Error('lost') }));
    expect(logged).toHaveLength(2);
    await answerTo(new AppError('UNAVAILABLE', 'Paused.'));
    await answerTo(new AppError('CONFLICT', 'No.'));
    await answerTo(new ScimError(400, 'invalidValue', 'No.'));
    expect(logged).toHaveLength(2);
  });
});
