/** Facts that a runner tells of itself and of its connector when it greets the server. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { arch, hostname, platform, release } from 'node:os';
import { basename, join } from 'node:path';
import { fromJson, type JsonValue, type MessageInitShape } from '@bufbuild/protobuf';
import type { BatonServiceHelloRequestSchema } from '../gen/c1/connectorapi/baton/v1/baton_pb.js';
import { Capability, type ConnectorCapabilities, ConnectorCapabilitiesSchema } from '../gen/c1/connector/v2/connector_pb.js';
import { readChildEnv } from './child-env.ts';
import { runChild } from './run-child.ts';
import type { Runner } from './runner.ts';

const questionMilliseconds = 60_000;
/** Capabilities of a connector that the runner makes use of. */
const ours: readonly Capability[] = [Capability.SYNC, Capability.PROVISION];

/** Returns the id of this host, which stays the same as long as its folder does. */
export async function readHostId(folder: string): Promise<string> {
  const file = join(folder, 'host-id');
  const known = await readFile(file, 'utf8').catch(() => '');
  if (known.trim() !== '') {
    return known.trim();
  }
  const id = `${hostname()}-${randomUUID().slice(0, 8)}`;
  await writeFile(file, `${id}\n`, { mode: 0o600 });
  return id;
}

/** Asks the connector what it is and what it can do; what it does not say is left out. */
export async function describeHost(runner: Runner, hostId: string): Promise<MessageInitShape<typeof BatonServiceHelloRequestSchema>> {
  const name = basename(runner.config.binary);
  const version = (await ask(runner, ['--version'])).trim().split('\n').at(-1)?.split(/\s+/).at(-1) ?? '';
  const capabilities = narrow(readCapabilities(await ask(runner, ['capabilities', ...runner.config.args])));
  if (!capabilities.connectorCapabilities.includes(Capability.PROVISION)) {
    runner.log.info({}, 'the connector does not say that it can remove access, so it is asked for syncs alone');
  }
  return {
    hostId,
    buildInfo: { langVersion: '', package: name, packageVersion: version },
    osInfo: { hostname: hostname(), os: platform(), platform: platform(), platformVersion: release(), kernelArch: arch() },
    connectorMetadata: { displayName: name, capabilities },
  };
}

/** Returns what a connector prints on its standard output; '' where it fails. */
async function ask(runner: Runner, args: readonly string[]): Promise<string> {
  const { config, signal, ownEnv } = runner;
  const folder = await mkdtemp(join(config.folder, 'task-'));
  try {
    const pieces: Buffer[] = [];
    const { code } = await runChild({
      binary: config.binary,
      args,
      env: { TMPDIR: folder, ...(await readChildEnv(config, ownEnv)) },
      folder,
      signal,
      milliseconds: questionMilliseconds,
      residentBytes: config.limits.residentBytes,
      print: (piece) => pieces.push(piece),
    });
    return code === 0 ? Buffer.concat(pieces).toString('utf8') : '';
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads the JSON among what a connector printed: its log may stand before it. */
function readCapabilities(text: string): ConnectorCapabilities {
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('\n{', at) + 1 || -1) {
    try {
      const json = JSON.parse(text.slice(at)) as JsonValue;
      return fromJson(ConnectorCapabilitiesSchema, json, { ignoreUnknownFields: true });
    } catch {
      // A line of its log.
    }
  }
  return fromJson(ConnectorCapabilitiesSchema, {});
}

function narrow(said: ConnectorCapabilities): ConnectorCapabilities {
  const known = (list: readonly Capability[]): Capability[] => ours.filter((one) => one === Capability.SYNC || list.includes(one));
  return {
    ...said,
    connectorCapabilities: known(said.connectorCapabilities),
    resourceTypeCapabilities: said.resourceTypeCapabilities.map((one) => ({
      ...one,
      capabilities: ours.filter((capability) => one.capabilities.includes(capability)),
    })),
  };
}
