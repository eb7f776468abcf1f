/** Lifespan and end of a credential, as the form and the list say it. */
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadLanguage } from '~/text/text.ts';
import { Ends } from './ends.tsx';
import { isDayWrong, type Lifespan, LifespanField, lifespanSeconds } from './lifespan.tsx';

const day = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * day).toISOString();

beforeAll(async () => {
  // There is no page here whose language could be set.
  (globalThis as { document?: unknown }).document ??= { documentElement: {} };
  await loadLanguage(['en']);
});

describe('how long a credential works', () => {
  it.each([
    ['30', '2592000s'],
    ['90', '7776000s'],
    ['365', '31536000s'],
  ] as const satisfies readonly (readonly [Lifespan, string])[])('%s days are %s for the server', (lifespan, seconds) => {
    expect(lifespanSeconds(lifespan)).toBe(seconds);
  });

  it('is until the end of a day, where a day is chosen, which must not be over', () => {
    const noon = Date.parse('2027-03-01T12:00:00');
    expect(lifespanSeconds({ until: '2027-03-01' }, noon)).toBe('43199s');
    expect(lifespanSeconds({ until: '2027-03-03' }, noon)).toBe(`${43_199 + 2 * 86_400}s`);
    expect(['2027-03-01', '2027-02-28', ''].map((until) => isDayWrong({ until }, noon))).toEqual([false, true, true]);
    // What is made in a browser lives for a year at most.
    expect(['2028-02-28', '2028-03-01'].map((until) => isDayWrong({ until }, noon))).toEqual([false, true]);
    expect(isDayWrong('365', noon)).toBe(false);
  });

  it('is one of three, of which the chosen one is checked', () => {
    const html = renderToStaticMarkup(<LifespanField value="90" onChange={() => undefined} />);
    expect(html.match(/type="radio"/g)).toHaveLength(3);
    expect(html.match(/aria-checked="true"/g)).toHaveLength(1);
    expect(html).toContain('30 days');
    expect(html).toContain('90 days');
    expect(html).toContain('365 days');
    expect(html.indexOf('aria-checked="true"')).toBeGreaterThan(html.indexOf('90 days'));
    expect(html.indexOf('aria-checked="true"')).toBeLessThan(html.indexOf('365 days'));
  });
});

describe('of a service principal', () => {
  it('may be until any day, which is pointed out where it is missing', () => {
    const field = (tried: boolean) =>
      renderToStaticMarkup(<LifespanField value={{ until: '' }} onChange={() => undefined} free tried={tried} />);
    expect(field(false)).toContain('type="date"');
    expect(field(false)).not.toContain('Choose a day from today to a year from now.');
    expect(field(true)).toContain('Choose a day from today to a year from now.');
  });

  it('is one of three or a day, and never without an end', () => {
    const html = renderToStaticMarkup(<LifespanField value="365" onChange={() => undefined} free />);
    expect(html.match(/type="radio"/g)).toHaveLength(4);
    expect(html.indexOf('aria-checked="true"')).toBeGreaterThan(html.indexOf('365 days'));
    expect(html).not.toContain('Never ends');
  });
});

describe('when a credential ends', () => {
  it('is never where it has no end', () => {
    expect(renderToStaticMarkup(<Ends at={undefined} />)).toBe('Never ends');
  });

  it('is said in days, with the date and the exact time', () => {
    const at = inDays(60);
    const html = renderToStaticMarkup(<Ends at={at} />);
    expect(html).toMatch(/In (59|60|61) days, /);
    expect(html).toContain(`dateTime="${at}"`);
    expect(html).toMatch(/title="[^"]*\d{4}/);
  });

  it('is marked in the last week alone', () => {
    expect(renderToStaticMarkup(<Ends at={inDays(3)} />)).toContain('soon');
    expect(renderToStaticMarkup(<Ends at={inDays(20)} />)).not.toContain('soon');
  });

  it('is past where it is over', () => {
    const html = renderToStaticMarkup(<Ends at={inDays(-3)} />);
    expect(html).toContain('Ended ');
    expect(html).toContain('over');
  });
});
