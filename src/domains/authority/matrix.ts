/**
 * The page docs/authority.md: every operation of the contract by everybody there is. `npm run generate` writes it, and a test says when it is
 * stale. What is written is what `expectedAnswer` says.
 */
import type { Actor, ActorKind, RoleName } from '../../context.ts';
import { describeDoors } from './doors.ts';
import { type Authority, type Expected, expectedAnswer, type Standing } from './objects.ts';
import { holds } from './permissions.ts';
import { describeSights, type SightKind, seesAccountWhole, seesAppWhole, seesPersonWhole, seesPoliciesWhole } from './sight.ts';

/** An operation as the page lists it. */
export interface ListedOperation extends Authority {
  /** Service and method: AccessReviewService.get. */
  readonly name: string;
}

/** Somebody who has a column on the page. */
interface Column {
  readonly title: string;
  readonly actor: Actor;
  readonly standing: Standing;
  /** True if the sign-in of their session is older than ten minutes. */
  readonly isStale?: boolean;
}

/** An actor of a kind with these roles, as far as authority asks. */
export function actorOfKind(kind: ActorKind, roles: readonly RoleName[], issuedMayAnswer?: boolean): Actor {
  const known = { userId: 'somebody', credentialId: '', issuerId: '', sourceIp: '', requestId: '' };
  return { ...known, kind, roles: new Set(roles), ...(issuedMayAnswer === undefined ? {} : { issuedMayAnswer }) };
}

const person = (title: string, standing: Standing, ...roles: RoleName[]): Column => ({
  title,
  actor: actorOfKind('session', ['BASIC_USER', ...roles]),
  standing,
});

const columns: readonly Column[] = [
  person('Super Administrator', 'SUPER', 'SUPER_ADMINISTRATOR'),
  person('Campaign Administrator', 'CAMPAIGN', 'CAMPAIGN_ADMINISTRATOR'),
  person('Read-Only Administrator', 'READER', 'READ_ONLY_ADMINISTRATOR'),
  person('Owner', 'OWNER'),
  person('Reviewer', 'REVIEWER'),
  person('Subject', 'SUBJECT'),
  person('App owner', 'APP_OWNER'),
  person('Source owner', 'SOURCE_OWNER'),
  person('Basic User', 'OTHER'),
  { ...person('Older session', 'SUPER', 'SUPER_ADMINISTRATOR'), isStale: true },
  { title: 'Reading credential', actor: actorOfKind('credential', ['READ_ONLY_ADMINISTRATOR']), standing: 'READER' },
  { title: 'Log credential', actor: actorOfKind('credential', ['READ_ONLY_SYSTEM_LOGS']), standing: 'OTHER' },
  { title: 'Issued, reviewer', actor: actorOfKind('issued_session', ['BASIC_USER'], false), standing: 'REVIEWER' },
  { title: 'Service principal', actor: actorOfKind('service_principal', ['BASIC_USER', 'SUPER_ADMINISTRATOR']), standing: 'SUPER' },
  { title: 'SCIM token', actor: actorOfKind('source', []), standing: 'OTHER' },
  { title: 'Nobody', actor: actorOfKind('anonymous', []), standing: 'OTHER' },
];

const signs: Readonly<Record<Expected, string>> = { yes: 'yes', no: '403', hidden: '404', unknown: '401' };

