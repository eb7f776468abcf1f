/**
 * Meanings of other systems' values: whether an account can be used, of which type it is, whether a person still works here. A value that is not
 * here has no meaning by itself: it needs one given, and is never taken for the usual case.
 */
import type { WordKind } from './mapping.ts';

/** Possible meanings, the usual case first. */
export const knownWords: Readonly<Record<WordKind, readonly [string, ...string[]]>> = {
  status: ['ENABLED', 'DISABLED'],
  type: ['USER', 'SERVICE_ACCOUNT', 'SYSTEM_ACCOUNT'],
  employment: ['ACTIVE', 'TERMINATED'],
};

const yes = 'true|t|yes|y|1|x|on|checked|ja|j|wahr|oui|o|vrai|si|s|verdadero|✓|✔';
const no = 'false|f|no|n|0|off|unchecked|nein|falsch|non|faux|falso';
const active = `active|activated|enabled|enable|open|ok|current|valid|live|normal|inuse|confirmed|accepted|approved|registered
  |aktiv|aktiviert|freigegeben|entsperrt|gultig|gueltig|actif|active|habilite|valide|activo|activa|activado|habilitado|vigente`;
const inactive = `inactive|disabled|deactivated|suspended|blocked|locked|lockedout|deprovisioned|staged|archived|frozen|closed|terminated|expired
  |revoked|deleted|removed|expiredlocked|lockedtimed|expiredlockedtimed|expiredgracelocked|expiredgracelockedtimed|cancelled|canceled|notactive|inaktiv|deaktiviert|gesperrt|ausgeschieden|geloscht|geloescht|abgelaufen|archiviert
  |inactif|inactive|desactive|suspendu|suspendue|bloque|bloquee|verrouille|supprime|expire
  |inactivo|inactiva|desactivado|deshabilitado|suspendido|bloqueado|eliminado|caducado|cancelado`;

/**
 * Beside the plain words: an invited person can use the account as soon as they like; somebody whose password ran out sets another. Staged and
 * locked accounts cannot be used before somebody acts.
 */
const texts: Readonly<Record<WordKind, Readonly<Record<string, string>>>> = {
  status: {
    ENABLED: `${yes}|${active}|provisioned|passwordexpired|passwordreset|expiredgrace|openinrollover|recovery|invited|pending|pendinginvitation|pendingacceptance|pendinguseraction`,
    DISABLED: `${no}|${inactive}`,
  },
  type: {
    USER: `user|useraccount|human|person|member|guest|employee|internal|external|standard|regular|admin|administrator|dialog|sqluser|sqllogin|windowsuser|windowslogin|externaluser|adminuser|a|benutzer|mitarbeiter|mitglied|gast
      |utilisateur|membre|invite|usuario|miembro|invitado`,
    SERVICE_ACCOUNT: `service|serviceaccount|serviceuser|serviceprincipal|bot|botuser|robot|application|app|machine|api|apiuser|technical|technicaluser|integration
      |integrationuser|workload|managedidentity|technisch|technischerbenutzer|dienst|dienstkonto|compteservice|servicio|cuentadeservicio`,
    SYSTEM_ACCOUNT:
      'group|grp|securitygroup|windowsgroup|externalgroup|computer|msdsgroupmanagedserviceaccount|databaserole|applicationrole|system|systemaccount|systemuser|builtin|root|internalsystem|systeme|sistema|systembenutzer',
  },
  employment: {
    ACTIVE: `${yes}|${active}|employed|onleave|leave|paidleave|unpaidleave|parentalleave|maternityleave|sickleave|probation|notice|onboarding|hired|working
      |provisioned|staged|recovery|passwordexpired|passwordreset|lockedout|locked|invited|pending|pendinguseraction|prehire|prestart|sabbatical|furlough|gardenleave|gardeningleave
      |activeassignment|leaveofabsence|activepayrolleligible|angestellt|beschaftigt|beurlaubt|elternzeit|mutterschutz|probezeit|enposte|enconge|presente|present|contratado|debaja|enexcedencia|alta`,
    TERMINATED: `${no}|inactive|terminated|former|left|leaver|resigned|retired|dismissed|deceased|separated|disabled|deactivated|notactive|exemployee|alumni|deprovisioned|suspended|archived|deleted|removed|inactiveassignment|withdrawn|offboarded|discharged
      |terminatedassignment|expired|blocked|gesperrt|deaktiviert
      |inaktiv|ausgeschieden|ausgetreten|gekundigt|beendet|pensioniert|inactif|sorti|sortie|parti|partie|licencie|demissionne|retraite
      |inactivo|inactiva|cesado|baja|despedido|jubilado|terminado`,
  },
};

