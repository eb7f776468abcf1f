/** A world whose reviews ask for signatures: a real OpenID Connect provider, and a real time stamp server whose root the operator named. */
import type { ServeConfig } from '../../src/config/read-config.ts';
import type { Answer, Loose } from './api.ts';
import { type Browser, type IdentityProvider, openBrowser, startIdentityProvider } from './identity-provider.ts';
import type { TestPerson, TestServer } from './server.ts';
import { requestWith, signIn } from './sign-in.ts';
import { startTimeStampServer, type TimeStampService } from './time-stamp-server.ts';
import { startWorld } from './world-server.ts';
import { adminOf, type World } from './world.ts';

export const meaning = 'I have reviewed this access and take responsibility for these decisions.';
export const acr = 'urn:example:mfa';

/** Tools of the tests. */
export interface SigningTest {
  readonly server: TestServer;
  readonly world: World;
  readonly idp: IdentityProvider;
  readonly tsa: TimeStampService;
  readonly providerId: string;
  /** A browser in which the assignee is signed in, and what it sends. */
  readonly browser: Browser;
  send(method: string, path: string, body?: unknown): Promise<Answer>;
  admin(method: string, path: string, body?: unknown): Promise<Loose>;
  /** An open review that asks for signatures, and ids of tasks that the assignee is asked; `config` says what is different. */
  openSigned(config?: object): Promise<{ reviewId: string; taskIds: string[] }>;
  /** Prepares a signature of the assignee of these decisions. */
  prepare(reviewId: string, decisions: readonly object[]): Promise<Loose>;
  /** Goes to the provider and comes back; says where the browser ends. */
  stepUp(redirectUrl: string): Promise<URL>;
  stop(): Promise<void>;
}

/** The decisions of these tasks, all to certify but the first. */
export function decide(taskIds: readonly string[]): object[] {
  return taskIds.map((taskId, at) =>
    at === 0
      ? { taskId, decision: 'REVIEW_DECISION_DENY', comment: 'Left the team.' }
      : { taskId, decision: 'REVIEW_DECISION_CERTIFY', comment: '' },
  );
}

/** Signs somebody in with a browser of their own. */
export async function browse(server: TestServer, person: Pick<TestPerson, 'id'>): Promise<Browser> {
  const cookie = await signIn(server, person.id);
  const browser = openBrowser(server);
  const [name = '', value = ''] = cookie.split(/=(.*)/);
  browser.cookies.set(new URL(server.url).origin, new Map([[name, value]]));
  return browser;
}

/** Starts it all; call `stop` in afterAll. `config` says what the operator set beside the roots of time stamp servers. */
export async function startSigning(config: Partial<ServeConfig> = {}): Promise<SigningTest> {
  const tsa = await startTimeStampServer('ec');
  const idp = await startIdentityProvider();
  const { server, world } = await startWorld({ allowsLocalIssuers: true, config: { timeStampRootsFile: tsa.rootFile, ...config } });
  const admin = adminOf(server);
  const { clientId, clientSecret, issuer: issuerUrl } = idp;
  const oauth2 = { acrValues: [acr] };
  const made = await admin('POST', '/api/v1/step-up/providers', { displayName: 'Company', clientId, clientSecret, issuerUrl, oauth2 });
  const providerId: string = made.stepUpProvider.id;
  idp.allow(`${server.url}/auth/step-up/callback`);
  idp.account = { sub: 'p01', email: 'p01@world.example', email_verified: true };
  idp.acr = acr;
  const browser = await browse(server, world.assignee);
  const send = (method: string, path: string, body?: unknown): Promise<Answer> =>
    requestWith(server, browser.header(server), method, path, body);
  return {
    ...{ server, world, idp, tsa, providerId, browser, send, admin },
    async openSigned(config = {}) {
      const asked = { requireSignature: true, meaningOfSignature: meaning, stepUpProviderId: providerId, tspUrl: `${tsa.url}/stamp` };
      const reviewId = await world.openReview({ signatureConfig: { ...asked, ...config } });
      const search = await send('POST', '/api/v1/search/tasks', {
        accessReviewIds: [reviewId],
        taskStates: ['TASK_STATE_OPEN'],
        pageSize: 100,
      });
      return { reviewId, taskIds: search.body.list.map(({ task }: Loose) => task.id) };
    },
    async prepare(reviewId, decisions) {
      const answer = await send('POST', `/api/v1/access_review/${reviewId}/submissions`, { decisions });
      if (answer.status !== 200) {
        throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
      }
      return answer.body.signature;
    },
    async stepUp(redirectUrl) {
      // The provider knows nobody from before.
      browser.cookies.delete(new URL(idp.issuer).origin);
      return new URL((await browser.visit(redirectUrl, /\/signatures\/|\/settings\//)).at(-1) ?? '');
    },
    async stop() {
      await server.stop();
      await Promise.all([idp.stop(), tsa.close()]);
    },
  };
}
