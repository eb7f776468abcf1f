/**
 * Every filter of every search, over HTTP: it shows what it asks for and leaves out what it does not. Which filters there are is read from
 * the contract, so a new one fails here until it has its cases in test/support/filters; so does one that shows nothing, or leaves out
 * nothing, unless its reason for that stands there. Those of tasks are held to the same in src/governance/tasks/queue/search.test.ts, those of
 * the system log in src/foundation/audit/audit.test.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractRoute } from '../../src/http/route-of.ts';
import { catalogSearches } from '../support/filters/catalog.ts';
import { type Filled, fillStage } from '../support/filters/filled.ts';
import { grantSearches } from '../support/filters/grants.ts';
import { peopleSearches } from '../support/filters/people.ts';
import type { Search } from '../support/filters/search.ts';
import { listOperations, type Operation } from '../support/operations.ts';
import { openStage, type Stage } from '../support/stage.ts';

const searches: readonly Search[] = [...catalogSearches, ...peopleSearches, ...grantSearches];
const elsewhere = [
  'CertifyTaskService.searchReassignees',
  // everybodys.test.ts
  'CredentialService.search',
  'UserSessionService.search',
  // conflicts.test.ts
  'ConflictAlertService.list',
  'ConflictMonitorService.list',
  'DeliveryService.list',
  // entitlement-activity.test.ts
  'EntitlementActivityService.list',
  'MailService.list',
  // look-alikes.test.ts of its module
  'IdentityService.listLookAlikes',
  // my-affairs.test.ts, and the tests of removals
  'MyDelegateService.search',
  'MyOutcomeService.listRemovals',
  // scim-claims.test.ts
  'PersonClaimService.list',
  // suspensions.test.ts
  'SuspensionService.listPeople',
  // people-examples.test.ts, people-shown.test.ts
  'PersonRecordService.list',
  'PersonRecordService.listDisputed',
  // person-grants.test.ts
  'PersonGrantService.list',
  // search-reviews.test.ts
  'ReviewSearchService.search',
  'RevocationService.list',
  // comments.test.ts of its module
  'ReviewCommentService.list',
  // relations.test.ts and roll-forward.test.ts of their modules
  'ReviewIndependenceService.listRelatedDecisions',
  'RollForwardService.listLines',
  // second-reviews.test.ts of its module
  'SecondReviewService.listItems',
  // coverage.test.ts of its module
  'CoverageService.listApps',
  'CoverageService.listGaps',
  // fetches.test.ts
  'FetchService.list',
  // event-log.test.ts
  'EventLogService.listEntries',
  'SystemLogService.listEvents',
  // retention.test.ts and log-holds.test.ts
  'LegalHoldService.list',
  'SecondPersonService.list',
  // signature-lists.test.ts
  'SignatureService.list',
  'StepUpProviderService.search',
  'StepUpTransactionService.search',
  'TaskService.list',
  'TaskService.search',
];
/** Owners by their role: test/api/owners.test.ts has them for every kind of thing. */
const ofOwners = /OwnerV2Service\.search/;
const paging = ['pageSize', 'pageToken', 'expandMask'];
const operations = await listOperations();

/** The names of what narrows a list: everything in its request but the page, the path and what is expanded. */
function filtersOf({ desc }: Operation): string[] {
  const parameters = contractRoute(desc).parameters;
  return desc.input.fields
    .filter(({ name, jsonName }) => !paging.includes(jsonName) && !parameters.includes(name))
    .map(({ jsonName }) => jsonName);
}

describe('the filters', () => {
  let stage: Stage;
  let filled: Filled;
  const keys = async (search: Search, send: Readonly<Record<string, unknown>>): Promise<string[]> => {
    const path = search.path?.(filled);
    const fields = { ...search.base?.(filled), ...send };
    const rows = await stage.all(search.operation, { ...(path === undefined ? {} : { path }), fields }, 10);
    return rows.map(search.keyOf);
  };

  beforeAll(async () => {
    stage = await openStage();
    filled = await fillStage(stage);
  }, 240_000);
  afterAll(() => stage.stop());

  it('of every list have a search here', () => {
    const filtered = operations
      .filter((operation) => operation.isList && !ofOwners.test(operation.name) && filtersOf(operation).length > 0)
      .map(({ name }) => name);
    expect([...searches.map(({ operation }) => operation), ...elsewhere].sort()).toEqual(filtered.sort());
  });

  describe.each(searches.map((search) => [search.operation, search] as const))('of %s', (name, search) => {
    const operation = operations.find((one) => one.name === name);
    const filters = operation === undefined ? [] : filtersOf(operation);

    it('are those of the contract', () => {
      expect(Object.keys(search.filters(filled)).sort()).toEqual(filters.sort());
    });

    it.each(filters)('%s', async (filter) => {
      const cases = search.filters(filled)[filter];
      if (cases === undefined) {
        throw new Error(`${name} has no cases of ${filter}`);
      }
      if ('idle' in cases) {
        expect((await keys(search, cases.send)).sort()).toEqual((await keys(search, {})).sort());
        return;
      }
      for (const { send, shows = [], hides = [] } of cases) {
        const found = await keys(search, send);
        expect({ send, found }).toEqual({ send, found: expect.arrayContaining([...shows]) });
        expect({ send, found: found.filter((key) => hides.includes(key)) }).toEqual({ send, found: [] });
        expect([...shows, ...hides]).not.toContain(undefined);
      }
      expect(cases.some(({ shows = [] }) => shows.length > 0)).toBe(true);
      expect(cases.some(({ hides = [] }) => hides.length > 0)).toBe(true);
    });

    it('show another tenant nothing of ours', async () => {
      const path = search.path?.(filled);
      const fields = { ...search.base?.(filled) };
      const ours = JSON.stringify(filled.accounts) + JSON.stringify(filled.entitlements) + filled.bertId;
      const { status, body } = await stage.ask(name, { ...(path === undefined ? {} : { path }), fields }, stage.other);
      expect([200, 400, 404]).toContain(status);
      for (const row of body.list ?? []) {
        expect(ours).not.toContain(search.keyOf(row));
      }
    });
  });
});
