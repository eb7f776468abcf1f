/** The row of a signature held to its event: hashes of what makes it, its line, its step-up, and through what it was given. */
import { hash } from 'node:crypto';
import { CanonicalJsonError, canonicalJson } from '../lib/log/canonical-json.ts';
import { type Fields, readFields } from './fields.ts';
import type { LoggedEvent } from './log.ts';

/** Compares the hashes in the event of the submission with what stands here. */
export function checkLogged(
  fields: Fields,
  event: LoggedEvent | undefined,
  say: (sentence: string, ...from: readonly string[]) => void,
): void {
  if (event === undefined) {
    say(`No event recorded submission ${fields.text('submission')}.`, 'log/events.jsonl');
    return;
  }
  if ((readFields(fields.text('record'))?.text('digest') ?? '') !== event.data.text('digest')) {
    say(`It acknowledges other decisions than were logged at position ${event.position}.`, 'log/events.jsonl');
  }
  const [{ leaf }, recorded] = [event, event.data.fields('evidence').fields('signatures')];
  const logged = `that was logged at position ${event.position}`;
  const digest = lineDigest(fields, readFields(fields.text('record')) ?? fields);
  if (digest !== undefined && recorded.text('sha256') !== digest) {
    say(`It is not the row ${logged}.`, 'log/events.jsonl');
  }
  if (!isStepUp(fields, event.data.text('stepUp'))) {
    say(`Its step-up is not the one ${logged}.`, 'log/events.jsonl');
  }
  if (
    digest !== undefined &&
    (fields.text('event') !== leaf.text('id') || fields.text('credential') !== leaf.fields('actor').text('credential'))
  ) {
    say(`Its event, or the session or credential through which it was given, is not the one ${logged}.`, 'log/events.jsonl');
  }
  const hashes = {
    record: Buffer.from(fields.text('record')),
    idToken: Buffer.from(fields.text('idToken')),
    timestamp: Buffer.from(fields.text('timestamp'), 'base64'),
    credentialSignature: Buffer.from(fields.text('credentialSignature')),
  };
  for (const [name, bytes] of Object.entries(hashes)) {
    const wanted = event.data.text(name);
    const erased = name === 'idToken' ? fields.text('idTokenSha256') : '';
    if (wanted !== (bytes.length === 0 ? erased : hash('sha256', bytes, 'hex'))) {
      say(`Its ${name} is not the one that was logged at position ${event.position}.`, 'log/events.jsonl');
    }
  }
}

/** The canonical text of what somebody wrote; empty where it has none. */
function canonicalText(value: Readonly<Record<string, unknown>>): string {
  try {
    return canonicalJson(value);
  } catch (error) {
    if (error instanceof CanonicalJsonError) {
      return '';
    }
    throw error;
  }
}

/** The line of a signature, of which its event has the digest; undefined in bundles of before 0.4, which do not have all of it. */
function lineDigest(fields: Fields, record: Fields): string | undefined {
  if (!fields.has('timestampServer')) {
    return undefined;
  }
  const hashOf = (bytes: Buffer): string => (bytes.length === 0 ? '' : hash('sha256', bytes, 'hex'));
  const line = canonicalText({
    at: fields.text('signedAt'),
    credentialSignature: fields.text('credentialSignature'),
    idToken: hashOf(Buffer.from(fields.text('idToken'))) || fields.text('idTokenSha256'),
    record: hashOf(Buffer.from(fields.text('record'))),
    review: record.fields('review').text('id'),
    signature: fields.text('id'),
    submission: fields.text('submission'),
    timeStamp: hashOf(Buffer.from(fields.text('timestamp'), 'base64')),
    timeStampServer: fields.text('timestampServer'),
    transaction: fields.text('transaction'),
    user: record.fields('signer').text('id'),
  });
  return hash('sha256', hash('sha256', line, 'buffer'), 'hex');
}

/** True if a step-up is the one that an event has the hash of, and by the provider that is shown; events of before 0.4 have none. */
function isStepUp(fields: Fields, wanted: string): boolean {
  if (wanted === '') {
    return true;
  }
  const [stepUp, provider] = [fields.fields('stepUp'), fields.fields('provider')];
  const isShown = ['acrValues', 'audience', 'issuer'].every(
    (name) => JSON.stringify(stepUp.raw[name]) === JSON.stringify(provider.raw[name]),
  );
  return isShown && hash('sha256', canonicalText(stepUp.raw), 'hex') === wanted;
}
