/**
 * Bundles of evidence made without a service: of any size, and by somebody who has the key of the log, so that they can lie in one thing and have
 * every hash, sum and seal right. Bundles of the service have the same members, of which those are left out here that are empty.
 */
import { hash } from 'node:crypto';
import { canonicalJson } from '../../src/lib/log/canonical-json.ts';
import { signCheckpoint } from '../../src/lib/log/checkpoint.ts';
import { commitment } from '../../src/lib/log/commitment.ts';
import { writeLogProof } from '../../src/lib/log/log-proof.ts';
import { appendLeaves, computeRoot, emptyFrontier, hashLeaf } from '../../src/lib/log/merkle.ts';
import { assembleProof, consistencyParts, inclusionParts, type Subtree } from '../../src/lib/log/merkle-proof.ts';
import { createNoteSigner } from '../../src/lib/log/signed-note.ts';
import {
  Rows,
  accountOf,
  app,
  at,
  entitlementOf,
  entitlements,
  eventOfItem,
  id,
  itemId,
  madeScope,
  ofEach,
  ofEvent,
  origin,
  perEvent,
  personOf,
  review,
  salt,
  scopeText,
  source,
  tenant,
  verdictOn,
} from './made-rows.ts';
import { openBundle } from './bundle-writer.ts';

/** Size of a bundle, and what it lies about. */
export interface MadeBundle {
  readonly accounts: number;
  /** Entitlements that each account holds. */
  readonly each: number;
  /** Decisions that one event records. */
  readonly together: number;
  /** The verdict to write for the grant with this number, where it is another than the rules give. */
  readonly lie?: (grant: number, verdict: string) => string;
  /** Disputed records of people by source, as the event of the snapshot has them and as the sums name them. */
  readonly disputed?: { readonly logged: Readonly<Record<string, number>>; readonly named: Readonly<Record<string, number>> };
  /** The scope to write into the bundle, where it is another than the log has the hash of. */
  readonly otherScope?: object;
  /** Lines of log/anchors.jsonl, for the checkpoint of the bundle. */
  readonly anchors?: (checkpoint: { readonly size: number; readonly root: Buffer; readonly text: string }) => readonly object[];
}

