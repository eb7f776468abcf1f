/** Each error on the wire, and what of it never gets there. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AppError, errorCodes } from '../errors.ts';
import { renderError, toAppError } from './render-error.ts';

const id = 'the request';
const read = (error: AppError): { code: number; message: string; details: Record<string, unknown>[] } =>
  JSON.parse(renderError(error, id).body) as never;

describe('errors on the wire', () => {
  const document = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');

  it.each(errorCodes)('%s is as documented', (code) => {
    const error = new AppError(code, 'What happened.');
    const { code: number } = read(error);
    expect(document).toContain(`| \`${code}\` | ${error.status} | ${number} |`);
  });

  it('documents no code that does not exist', () => {
    const documented = [...document.matchAll(/^\| `([A-Z_]+)` \|/gm)].map((match) => match[1]);
    expect(documented).toEqual(errorCodes);
  });

  it('list violations, reason and request id', () => {
    const violations = [{ field: 'a.b', description: 'is wrong' }];
    expect(read(new AppError('INVALID_ARGUMENT', 'a.b: is wrong', { violations }))).toEqual({
      code: 3,
      message: 'a.b: is wrong',
      details: [
        { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: violations },
        { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'INVALID_ARGUMENT', domain: 'countersign', metadata: {} },
        { '@type': 'type.googleapis.com/google.rpc.RequestInfo', requestId: id, servingData: '' },
      ],
    });
  });

  it('never carry detail or cause', () => {
    for (const code of errorCodes) {
      const { body } = renderError(new AppError(code, 'Public.', { detail: 'secret', cause: new Error('secret') }), id);
      expect(body).not.toContain('secret');
    }
  });

  it('of our own making say only the request id', () => {
    expect(read(new AppError('INTERNAL', 'too much said'))).toEqual({
      code: 13,
      message: `Something went wrong on our side. The request id is ${id}.`,
      details: [{ '@type': 'type.googleapis.com/google.rpc.RequestInfo', requestId: id, servingData: '' }],
    });
  });

  it('carry the headers that belong to them', () => {
    expect(renderError(new AppError('METHOD_NOT_ALLOWED', 'x', { allow: ['GET', 'PUT'] }), id).headers['allow']).toBe('GET, PUT');
    expect(renderError(new AppError('RATE_LIMITED', 'x', { retryAfterSeconds: 0.2 }), id).headers['retry-after']).toBe('1');
    expect(renderError(new AppError('UNAUTHENTICATED', 'x'), id).headers['www-authenticate']).toMatch(/^Bearer/);
    expect(renderError(new AppError('CONFLICT', 'x', { status: 418 }), id).status).toBe(418);
  });
});

describe('what was thrown', () => {
  it.each([
    [Object.assign(new Error('x'), { code: 'FST_ERR_CTP_BODY_TOO_LARGE', statusCode: 413 }), 'PAYLOAD_TOO_LARGE', 413],
    [Object.assign(new Error('x'), { code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE', statusCode: 415 }), 'UNSUPPORTED_MEDIA_TYPE', 415],
    [Object.assign(new Error('x'), { code: 'FST_ERR_MAX_PARAM_LENGTH', statusCode: 414 }), 'URI_TOO_LONG', 414],
    [Object.assign(new Error('x'), { code: 'FST_ERR_SOMETHING', statusCode: 400 }), 'INVALID_ARGUMENT', 400],
    [Object.assign(new Error('x'), { statusCode: 500 }), 'INTERNAL', 500],
    [new TypeError('x'), 'INTERNAL', 500],
    [undefined, 'INTERNAL', 500],
    ['text', 'INTERNAL', 500],
  ])('%s becomes %s', (thrown, code, status) => {
    expect(toAppError(thrown)).toMatchObject({ code, status });
    expect(toAppError(thrown).cause).toBe(thrown);
  });

  it('stays what it is when it is ours', () => {
    const error = new AppError('CONFLICT', 'x');
    expect(toAppError(error)).toBe(error);
  });
});
