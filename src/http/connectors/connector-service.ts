/** The methods of BatonService: each reads its message, calls one rule and answers. Who calls is found out before (connector-server.ts). */
import { Code, ConnectError, type ConnectRouter } from '@connectrpc/connect';
import { fromBinary, type MessageInitShape } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import type { Context } from '../../context.ts';
import {
  type ConnectorTask,
  finishTask,
  giveTasks,
  greetHost,
  type HostFacts,
  renewTask,
  type SpeakingSource,
  takeFile,
  takeLog,
} from '../../inventory/connector-tasks/index.ts';
import { isAppError } from '../../errors.ts';
import {
  BatonService,
  type BatonServiceHelloRequest,
  type BatonServiceUploadAssetRequest,
  Task_DeleteResourceTaskSchema,
  Task_Status,
  type TaskSchema,
} from '../../gen/c1/connectorapi/baton/v1/baton_pb.js';
import { CapabilitySchema } from '../../gen/c1/connector/v2/connector_pb.js';
import { spoolUpload, type UploadPiece } from './spool-upload.ts';

/** The caller: the source of the token, and a context of this moment. */
export interface Caller {
  readonly source: SpeakingSource;
  readonly context: Context;
}

/** Needs of the methods. */
export interface ServiceParts {
  /** Finds the caller of a request; its context is of the moment of the call. */
  readonly callerOf: (headers: Headers) => Promise<Caller>;
  /** Counts a request for work; RATE_LIMITED where there are too many. */
  readonly countPoll: (sourceId: string) => void;
  /** Work that goes on behind an answer. */
  readonly keep: (work: Promise<void>) => void;
}

const maxTasks = 10;
/** Uploads that a process takes at once. */
const maxUploads = 8;

const names = new Map(CapabilitySchema.values.map(({ number, name }) => [number, name]));
const namesOf = (capabilities: readonly number[]): string[] => capabilities.map((one) => names.get(one) ?? `CAPABILITY_${one}`);

function factsOf(request: BatonServiceHelloRequest): HostFacts {
  const { buildInfo, osInfo, connectorMetadata } = request;
  const capabilities = connectorMetadata?.capabilities;
  const types = capabilities?.resourceTypeCapabilities ?? [];
  return {
    hostId: request.hostId,
    hostname: osInfo?.hostname ?? '',
    platform: [osInfo?.os, osInfo?.kernelArch].filter(Boolean).join('/'),
    package: buildInfo?.package ?? '',
    packageVersion: buildInfo?.packageVersion ?? '',
    capabilities: namesOf(capabilities?.connectorCapabilities ?? []),
    typeCapabilities: Object.fromEntries(types.map((one) => [one.resourceType?.id ?? '', namesOf(one.capabilities)])),
  };
}

const seconds = (count: number) => ({ seconds: BigInt(count) });

function shapeTask({ id, kind, message }: ConnectorTask): MessageInitShape<typeof TaskSchema> {
  const content = message ?? new Uint8Array();
  switch (kind) {
    case 'SYNC':
      return {
        id,
        status: Task_Status.PENDING,
        taskType: { case: 'syncFull', value: { storageEngine: 'sqlite', skipExpandGrants: false } },
      };
    case 'REVOKE':
      return { id, status: Task_Status.PENDING, taskType: { case: 'revoke', value: { grant: content } } };
    case 'DELETE':
      return {
        id,
        status: Task_Status.PENDING,
        taskType: { case: 'deleteResource', value: fromBinary(Task_DeleteResourceTaskSchema, content) },
      };
  }
}

/** The last part of the name of a type. */
const nameOfAny = ({ typeUrl }: Any): string => typeUrl.slice(Math.max(typeUrl.lastIndexOf('.'), typeUrl.lastIndexOf('/')) + 1);

const noTask: MessageInitShape<typeof TaskSchema> = { status: Task_Status.PENDING, taskType: { case: 'none', value: {} } };

/** Takes the messages of an upload apart; the first names the task. */
async function* piecesOf(messages: AsyncIterator<BatonServiceUploadAssetRequest>): AsyncGenerator<UploadPiece> {
  for (let next = await messages.next(); next.done !== true; next = await messages.next()) {
    const { msg } = next.value;
    if (msg.case === 'data') {
      yield { data: msg.value.data };
    } else if (msg.case === 'eof') {
      yield { end: msg.value.sha256Checksum };
    } else {
      throw new ConnectError('An upload has its metadata once, at its beginning.', Code.InvalidArgument);
    }
  }
}

