/**
 * Identifiers: 27 characters of [0-9A-Za-z], sortable by time of creation. Nothing here touches the database; `id_suffix` in SQL makes
 * the last 8 characters of identifiers that are made in bulk.
 */
import { randomFillSync } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^9 milliseconds are more than 400,000 years. */
const timeLength = 9;
const prefixRandomLength = 10;
const suffixLength = 8;
const suffixRange = 62 ** suffixLength;
/** A random start leaves this much room above it, so that a process never counts over the end within one millisecond. */
const suffixStartRange = suffixRange - 2 ** 32;

const idPattern = /^[0-9A-Za-z]{27}$/;

/** Random bytes that no identifier has used yet: asking for a few at a time costs more than all else about an identifier. */
const pool = Buffer.alloc(4096);
let used = pool.length;

function takeRandom(length: number): Buffer {
  if (used + length > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += length;
  return pool.subarray(used - length, used);
}

let lastMs = -1;
let processPart = '';
let counter = 0;

function encode(value: number, length: number): string {
  let text = '';
  let rest = value;
  for (let place = 0; place < length; place++) {
    text = alphabet.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of takeRandom(2 * length)) {
      // 248 = 4 * 62: above it the first characters of the alphabet would be more likely.
      if (byte < 248 && text.length < length) {
        text += alphabet.charAt(byte % 62);
      }
    }
  }
  return text;
}

function startMillisecond(now: Date): void {
  const ms = now.getTime();
  if (ms > lastMs) {
    lastMs = ms;
    processPart = randomText(prefixRandomLength);
    counter = takeRandom(6).readUIntBE(0, 6) % suffixStartRange;
  }
}

/**
 * A new identifier of this moment. In one process each is greater than the one before, also when the clock stands still or goes
 * back; between processes 107 random bits a millisecond keep them apart.
 */
export function newId(now: Date): string {
  startMillisecond(now);
  counter += 1;
  return encode(lastMs, timeLength) + processPart + encode(counter, suffixLength);
}

/** The first 19 characters of the identifiers of one bulk statement, never given twice; `id_suffix(n)` in SQL makes the other 8. */
export function newIdPrefix(now: Date): string {
  return encode(now.getTime(), timeLength) + randomText(prefixRandomLength);
}

/** Forgets the moment of the last identifier: files of tests share a process, and one of them may have set its clock ahead. @internal */
export function forgetMoment(): void {
  lastMs = -1;
}

/** Lower bound of identifiers made at this moment or later. */
export function idFloor(moment: Date): string {
  return encode(moment.getTime(), timeLength);
}

/** True if this can be an identifier of ours. */
export function isId(text: string): boolean {
  return idPattern.test(text);
}