/** Makes a bundle at a path; returns its vkey, how many items it has and how many bytes its files have. */
export async function makeBundle(
  path: string,
  made: MadeBundle,
): Promise<{ readonly vkey: string; readonly items: number; readonly bytes: number }> {
  const { accounts, each, together, lie = (_, verdict) => verdict, disputed } = made;
  const { write, store, finish, hashes, files } = openBundle(path);
  const events: string[] = [];
  const leaves: Buffer[] = [];
  const addEvent = (eventId: string, kind: string, data: object): string => {
    const content = { data, ip: '' };
    const leaf = {
      actor: { credential: '', id: '', issuer: '', kind: 'system' },
      at,
      content: commitment(salt, content).toString('hex'),
      id: eventId,
      kind,
      request: '',
      review: { id: review, number: leaves.length + 1, previous: leaves.length - 1 },
      target: { id: review, type: 'access_review' },
      tenant,
      v: 1,
      written: '2026-11-27T00:00:00.000000Z',
    };
    const text = canonicalJson(leaf as never);
    const line = `{"content":${canonicalJson(content as never)},"leaf":${text},"position":${leaves.length},"salt":"${salt.toString('hex')}"}`;
    leaves.push(hashLeaf(Buffer.from(text)));
    events.push(line);
    return line;
  };
  const members = { ...madeScope, ...made.otherScope };
  await write('README.html', '<p>Made for a test.</p>');
  await write('review.json', canonicalJson({ id: review, scope: members, scopeText: scopeText(members), takenAt: at } as never));

  const digests: Record<string, Rows> = { review_people: new Rows(), review_entitlements: new Rows(), review_accounts: new Rows() };
  await write(
    'people.jsonl',
    ofEach(accounts, (number) =>
      digests['review_people']!.add(
        canonicalJson({ id: id('Person', number), commitment: commitment(salt, personOf(number)).toString('hex') }),
      ),
    ),
  );
  await write(
    'people-details.jsonl',
    ofEach(accounts, (number) => canonicalJson({ id: id('Person', number), person: personOf(number), salt: salt.toString('hex') })),
  );
  await write(
    'population/entitlements.jsonl',
    ofEach(entitlements, (number) =>
      digests['review_entitlements']!.add(
        canonicalJson({
          app,
          appAccess: false,
          appName: 'Made',
          carrier: false,
          chosen: number % 30 !== 0,
          description: '',
          excluded: false,
          frameworks: [],
          givenByExcluded: [],
          givenByIncluded: [],
          id: id('Entitlement', number),
          name: `role ${number}`,
          policy: 'policy',
          resource: 'Roles',
          resourceId: 'resource',
          resourceType: 'role',
          resourceTypeId: 'type',
          risk: '',
        }),
      ),
    ),
  );
  await write(
    'population/accounts.jsonl',
    ofEach(accounts, (number) =>
      digests['review_accounts']!.add(
        canonicalJson({
          accessProfiles: [],
          app,
          commitment: commitment(salt, accountOf(number)).toString('hex'),
          external: false,
          id: id('Account', number),
          kind: 'A',
          owner: id('Person', number),
          status: number % 20 === 2 ? 'DISABLED' : 'ENABLED',
          type: number % 40 === 1 ? 'SERVICE_ACCOUNT' : 'USER',
          verdict: verdictOn(number, 1),
        }),
      ),
    ),
  );
  await write(
    'population/account-details.jsonl',
    ofEach(accounts, (number) => canonicalJson({ account: accountOf(number), app, id: id('Account', number), salt: salt.toString('hex') })),
  );
  const excluded: Record<string, number> = {};
  const asked: number[] = [];
  await write(
    'population/grants.jsonl',
    ofEach(accounts * each, (number) => {
      const [account, entitlement] = [Math.floor(number / each), entitlementOf(number, each)];
      const verdict = lie(number, verdictOn(account, entitlement));
      if (verdict === 'IN') {
        asked.push(number);
      } else {
        excluded[verdict] = (excluded[verdict] ?? 0) + 1;
      }
      return canonicalJson({
        account: id('Account', account),
        app,
        endsAt: null,
        entitlement: id('Entitlement', entitlement),
        firstSeenAt: at,
        grantedAt: '2025-01-01T00:00:00.000Z',
        held: 'DIRECT',
        kind: 'A',
        lastUsedAt: null,
        revision: 1,
        source,
        verdict,
      });
    }),
  );
  addEvent('0Snapshot', 'review.snapshot_taken', {
    evidence: Object.fromEntries(Object.entries(digests).map(([table, rows]) => [table, rows.said()])),
    ...(disputed && {
      peopleSources: Object.entries(disputed.logged).map(([sourceId, count]) => ({ disputed: count, displayName: 'People', sourceId })),
    }),
  });
  const groups: Rows[] = [];
  await write(
    'items.jsonl',
    ofEach(asked.length, (number) => {
      const grant = asked[number]!;
      const group = ofEvent(groups, Math.floor(number / perEvent));
      return group.add(
        canonicalJson({
          account: id('Account', Math.floor(grant / each)),
          app,
          asked: [id('Person', 1)],
          entitlement: id('Entitlement', entitlementOf(grant, each)),
          item: itemId(number),
          number: number + 1,
          policy: 'policy',
          reason: 'MANAGER',
        }),
      );
    }),
  );
  for (const [group, rows] of groups.entries()) {
    addEvent(eventOfItem(group * perEvent), 'review.tasks_made', { evidence: { tasks: rows.said() } });
  }
  addEvent('0Prepared', 'review.prepared', { inputHash: hash('sha256', scopeText(madeScope), 'hex') });
  const isDenied = (number: number): boolean => number % 50 === 0;
  const decided: Rows[] = [];
  await write(
    'decisions.jsonl',
    ofEach(asked.length, (number) => {
      const rows = ofEvent(decided, Math.floor(number / together));
      return rows.add(
        canonicalJson({
          action: id('Action', number),
          at,
          by: id('Person', 1),
          comment: number % 20 === 0 ? commitment(salt, `Comment ${number}`).toString('hex') : null,
          credential: '',
          data: { assignmentId: '32e30b79899b8db2cd578e9aa59', outcome: isDenied(number) ? 'DECERTIFIED' : 'CERTIFIED' },
          event: id('Decided', Math.floor(number / together)),
          issuer: '',
          item: itemId(number),
          kind: isDenied(number) ? 'DENIED' : 'APPROVED',
          step: 0,
          stepGeneration: 0,
          submission: '',
        }),
      );
    }),
  );
  for (const [group, rows] of decided.entries()) {
    addEvent(id('Decided', group), 'task.approved', { evidence: { task_actions: { form: 2, ...rows.said() } } });
  }
  const counted = (count: number, isWanted: (number: number) => boolean): number[] =>
    [...ofEach(count, (number) => number)].filter(isWanted);
  await write(
    'comments.jsonl',
    counted(asked.length, (number) => number % 20 === 0).map((number) =>
      canonicalJson({ action: id('Action', number), salt: salt.toString('hex'), text: `Comment ${number}` }),
    ),
  );
  await write(
    'outcomes.jsonl',
    ofEach(asked.length, (number) =>
      canonicalJson({
        endReason: 'DECIDED',
        endedAt: at,
        item: itemId(number),
        outcome: isDenied(number) ? 'DECERTIFIED' : 'CERTIFIED',
        state: 'CLOSED',
      }),
    ),
  );
  const denied = counted(asked.length, isDenied);
  await write(
    'revocations.jsonl',
    denied.map((number) =>
      canonicalJson({
        claimedBy: '',
        claimedIssuer: '',
        id: itemId(number),
        item: itemId(number),
        requestedAt: at,
        state: 'PENDING',
        stateAt: at,
        verifiedBy: '',
        verifiedRevision: null,
      }),
    ),
  );
  await write(
    'completeness.json',
    canonicalJson({
      apps: [
        {
          app,
          byHand: 0,
          changedSinceSync: 0,
          derived: 0,
          excluded,
          inScope: asked.length,
          links: 0,
          live: { [source]: accounts * each },
          liveAtRevision: accounts * each,
        },
      ],
      ...(disputed && { disputed: disputed.named }),
      items: asked.length,
      outcomes: { CERTIFIED: asked.length - denied.length, DECERTIFIED: denied.length },
      revision: 1,
      revocations: { PENDING: denied.length },
    }),
  );

  await write('log/events.jsonl', [...events]);
  const signer = createNoteSigner(origin, Buffer.alloc(32, 3));
  const own = { origin, size: leaves.length, root: appendLeaves(emptyFrontier, leaves).root };
  const parts = [
    ...ofEach(Math.ceil(leaves.length / 256), (number) => ({
      leaves: Buffer.concat(leaves.slice(256 * number, 256 * (number + 1))).toString('base64'),
      start: 256 * number,
    })),
  ];
  await write('log/tree.jsonl', parts.map(canonicalJson));
  const note = signCheckpoint([signer], own);
  await write(
    'log/anchors.jsonl',
    (made.anchors?.({ ...own, text: note.slice(0, note.indexOf('\n\n') + 1) }) ?? []).map((anchor) => canonicalJson(anchor as never)),
  );
  await write('log/checkpoint', note);
  await write('keys/policy.txt', `log ${signer.key.vkey}\nquorum none\n`);

  const list = hashes.join('');
  const manifest = canonicalJson({
    v: 1,
    format: 'countersign-evidence',
    product: 'Made',
    origin,
    tenant,
    review,
    madeAt: at,
    counts: {},
    files,
    hashesSha256: hash('sha256', list, 'hex'),
  } as never);
  await store('hashes.jsonl', list);
  await store('manifest.json', manifest);
  const index = leaves.length;
  const seal = addEvent('0Seal', 'review.evidence_sealed', { manifest: hash('sha256', manifest, 'hex') });
  const sealed = { origin, size: leaves.length, root: appendLeaves(emptyFrontier, leaves).root };
  const hashOf = ({ height, index: place }: Subtree): Buffer => computeRoot(leaves.slice(place * 2 ** height, (place + 1) * 2 ** height));
  await store('seal/event.json', seal);
  await store(
    'seal/proof.tlog-proof',
    writeLogProof({
      index,
      proof: assembleProof(inclusionParts(index, sealed.size), hashOf),
      note: Buffer.from(signCheckpoint([signer], sealed)),
    }),
  );
  await store(
    'seal/consistency.json',
    canonicalJson({
      first: own.size,
      second: sealed.size,
      proof: assembleProof(consistencyParts(own.size, sealed.size), hashOf).map((one) => one.toString('base64')),
    }),
  );
  await finish();
  return { vkey: signer.key.vkey, items: asked.length, bytes: files.reduce((sum, one) => sum + one.bytes, 0) };
}
