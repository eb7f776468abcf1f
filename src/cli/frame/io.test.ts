/** Errors as people read them. */
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { reportError } from './io.ts';

const say = (error: unknown): string => {
  const stderr = new PassThrough();
  reportError({ env: {}, stdin: new PassThrough(), stdout: new PassThrough(), stderr, signal: new AbortController().signal }, error, false);
  return String(stderr.read());
};

it('says what to do where the code of a clone was not generated, as after npm ci --ignore-scripts', async () => {
  const missing = await import(`${import.meta.dirname}/../../gen/none_pb.js`).catch((error: unknown) => error);
  expect(say(missing)).toMatch(
    /^countersign: Cannot find module .*none_pb\.js.* run "npm ci" in .*, without --ignore-scripts, and start again\n$/,
  );
  expect(say(new Error('other'))).toBe('countersign: other\n');
});