const introduction = `# Who may do what

This page is made from the contract by \`npm run generate\`. A test asks every operation as everybody below, over HTTP, and compares.

Each operation names three things in \`proto/\`: its permission, what kind of act it is, and whose objects it reaches.

- **Permission**: one of the caller's roles must hold it (\`src/domains/authority/permissions.ts\`). A credential that is narrowed to some roles holds
  what those roles hold, whatever its owner is: an owner's or a reviewer's credential that is narrowed to reading changes nothing.
- **Act**: \`READ\` reads. \`CHANGE\` changes something. \`ANSWER\` decides, attests, confirms, acknowledges or answers, or undoes that. People alone answer:
  never a service principal, nor what one issued.
- **Objects**: what the caller must be to the thing that is asked about.

Whoever acts through something they made or issued is compared as themselves, too. An administrator decides nothing about their own access through a
link that they printed for somebody else, confirms no removal that they claimed, answers no blind second review whose first decisions they read, and
acknowledges no review in which they decided. Events, histories and reports name the issuer beside the person.

What an administrator issues (a sign-in link, a credential) answers as the setting \`issuedAnswers\` of the tenant says: \`ALWAYS\`, \`NEVER\`, or
\`WITHOUT_OTHER_SIGN_IN\`, which is the default: only while the tenant has no identity provider and the installation sends no mail. The column *Issued,
reviewer* shows a reviewer whom the setting refuses.

| Answer | Meaning |
|---|---|
| yes | may, where the state of the thing allows it |
| 403 | is refused by name |
| 404 | does not learn that it is there |
| 401 | has to say who it is first |

*Owner* owns the review, *Reviewer* has tasks in it, *Subject* is the person whose access it asks about, and *App owner* owns the app, and
*Source owner* the source; all five are Basic Users. The Campaign Administrator made other reviews. *Older session* is a Super Administrator who signed in more than ten minutes ago, in a tenant with
a way to sign in again: what changes what signs in answers 403 with \`SIGN_IN_AGAIN\`. *Reading credential* and *Log credential* are narrowed to Read-Only
Administrator and to the system log. The service principal holds every role. Otherwise, a fresh session and a credential of one's own are the same here.
`;

function renderTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  return [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function table(operations: readonly ListedOperation[]): string {
  const titles = ['Operation', 'Permission', 'Act', 'Objects', ...columns.map(({ title }) => title)];
  const rows = operations.map((operation) => [
    operation.name,
    `\`${operation.permission}\``,
    operation.act,
    operation.object,
    ...columns.map(({ actor, standing, isStale }) => signs[expectedAnswer(operation, actor, standing, isStale)]),
  ]);
  return renderTable(titles, rows);
}

/** Finds what is seen of a thing of this kind: of the person whom the review asks about, of their account, and of the app that it is in. */
export function expectedSight(kind: SightKind, actor: Actor, standing: Standing): 'whole' | 'card' | '-' {
  if (actor.kind === 'anonymous' || actor.kind === 'source' || !holds(actor, 'inventory.concern')) {
    return '-';
  }
  const person = standing === 'SUBJECT' ? actor.userId : 'subject';
  const sight = { actor, ownedAppIds: new Set(standing === 'APP_OWNER' ? ['app'] : []) };
  const isWhole = {
    person: () => seesPersonWhole(actor, person),
    app: () => seesAppWhole(sight, 'app'),
    entitlement: () => seesAppWhole(sight, 'app'),
    account: () => seesAccountWhole(sight, { appId: 'app', userId: person }),
    policy: () => seesPoliciesWhole(actor),
  };
  return isWhole[kind]() ? 'whole' : 'card';
}

const sightKinds: readonly SightKind[] = ['person', 'app', 'entitlement', 'account', 'policy'];

function sightTable(): string {
  const titles = ['Kind', ...columns.map(({ title }) => title)];
  const rows = sightKinds.map((kind) => [kind, ...columns.map(({ actor, standing }) => expectedSight(kind, actor, standing))]);
  return renderTable(titles, rows);
}

const sightSection = `## What they see

Whoever may know of an object sees it whole or as a card, in every reply: lists, searches, expansions, audits. *Administrators* are those who read the
inventory: Super Administrators, Campaign Administrators and Read-Only Administrators. A grant is shown by its entitlement, its account and its owner.

${describeSights()}

The same for everybody above, of a person, an account of theirs, and an app that a review asks about: *whole*, *card*, or *-* for nothing at all.

${sightTable()}
`;

const doorSection = `## Other doors

Routes beside the contract, and what opens them. The server starts with no other route, and a test asks each of these with every key there is, and
with none. Everywhere the host of the request says whose tenant it is, except at \`/healthz\`, \`/readyz\` and \`/metrics\`. Connectors also speak
gRPC (\`c1.connectorapi.baton.v1.BatonService\`): a connector's token opens it for the source of that connector, and opens no operation above.

${describeDoors()}
`;

/** The text of the page. */
export function renderAuthority(operations: readonly ListedOperation[]): string {
  const sorted = [...operations].sort((a, b) => (a.name < b.name ? -1 : 1));
  const sections = (['ANSWER', 'CHANGE', 'READ'] as const).map((act) => {
    const some = sorted.filter((operation) => operation.act === act);
    return `## ${act}: ${some.length} operations\n\n${table(some)}\n`;
  });
  return [introduction, ...sections, sightSection, doorSection].join('\n');
}
