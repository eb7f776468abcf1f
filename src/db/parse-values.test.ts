/** Times from PostgreSQL's texts, to the millisecond, as JavaScript reads the same moments. */
import fc from 'fast-check';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { valueParsers } from './parse-values.ts';

const timestamptz = 1184;
const parse = valueParsers.getTypeParser(timestamptz, 'text') as (text: string) => unknown;

describe('a time with its zone', () => {
  it('is the moment that its text says, whatever its digits', () => {
    const moment = fc.date({ min: new Date('0100-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true });
    fc.assert(
      fc.property(moment, fc.integer({ min: 0, max: 6 }), (date, places) => {
        const fraction = '678901'.slice(0, places);
        const text = `${date.toISOString().slice(0, 19)}${places === 0 ? '' : `.${fraction}`}`;
        const wanted = new Date(`${text.slice(0, 23)}Z`);
        expect(parse(`${text.replace('T', ' ')}+00`)).toEqual(wanted);
      }),
    );
  });

  it.each(['2026-01-02 03:04:05.678+02', '0044-03-15 12:00:00+00 BC', '0099-03-15 12:00:00+00', '10000-01-01 00:00:00+00', 'infinity'])(
    'is left to pg where it looks otherwise: %s',
    (text) => {
      expect(parse(text)).toEqual((pg.types.getTypeParser(timestamptz, 'text') as (text: string) => unknown)(text));
    },
  );
});
