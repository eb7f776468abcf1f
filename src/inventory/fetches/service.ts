/** The contract's services about fetches: each method calls one rule and shapes the reply. */
import { ConnectorService } from '../../gen/c1/api/app/v1/connector_service_pb.js';
import { type Fetch, FetchService, FetchState as WireState } from '../../gen/countersign/v1/fetches_pb.js';
import { inTransaction } from '../../context.ts';
import { implement, implementPart } from '../../wire/service.ts';
import type { Row } from '../../wire/row.ts';
import { forceSync } from '../identity/index.ts';
import { findFetchSource, findReadSources, requireSource } from '../sources/index.ts';
import { fetchNow } from './ask.ts';
import { findFetcher, type Installation } from './fetchers/index.ts';
import { confirmFetch, discardFetch, requireFetch } from './hold.ts';
import { setSchedule } from './set-schedule.ts';
import type { FetchState } from './states.ts';
import { type FetchRow, listFetches } from './store.ts';
import { testSource } from './test-source.ts';

/** A fetch as countersign.v1.Fetch. */
function shapeFetch(row: FetchRow): Row<Fetch> {
  return { ...row, connectorId: row.sourceId, peopleImportId: row.peopleSyncId, importId: row.syncId };
}

const connectorService = implementPart(ConnectorService, {
  forceSync: async (context, request) => {
    const { appId, connectorId } = request;
    await inTransaction(context, async (inside) => {
      await forceSync(inside, appId, connectorId);
      const source = await findFetchSource(inside, connectorId);
      if (source !== undefined && findFetcher(source.kind) !== undefined) {
        await fetchNow(inside, source);
      }
    });
    return {};
  },
  confirmSyncValid: async (context, request) => {
    await confirmFetch(context, request.appId, request.connectorId, request.syncLifecycleId);
    return {};
  },
  updateConnectorSchedule: async (context, request) => {
    const { appId, connectorId, schedule } = request;
    const cron = schedule.case === 'cron' ? schedule.value : { cronSpec: '', timezone: '' };
    await setSchedule(context, appId, connectorId, cron);
    return {};
  },
});

const createFetchService = (installation: Installation) =>
  implement(FetchService, {
    testSource: async (context, { secrets, secretFiles, sourceId }, call) => {
      const source = sourceId === '' ? undefined : await requireSource(context, sourceId);
      const given = { values: secrets, files: secretFiles, source };
      return testSource(context, installation, call.sent.config ?? {}, given);
    },
    list: async (context, request, call) => {
      const state = request.state === WireState.UNSPECIFIED ? undefined : (WireState[request.state] as FetchState);
      const filter = {
        sourceId: request.connectorId === '' ? undefined : request.connectorId,
        sourceIds: await findReadSources(context),
        state,
      };
      const rows = await listFetches(context, filter, call.page.after?.[0], call.page.size + 1);
      const list = rows.slice(0, call.page.size);
      const last = list.at(-1);
      return {
        list: list.map(shapeFetch),
        nextPageToken: call.nextPageToken(rows.length > list.length && last !== undefined ? [last.id] : undefined),
      };
    },
    get: async (context, request) => ({ fetch: shapeFetch(await requireFetch(context, request.id)) }),
    discard: async (context, request) => ({ fetch: shapeFetch(await discardFetch(context, request.id, request.reason)) }),
  });

/** Creates the services of the module. */
export const createServices = (installation: Installation) => [connectorService, createFetchService(installation)];
