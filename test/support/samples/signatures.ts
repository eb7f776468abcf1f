/** Sample requests of the operations about signatures and step-ups: of the assignee, in the open review of a World, whose provider is gone. */
import type { Kind } from '../kinds/kind.ts';
import type { World } from '../world.ts';
import type { MakeSample } from './sample.ts';

const provider = (displayName: string) => ({
  displayName,
  clientId: 'countersign',
  clientSecret: 'secret',
  issuerUrl: 'https://login.example.com',
  oauth2: { acrValues: ['urn:example:mfa'] },
});

async function makeProvider(world: World): Promise<{ path: { id: string } }> {
  const { body } = await world.call(world.tenant.admin, 'POST', '/api/v1/step-up/providers', provider('Company'));
  return { path: { id: body.stepUpProvider.id } };
}

const ofSignature: MakeSample = (world) => ({ path: { id: world.notes.signatureId ?? '' } });

/** Twelve of each, so that lists have more than one page. */
export async function fill(world: World): Promise<void> {
  const { db, tenantId, now } = world.tenant.system();
  const values = [tenantId, world.openId, world.assignee.id, now];
  // Like ids, of this tenant alone: the ends of ids differ even where the clock stood still, their beginnings do not.
  const prefix = tenantId.slice(3);
  await db.run(
    `INSERT INTO signatures (tenant_id, id, review_id, user_id, credential_id, state, submission_id, record, record_sha256, person, person_salt,
       comment_salts, request, idempotency_key, request_digest, printed_name, meaning, certified, denied, provider_id, tsp_url, prepared_at, expires_at)
     SELECT $1, '${prefix}S' || n, $2, $3, '', 'PREPARED', 'submission-' || n, '{}', '', '{}', '', '{}', '{"reviewName": "Review"}', '', '', 'Person 01',
       'I looked', 1, 0, 'gone', '', $4, $4::timestamptz + interval '7 days' FROM generate_series(10, 21) n`,
    values,
  );
  await db.run(
    `INSERT INTO step_up_transactions (tenant_id, id, provider_id, user_id, session_id, state, signature_id, task_id, policy_step_id, state_hash,
       nonce, code_verifier, created_at, updated_at, expires_at)
     SELECT $1, '${prefix}T' || n, 'gone', $3, '', 'PENDING', '${prefix}S' || n, '', $2::text || '-1', sha256(n::text::bytea), '', '', $4::timestamptz - interval '1 day', $4, $4
       FROM generate_series(10, 21) n`,
    values,
  );
  for (let count = 0; count < 12; count++) {
    await makeProvider(world);
  }
  Object.assign(world.notes, { signatureId: `${prefix}S10`, transactionId: `${prefix}T10` });
}

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'SignatureService.get': ofSignature,
  'SignatureService.list': (world) => ({ path: { access_review_id: world.openId } }),
  'SignatureService.stepUp': ofSignature,
  'SignatureService.sign': ofSignature,
  // Nobody is asked where the operator named no roots.
  'SignatureService.testTimeStampServer': () => ({ fields: { url: 'https://tsa.example.com' } }),
  'StepUpTransactionService.get': (world) => ({ path: { id: world.notes.transactionId ?? '' } }),
  'StepUpTransactionService.search': () => ({}),
  'StepUpProviderService.create': () => ({ fields: provider('Another') }),
  'StepUpProviderService.delete': makeProvider,
  'StepUpProviderService.get': makeProvider,
  'StepUpProviderService.list': () => ({}),
  'StepUpProviderService.search': () => ({ fields: { query: 'comp' } }),
  // One that is disabled is not asked.
  'StepUpProviderService.test': async (world) => {
    const { path } = await makeProvider(world);
    const body = { stepUpProvider: { enabled: false }, updateMask: 'enabled' };
    await world.call(world.tenant.admin, 'POST', `/api/v1/step-up/providers/${path.id}`, body);
    return { path };
  },
  'StepUpProviderService.update': async (world) => ({
    ...(await makeProvider(world)),
    fields: { stepUpProvider: { displayName: 'Changed' }, updateMask: 'displayName' },
  }),
  'StepUpProviderService.updateSecret': async (world) => ({ ...(await makeProvider(world)), fields: { clientSecret: 'new' } }),
};

/** Their provider is gone or disabled. */
export const refused: readonly string[] = ['SignatureService.stepUp', 'SignatureService.sign', 'StepUpProviderService.test'];

/** Providers are made, listed and deleted. */
export const kinds: readonly Kind[] = [
  {
    name: 'step-up provider',
    at: 'stepUpProvider',
    create: 'StepUpProviderService.create',
    make: (_stage, label) => ({ fields: provider(`Provider ${label}`) }),
    path: (_stage, { id }) => ({ id }),
    get: 'StepUpProviderService.get',
    lists: ['StepUpProviderService.list'],
    searches: { 'StepUpProviderService.search': ({ displayName }) => ({ query: displayName }) },
    remove: 'StepUpProviderService.delete',
  },
];
