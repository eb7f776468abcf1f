/**
 * Every search by text, over HTTP: the beginning and the middle of names, addresses, ids and what else the kind is known by, in any case
 * and with any accents, several words in any order. Which searches there are is read from the contract.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogSearches } from '../support/filters/catalog.ts';
import { type Filled, fillStage } from '../support/filters/filled.ts';
import { peopleSearches } from '../support/filters/people.ts';
import { listOperations } from '../support/operations.ts';
import { openStage, type Stage } from '../support/stage.ts';

/** Thing looked for, and texts that find it; the first is its id. */
interface Text {
  readonly operation: string;
  readonly of: (filled: Filled) => string;
  readonly by: readonly string[];
  /** Texts that do not. */
  readonly never: readonly string[];
}

const ofEntitlement = {
  of: ({ entitlements }: Filled) => entitlements.open,
  by: ['Öffnet', 'offnet', 'FFNE', 'vault öffnet', 'open-vault', 'N-VAUL', 'opener', 'day and', 'NIGHT', 'open'],
  never: ['öffnet room', 'zzz', '%', '_', '.*'],
};
const texts: readonly Text[] = [
  {
    operation: 'UserService.search',
    of: ({ anne }) => anne.id,
    by: ['Änne', 'anne', 'ÄNNE ALPHA', 'nne', 'alpha anne', 'anne@corp.example', 'NE@COR', 'E77'],
    never: ['anne bert', 'zzz', '%', '_', 'a.*e'],
  },
  {
    operation: 'AppService.search',
    of: ({ filingId }) => filingId,
    by: ['Filing', 'FILI', 'ilin', 'keeps folders', 'OLDER'],
    never: ['filing archive', '%', '_'],
  },
  {
    operation: 'AppResourceService.searchAppResourceTypes',
    of: ({ types }) => types.role,
    by: ['role', 'ROL', 'ol'],
    never: ['role group', '%', '_'],
  },
  {
    operation: 'AppResourceService.searchAppResources',
    of: ({ resources }) => resources.vault,
    by: ['Vault', 'VAU', 'aul', 'väult'],
    never: ['vault room', '%', '_'],
  },
  { operation: 'AppEntitlementSearchService.search', ...ofEntitlement },
  {
    operation: 'AppUserService.search',
    of: ({ accounts }) => accounts.alpha,
    by: ['Account of Änne', 'account of anne', 'OUNT', 'alpha', 'LPH', 'anne@corp.example', 'e@corp'],
    never: ['account robot', '%', '_'],
  },
  { operation: 'RequestCatalogSearchService.searchEntitlements', ...ofEntitlement },
  {
    operation: 'AttributeService.searchAttributeValues',
    of: ({ values }) => values.high,
    by: ['Very high', 'VERY', 'ery hi'],
    never: ['low', '%', '_'],
  },
  {
    operation: 'PersonalClientSearchService.search',
    of: ({ clientIds }) => clientIds.key,
    by: ['Green key', 'GREEN', 'reen k'],
    never: ['lock', '%', '_'],
  },
  {
    operation: 'PolicyService.search',
    of: ({ policies }) => policies.wide,
    by: ['Wide path', 'WIDE', 'ide pa', 'for all', 'OR AL'],
    never: ['narrow', '%', '_'],
  },
];

/** Lists that narrow by a text too; their own tests have the cases: conflicts.test.ts and queue.test.ts, list.test.ts of revocations. */
const elsewhere: readonly string[] = [
  'ConflictAlertService.list',
  'ConflictMonitorService.list',
  // grant-filters.test.ts
  'GrantService.list',
  // everybodys.test.ts
  'CredentialService.search',
  // my-affairs.test.ts and search-all.test.ts
  'MyDelegateService.search',
  'SearchAllService.searchAll',
  // signature-lists.test.ts
  'StepUpProviderService.search',
  // search-reviews.test.ts
  'ReviewSearchService.search',
  'ReviewQueueService.readQueue',
  'RevocationService.list',
];

describe('searches by text', () => {
  let stage: Stage;
  let filled: Filled;
  const found = async (operation: string, query: string): Promise<string[]> => {
    const search = [...catalogSearches, ...peopleSearches].find((one) => one.operation === operation);
    const rows = await stage.all(operation, { fields: { query } }, 10);
    return rows.map((row) => search?.keyOf(row) ?? '');
  };

  beforeAll(async () => {
    stage = await openStage();
    filled = await fillStage(stage);
  }, 240_000);
  afterAll(() => stage.stop());

  it('are those of the contract that take a query', async () => {
    const known = (await listOperations()).filter(
      ({ name, desc }) =>
        desc.input.fields.some((field) => field.name === 'query') && !/^(Certify)?Task/.test(name) && !elsewhere.includes(name),
    );
    expect(texts.map(({ operation }) => operation).sort()).toEqual(known.map(({ name }) => name).sort());
  });

  describe.each(texts.map((text) => [text.operation, text] as const))('%s', (operation, { of, by, never }) => {
    it('finds by the id, whole and from its beginning', async () => {
      const id = of(filled);
      for (const query of [id, ` ${id} `]) {
        expect([query, await found(operation, query)]).toEqual([query, [id]]);
      }
    });

    it.each(by)('finds by %s', async (query) => {
      expect(await found(operation, query)).toContain(of(filled));
      expect(await found(operation, `  ${query.toUpperCase()} `)).toContain(of(filled));
      expect(await found(operation, query.normalize('NFD'))).toContain(of(filled));
    });

    it.each(never)('does not by %s', async (query) => {
      expect(await found(operation, query)).not.toContain(of(filled));
    });

    it('finds everything for no text, and nothing of another tenant', async () => {
      for (const query of ['', '   ']) {
        expect(await found(operation, query)).toContain(of(filled));
      }
      const { status, body } = await stage.ask(operation, { fields: { query: of(filled) } }, stage.other);
      expect([status, body.list]).toEqual([200, []]);
    });
  });
});