const dictionaries = Object.fromEntries(
  Object.entries(texts).map(([kind, words]) => [
    kind,
    new Map(
      Object.entries(words).flatMap(([word, list]) => [word, ...list.split('|')].map((text): [string, string] => [plainValue(text), word])),
    ),
  ]),
) as unknown as Readonly<Record<WordKind, ReadonlyMap<string, string>>>;

const yesWords: ReadonlySet<string> = new Set(yes.split('|'));
const noWords: ReadonlySet<string> = new Set(['', '-', ...no.split('|')]);
const lockWords: ReadonlySet<string> = new Set(inactive.split('|').map(plainValue));

/** A value by its letters and digits, without accents. */
function plainValue(value: string): string {
  return value
    .normalize('NFKD')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}✓✔]/gu, '');
}

/** Meaning of a value in a column of this kind; undefined where that is not known. An empty one means nothing. */
export function wordMeaning(kind: WordKind, value: string): string | undefined {
  // Google's members are `user:ann@...`, `serviceAccount:...`, `group:...`.
  const plain = plainValue(kind === 'type' && /^[a-z]+:./i.test(value) ? value.slice(0, value.indexOf(':')) : value);
  return plain === '' ? undefined : dictionaries[kind].get(plain);
}

/**
 * Meaning of a value in a column whose name says the opposite, such as `suspended?`: yes is not usable, no is. A word of its own (`Locked`,
 * `Active`) means itself; nothing means no.
 */
export function oppositeWord(kind: WordKind, value: string): string | undefined {
  const plain = plainValue(value) || value.trim();
  const [usual, other] = knownWords[kind];
  if (noWords.has(plain)) {
    return usual;
  }
  if (yesWords.has(plain) || lockWords.has(plain)) {
    return other;
  }
  return /^(not|nicht|pas|no)/.test(plain) && lockWords.has(plain.replace(/^(not|nicht|pas|no)/, '')) ? usual : wordMeaning(kind, value);
}

const negative = `suspended|issuspended|suspension|disabled|isdisabled|accountdisabled|userdisabled|locked|islocked|lockedout|islockedout|accountlocked|userlocked|acctlock|acctlocked|frozen|isfrozen
  |archived|isarchived|deactivated|isdeactivated|blocked|isblocked|inactive|isinactive|terminated|isterminated|deleted|isdeleted|revoked
  |gesperrt|sperre|sperrung|deaktiviert|inaktiv|geloscht|ausgeschieden|suspendu|bloque|verrouille|desactive|inactif|suspendido|bloqueado|desactivado|deshabilitado|inactivo|uflag`;
const positive = `status|userstatus|accountstatus|memberstatus|membershipstatus|employeestatus|workerstatus|employmentstatus|hrstatus|positionstatus|jobstatus|assignmentstatus|associatestatus|activestatus|accountstate|userstate|state|lifecyclestate|lifecyclestatus
  |active|isactive|useractive|accountactive|enabled|isenabled|accountenabled|userenabled|kontostatus|benutzerstatus|mitarbeiterstatus|beschaftigungsstatus|aktiv|aktiviert|zustand
  |statut|etat|actif|estado|estatus|activo|activa|situacion|situation`;

const negativeNames: ReadonlySet<string> = new Set(negative.split('|').map((name) => name.trim()));
const positiveNames: ReadonlySet<string> = new Set(positive.split('|').map((name) => name.trim()));
/** Names that as often mean something else, such as a part of a country: their values decide. */
const vagueNames: ReadonlySet<string> = new Set(['state', 'etat', 'estado', 'situation', 'situacion', 'zustand', 'deleted']);

/**
 * Sense of a plain column name about an account or a person: `plain` that it can be used, `opposite` that it cannot; undefined where the name says
 * neither. `isVague`: the name may mean something else.
 */
export function senseOfName(plain: string): { readonly sense: 'plain' | 'opposite'; readonly isVague: boolean } | undefined {
  // `user.locked_out` and `Account locked` say what `locked` does.
  const bare = [plain, plain.replace(/^(user|account|assignee|member|employee|person|login|sys|u|benutzer|konto)/, '')];
  const sense = bare.some((name) => negativeNames.has(name))
    ? 'opposite'
    : bare.some((name) => positiveNames.has(name))
      ? 'plain'
      : undefined;
  return sense === undefined ? undefined : { sense, isVague: bare.some((name) => vagueNames.has(name)) };
}
