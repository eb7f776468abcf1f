/**
 * Two tenants, credentials of theirs, and the part of the program that issues and checks tokens, on a clock that is moved: for the tests
 * of tokens on a real database. Each file gets a database of its own.
 */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import {
  createCredential,
  type CreatedCredential,
  type NewCredential,
} from '../../src/foundation/credentials/clients/create-credential.ts';
import { createTokens, type Tokens } from '../../src/foundation/credentials/tokens/tokens.ts';
import type { Tenant } from '../../src/foundation/tenants/index.ts';
import { type Context, noReactions, silentLogger } from '../../src/context.ts';
import { assertionClaims, keyOfSecret, signJwt } from './assertions.ts';
import { frozenNow, openTwoTenants, type TwoTenants } from './tenants.ts';

/** The label in every secret of theirs. */
export const secretLabel = 'conductorone.com';

/** Origin of requests, unless a test says otherwise. */
export const origin = { sourceIp: '192.0.2.1', requestId: 'r1' };

/** Tools of the tests. */
export class TokenTest {
  two!: TwoTenants;
  tokens!: Tokens;
  /** Milliseconds since 1970. */
  clock = frozenNow.getTime();

  readonly move = (seconds: number): void => {
    this.clock += seconds * 1000;
  };
  /** Another process with the same database. */
  readonly openTokens = (more: { readonly mailsLinks?: boolean } = {}): Tokens =>
    createTokens({
      database: this.two.database,
      log: silentLogger,
      react: noReactions,
      now: () => new Date(this.clock),
      ...more,
    });
  readonly at = (context: Context): Context => ({ ...context, now: new Date(this.clock) });
  readonly make = (context = this.two.ours.basic, input: Partial<NewCredential> = {}): Promise<CreatedCredential> =>
    createCredential(this.at(context), { displayName: 'k', ...input, userId: context.actor.userId, secretLabel });
  readonly issue = (of: CreatedCredential, tenant: Tenant = this.two.ours.tenant, from = origin, secret = of.secret) =>
    this.tokens.issue(tenant, { clientId: of.row.clientId, proof: 'secret', secret }, from);
  readonly tokenOf = async (of: CreatedCredential): Promise<string> => {
    const result = await this.issue(of);
    if ('error' in result) {
      throw new Error(result.description);
    }
    return result.accessToken;
  };
  readonly assertion = (of: CreatedCredential, more: object = {}): string =>
    signJwt(keyOfSecret(of.secret), { ...assertionClaims(of.row.clientId, 'ours.example', new Date(this.clock)), ...more });
  readonly present = (of: CreatedCredential, text: string, tokens = this.tokens, from = origin) =>
    tokens.issue(this.two.ours.tenant, { clientId: of.row.clientId, proof: 'assertion', assertion: text }, from);
  readonly check = (token: string, tokens = this.tokens, tenant = this.two.ours.tenant, from = origin) => tokens.check(tenant, token, from);
}

/** Opens it before the tests of a file, with fresh tokens for each test. */
export function useTokens(): TokenTest {
  const test = new TokenTest();
  beforeAll(async () => {
    test.two = await openTwoTenants();
  });
  beforeEach(() => {
    test.tokens = test.openTokens();
  });
  afterEach(() => test.tokens.close());
  afterAll(() => test.two.close());
  return test;
}
