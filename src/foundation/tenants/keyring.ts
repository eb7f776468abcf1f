/**
 * Keys of an installation, by which keys of tenants are wrapped: secrets of the operator that this process holds, or a command that wraps and
 * unwraps, so that any key service will do. Where keys of tenants are kept is elsewhere.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import type { Keyring } from '../../db/types.ts';
import { openText, sealText } from '../../lib/log/seal-text.ts';

const purpose = 'key of a tenant';
const commandMs = 30_000;
const maxAnswerLength = 65_536;

/** Returns the public name of a secret. */
function nameOf(secret: Buffer): string {
  return createHash('sha256').update('countersign key of the installation\0').update(secret).digest('hex').slice(0, 16);
}

/** Holds the keys themselves, the one in use first. */
export function keyringOfSecrets(secrets: readonly [Buffer, ...Buffer[]]): Keyring {
  const [inUse] = secrets;
  return {
    kekId: nameOf(inUse),
    wrap: async (about, key) => sealText(inUse, purpose, about, key.toString('base64')),
    unwrap: async (about, { kekId, wrapped }) => {
      const secret = secrets.find((one) => nameOf(one) === kekId);
      const text = secret === undefined ? undefined : openText(secret, purpose, about, wrapped);
      return text === undefined ? undefined : Buffer.from(text, 'base64');
    },
  };
}

/** Has a command of the operator wrap and unwrap: it is called with `wrap` or `unwrap`, reads one line and answers one. */
export function keyringOfCommand(command: string): Keyring {
  return {
    kekId: 'command',
    wrap: async (about, key) => {
      const wrapped = await run(command, 'wrap', Buffer.from(`${about}\n${key.toString('base64')}`).toString('base64'));
      return wrapped === '' ? Promise.reject(new Error('the command answered nothing')) : wrapped;
    },
    unwrap: async (about, { kekId, wrapped }) => {
      if (kekId !== 'command') {
        return undefined;
      }
      const [of, key = ''] = Buffer.from(await run(command, 'unwrap', wrapped), 'base64')
        .toString()
        .split('\n');
      return of === about ? Buffer.from(key, 'base64') : undefined;
    },
  };
}

/** Errors never have what the command read or answered. */
function run(command: string, verb: 'wrap' | 'unwrap', line: string): Promise<string> {
  return new Promise((answered, reject) => {
    const child = spawn('/bin/sh', ['-c', `${command} ${verb}`], { stdio: ['pipe', 'pipe', 'ignore'], timeout: commandMs });
    let answer = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      answer += piece;
      if (answer.length > maxAnswerLength) {
        child.kill();
      }
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0 && answer.length <= maxAnswerLength) {
        answered(answer.trim());
      } else {
        reject(new Error(`the key command ended with ${signal ?? `exit code ${code}`} at ${verb}`));
      }
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(`${line}\n`);
  });
}
