/** Effect of a tenant's session settings: which restriction holds for whom, whom it lets pass, how long a token lives. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sourceBlocks, compileSource, maxTokenSeconds, sourceOf, sources } from './session-settings.ts';

const address = fc.oneof(fc.ipV4(), fc.ipV6());

describe('restrictions of addresses', () => {
  it.each([
    ['PERSONAL', true, 'pccAdminSource'],
    ['PERSONAL', false, 'pccUserSource'],
    ['SERVICE', true, 'externalClientSource'],
    ['SERVICE', false, 'externalClientSource'],
  ] as const)('for a credential of kind %s, of an administrator %s: %s', (kind, isAdministrator, source) => {
    expect(sourceOf(kind, isAdministrator)).toBe(source);
  });

  it('keep nobody out until they are enabled, whatever blocks they name', () => {
    fc.assert(
      fc.property(fc.constantFrom(...sources), fc.array(fc.ipV4(), { maxLength: 3 }), address, (source, ips, from) => {
        const sourceCidr = ips.map((ip) => `${ip}/32`);
        for (const document of [{}, { [source]: { sourceCidr } }, { [source]: { enabled: false, sourceCidr } }]) {
          expect(sourceBlocks(document, source)).toBeUndefined();
          expect(compileSource(document, source)(from)).toBe(true);
        }
      }),
    );
  });

  it('let pass what lies in one of their blocks, and nothing else', () => {
    fc.assert(
      fc.property(fc.constantFrom(...sources), fc.array(address, { minLength: 1, maxLength: 4 }), address, (source, inside, from) => {
        const sourceCidr = inside.map((ip) => `${ip}/${ip.includes(':') ? 128 : 32}`);
        const allows = compileSource({ [source]: { enabled: true, sourceCidr } }, source);
        expect(inside.every((ip) => allows(ip))).toBe(true);
        fc.pre(!inside.includes(from) && !from.includes(':') && inside.every((ip) => !ip.includes(':')));
        expect(allows(from)).toBe(false);
      }),
    );
  });

  it('are apart: one says nothing of another', () => {
    for (const source of sources) {
      const document = { [source]: { enabled: true, sourceCidr: ['192.0.2.0/24'] } };
      const passing = sources.filter((other) => compileSource(document, other)('198.51.100.1'));
      expect(passing).toEqual(sources.filter((other) => other !== source));
    }
  });

  it('without blocks, or with one that cannot be read, let nobody pass', () => {
    expect(compileSource({ pccUserSource: { enabled: true } }, 'pccUserSource')('192.0.2.1')).toBe(false);
    expect(compileSource({ pccUserSource: { enabled: true, sourceCidr: ['nonsense'] } }, 'pccUserSource')('192.0.2.1')).toBe(false);
  });
});

describe('the longest life of a token', () => {
  it.each([
    [undefined, Number.POSITIVE_INFINITY],
    ['300s', 300],
    ['3600.5s', 3600.5],
    ['2592000s', 2_592_000],
  ])('%j is %s seconds', (maxSessionLength, seconds) => {
    expect(maxTokenSeconds(maxSessionLength === undefined ? {} : { maxSessionLength })).toBe(seconds);
  });
});