/** Adds the service to a router. */
export function addConnectorService(router: ConnectRouter, parts: ServiceParts): void {
  const { callerOf, countPoll, keep } = parts;
  let uploads = 0;

  async function give(headers: Headers, hostId: string, most: number) {
    const { source, context } = await callerOf(headers);
    countPoll(source.id);
    const given = await giveTasks(context, source, hostId, most);
    return { given, nextPoll: seconds(given.nextPollSeconds), nextHeartbeat: seconds(given.heartbeatSeconds) };
  }

  async function upload(headers: Headers, request: AsyncIterable<BatonServiceUploadAssetRequest>): Promise<void> {
    const messages = request[Symbol.asyncIterator]();
    const first = await messages.next();
    if (first.done === true || first.value.msg.case !== 'metadata') {
      throw new ConnectError('An upload begins with its metadata.', Code.InvalidArgument);
    }
    const { hostId, taskId } = first.value.msg.value;
    const spooled = await spoolUpload(piecesOf(messages));
    let reading: Promise<void> | undefined;
    try {
      // Of now: the upload may have taken an hour.
      const { source, context } = await callerOf(headers);
      if (spooled.kind === 'LOG') {
        await takeLog(context, source, hostId, taskId, spooled.log);
      } else {
        ({ reading } = await takeFile(context, source, hostId, taskId, spooled.file));
      }
    } finally {
      const close = (): Promise<void> => (spooled.kind === 'FILE' ? spooled.file.spool.close() : Promise.resolve());
      if (reading === undefined) {
        await close();
      } else {
        keep(reading.finally(close));
      }
    }
  }

  router.service(BatonService, {
    hello: async (request, { requestHeader }) => {
      const { source, context } = await callerOf(requestHeader);
      await greetHost(context, source, factsOf(request));
      return {};
    },
    getTask: async (request, { requestHeader }) => {
      const { given, ...times } = await give(requestHeader, request.hostId, 1);
      const [task] = given.tasks;
      return { ...times, task: task === undefined ? noTask : shapeTask(task) };
    },
    getTasks: async (request, { requestHeader }) => {
      const most = Math.min(request.pageSize || maxTasks, maxTasks);
      const { given, ...times } = await give(requestHeader, request.hostId, most);
      const known = new Set(request.knownTaskIds);
      return { ...times, tasks: given.tasks.filter(({ id }) => !known.has(id)).map(shapeTask) };
    },
    heartbeat: async ({ hostId, taskId, taskIds }, { requestHeader }) => {
      const { source, context } = await callerOf(requestHeader);
      const cancelled = taskId !== '' && (await renewTask(context, source, hostId, taskId));
      const cancelledTaskIds: string[] = [];
      for (const id of taskIds.slice(0, maxTasks)) {
        const isOver = await renewTask(context, source, hostId, id).catch((error: unknown) => {
          if (isAppError(error, 'NOT_FOUND')) {
            return true;
          }
          throw error;
        });
        if (isOver) {
          cancelledTaskIds.push(id);
        }
      }
      return { cancelled, cancelledTaskIds, nextHeartbeat: seconds(30) };
    },
    uploadAsset: async (request, { requestHeader }) => {
      await callerOf(requestHeader);
      if (uploads >= maxUploads) {
        throw new ConnectError('Too many uploads at once. Try again later.', Code.ResourceExhausted);
      }
      uploads += 1;
      try {
        await upload(requestHeader, request);
      } finally {
        uploads -= 1;
      }
      return {};
    },
    finishTask: async ({ hostId, taskId, status, finalState }, { requestHeader }) => {
      const { source, context } = await callerOf(requestHeader);
      const isSuccess = finalState.case === 'success' || (finalState.case === undefined && (status?.code ?? 0) === 0);
      const annotations = (finalState.value?.annotations ?? []).map(nameOfAny);
      const { code = 0, message = '' } = status ?? {};
      await finishTask(
        context,
        source,
        hostId,
        taskId,
        isSuccess ? { kind: 'SUCCESS', annotations } : { kind: 'ERROR', code, message, annotations },
      );
      return {};
    },
    startDebugging: async (_request, { requestHeader }) => {
      await callerOf(requestHeader);
      return { status: false };
    },
  });
}
