/** Hosts of connectors: what each says of itself is kept, and an event is written where it is new. */
import { AppError } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { countHosts, findHost, type HostFacts, removeOldestHost, touchHost, writeHost } from './store-hosts.ts';

/** Hosts that are remembered of a source. A connector in containers gets a new id with each start. */
const maxHosts = 100;
const maxIdLength = 200;
const maxTextLength = 200;
const maxCapabilities = 50;
const maxTypes = 500;

/** The source whose connector speaks. */
export interface SpeakingSource {
  readonly id: string;
  readonly appId: string;
  readonly pausedAt: Date | null;
}

/** Refuses what is no id of a host. */
export function requireHostId(hostId: string): void {
  if (hostId === '' || hostId.length > maxIdLength || hostId.includes('\0')) {
    throw new AppError('INVALID_ARGUMENT', `host_id must have 1 to ${maxIdLength} characters.`);
  }
}

const cut = (text: string): string => text.replaceAll('\0', '').slice(0, maxTextLength);

function bound(facts: HostFacts): HostFacts {
  const types = Object.entries(facts.typeCapabilities).slice(0, maxTypes);
  return {
    hostId: facts.hostId,
    hostname: cut(facts.hostname),
    platform: cut(facts.platform),
    package: cut(facts.package),
    packageVersion: cut(facts.packageVersion),
    capabilities: facts.capabilities.slice(0, maxCapabilities),
    typeCapabilities: Object.fromEntries(types.map(([type, names]) => [cut(type), names.slice(0, maxCapabilities)])),
  };
}

/** Keeps what a host says of itself. */
export function greetHost(context: Context, source: SpeakingSource, said: HostFacts): Promise<void> {
  requireHostId(said.hostId);
  const facts = bound(said);
  return inTransaction(context, async (inside) => {
    const before = await findHost(inside, source.id, facts.hostId);
    await makeRoom(inside, source.id, before !== undefined);
    await writeHost(inside, source.id, facts.hostId, facts);
    const { hostId, hostname, package: program, packageVersion, capabilities } = facts;
    const isSame =
      before !== undefined &&
      before.greetedAt !== null &&
      before.hostname === hostname &&
      before.package === program &&
      before.packageVersion === packageVersion &&
      JSON.stringify(before.capabilities) === JSON.stringify(capabilities);
    if (!isSame) {
      await recordEvent(inside, {
        kind: 'connector.hello',
        targetId: source.id,
        data: { appId: source.appId, hostId, hostname, package: program, packageVersion, capabilities },
      });
    }
  });
}

async function makeRoom(context: Context, sourceId: string, isKnown: boolean): Promise<void> {
  if (!isKnown && (await countHosts(context, sourceId)) >= maxHosts) {
    await removeOldestHost(context, sourceId);
  }
}

/** Notes that a host asked for work. It may do so before it says what it is. */
export async function noteHost(context: Context, sourceId: string, hostId: string): Promise<void> {
  requireHostId(hostId);
  if (!(await touchHost(context, sourceId, hostId))) {
    await inTransaction(context, async (inside) => {
      await makeRoom(inside, sourceId, false);
      await writeHost(inside, sourceId, hostId, undefined);
    });
  }
}
