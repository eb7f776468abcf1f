/** `countersign login` and `logout`: a credential of the command line's own, confirmed in a browser, and kept where the other commands find it. */
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { awaitDevice, beginDevice } from '../../client/device.ts';
import { type Client, ClientError, createClient } from '../../client/index.ts';
import { PersonalClientService } from '../../gen/c1/api/iam/v1/personal_client_service_pb.js';
import { SessionService } from '../../gen/countersign/v1/sessions_pb.js';
import type { Commands } from '../frame/commands.ts';
import { serverUrl, withJson } from '../frame/connect.ts';
import { lifespanOption, lifespans } from '../people/credential.ts';
import { CommandFailure, type CommandIo, writeLines } from '../frame/io.ts';
import { readVersion } from '../../lib/version.ts';
import { openBrowser } from './open-browser.ts';
import { findStored, forgetCredential, requirePlace, storeCredential, type StoredCredential } from './stored.ts';

/** Adds `login`. */
export function addLoginCommand(program: Commands): void {
  program.run('login', {
    description: 'sign in with a browser, and keep a credential for the other commands',
    shared: withJson,
    operands: { '[url]': 'URL of the server; COUNTERSIGN_URL (default: the server of the last login, else http://localhost:8080)' },
    options: { '--no-browser': 'print the address alone, and open no browser', ...lifespanOption },
    act: async ({ url, browser, expires }, { io }) => {
      const server = serverUrl(io, url);
      requirePlace(io.env);
      const client = createClient({ url: server, token: await signIn(io, server, browser === true) });
      const former = findFormer(io, server);
      const made = await makeCredential(client, expires);
      const kept = storeCredential(io.env, server, made.credential);
      await endSession(client);
      await revoke(server, former).catch(() => undefined);
      const { clientId, credentialId } = made.credential;
      const until = made.expiresAt === undefined ? '' : `, until ${made.expiresAt.slice(0, 10)}`;
      return {
        json: { url: server, id: credentialId, clientId, expiresAt: made.expiresAt, keptIn: kept },
        text: `Signed in to ${server}${until}. The secret is in ${kept}.`,
      };
    },
  });
}

/** Adds `logout`. */
export function addLogoutCommand(program: Commands): void {
  program.run('logout', {
    description: 'revoke the credential of the last login, and forget it',
    shared: withJson,
    operands: { '[url]': 'URL of the server; COUNTERSIGN_URL (default: the server of the last login)' },
    act: async ({ url }, { io }) => {
      const server = serverUrl(io, url);
      const stored = findStored(io.env, server);
      forgetCredential(io.env, server);
      if (stored === undefined) {
        throw new CommandFailure(`nobody is signed in to ${server} here`);
      }
      const revoked = await revoke(server, stored);
      return {
        json: { url: server, id: stored.credentialId, revoked },
        text: `Signed out of ${server}. ${revoked ? 'The credential is revoked.' : 'The credential had ended before.'}`,
      };
    },
  });
}

/** Finds the replaced credential; one whose secret the keyring no longer gives ends by itself. */
function findFormer(io: CommandIo, server: string): StoredCredential | undefined {
  try {
    return findStored(io.env, server);
  } catch {
    return undefined;
  }
}

async function signIn(io: CommandIo, server: string, mayOpen: boolean): Promise<string> {
  const agent = `countersign/${readVersion()} on ${hostname()}`;
  const begun = await beginDevice(server, agent);
  writeLines(io.stderr, `Open ${begun.address}`, `and compare the code: ${begun.userCode}`);
  if (mayOpen && io.stderr.isTTY === true) {
    openBrowser(begun.address);
  }
  return awaitDevice(server, begun, agent, async (seconds) => {
    try {
      await sleep(seconds * 1000, undefined, { signal: io.signal });
    } catch {
      throw new CommandFailure('stopped; nothing was signed in');
    }
  });
}

async function makeCredential(
  client: Client,
  expires: keyof typeof lifespans,
): Promise<{ credential: StoredCredential; expiresAt: string | undefined }> {
  const lifespan = lifespans[expires];
  const made = await client.call(PersonalClientService.method.create, {
    displayName: `command line on ${hostname()}`,
    ...(lifespan === undefined ? {} : { expires: lifespan }),
  });
  const { id: credentialId = '', clientId = '', expiresTime } = made.client ?? {};
  return { credential: { credentialId, clientId, clientSecret: made.clientSecret ?? '' }, expiresAt: expiresTime };
}

/** The session was for making the credential. Should this fail, it ends by itself. */
async function endSession(client: Client): Promise<void> {
  try {
    const { session } = await client.call(SessionService.method.get, {});
    await client.call(SessionService.method.delete, { id: session?.id ?? '' });
  } catch (error) {
    if (!(error instanceof ClientError)) {
      throw error;
    }
  }
}

/** Revokes a credential with itself and says whether it was still good. */
async function revoke(server: string, stored: StoredCredential | undefined): Promise<boolean> {
  if (stored === undefined) {
    return false;
  }
  try {
    await createClient({ url: server, credential: stored }).call(PersonalClientService.method.delete, { id: stored.credentialId });
    return true;
  } catch (error) {
    if (error instanceof ClientError && (error.status === 401 || error.status === 404)) {
      return false;
    }
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(`the credential is forgotten here and could not be revoked there (${why}): revoke it in the console`);
  }
}
