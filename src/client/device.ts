/** Signing a program in from a terminal (RFC 8628): asks for a code, and then for the session until a person has confirmed it in a browser. */
import { ClientError, readError, readJson } from './error.ts';
import { reach } from './token.ts';

/** A sign-in that waits for a person. */
export interface DeviceCode {
  /** Code the person compares. */
  readonly userCode: string;
  /** Page to compare it on. */
  readonly address: string;
  readonly deviceCode: string;
  readonly expiresInSeconds: number;
  readonly intervalSeconds: number;
}

const clientId = 'countersign';
const grantType = 'urn:ietf:params:oauth:grant-type:device_code';
/** The server asks with `slow_down` for so much more between two questions. */
const slowerSeconds = 5;

function post(url: string, fields: Record<string, string>, agent: string): Promise<Response> {
  return reach(fetch, url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': agent },
    body: new URLSearchParams(fields),
  });
}

/** Asks the server at `url` for a code. `agent` names the program to the person. */
export async function beginDevice(url: string, agent: string): Promise<DeviceCode> {
  const response = await post(`${url}/auth/v1/device_authorization`, { client_id: clientId }, agent);
  if (response.status !== 200) {
    throw await readError(response);
  }
  const reply = (await readJson(response)) as Record<string, string | number>;
  return {
    userCode: String(reply['user_code']),
    address: String(reply['verification_uri_complete']),
    deviceCode: String(reply['device_code']),
    expiresInSeconds: Number(reply['expires_in']),
    intervalSeconds: Number(reply['interval']),
  };
}

/** Waits for the person and returns the access token; ClientError where they refuse or the time is over. `wait` takes seconds. */
export async function awaitDevice(
  url: string,
  { deviceCode, intervalSeconds, expiresInSeconds }: DeviceCode,
  agent: string,
  wait: (seconds: number) => Promise<void>,
): Promise<string> {
  let pause = intervalSeconds;
  for (let waited = 0; waited < expiresInSeconds; waited += pause) {
    await wait(pause);
    const fields = { grant_type: grantType, client_id: clientId, device_code: deviceCode };
    const response = await post(`${url}/auth/v1/token`, fields, agent);
    if (response.status === 200) {
      return String(((await readJson(response)) as { access_token: string }).access_token);
    }
    const error = await readError(response);
    if (error.code === 'slow_down') {
      pause += slowerSeconds;
    } else if (error.code !== 'authorization_pending') {
      throw error;
    }
  }
  throw new ClientError('nobody confirmed the code in time', { status: 0, code: 'expired_token' });
}
