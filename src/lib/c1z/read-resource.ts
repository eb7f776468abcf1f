/** Messages of connectors about resources, of which users are a kind: only the fields that become something here. */
import { type BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { type Annotation, readAnnotation, readFields, readOne, readStruct, readTimestamp } from './wire.ts';

/** Traits of a resource type that mean something here, by their numbers. */
const traits = {
  accounts: [1, 11],
  leftOut: { 6: 'security insights', 8: 'vendors', 9: 'vendor agreements', 10: 'license profiles', 12: 'managed devices' },
} as const;

const leftOutByTrait: Readonly<Record<string, string>> = {
  SecurityInsightTrait: 'security insights',
  VendorTrait: 'vendors',
  VendorAgreementTrait: 'vendor agreements',
  LicenseProfileTrait: 'license profiles',
  ManagedDeviceTrait: 'managed devices',
};

/** Use that is made of resources of a type. */
export interface TypeUse {
  readonly isAccount: boolean;
  /** Plural of what they are, where they are left out; else ''. */
  readonly leftOut: string;
}

/** Reads of a ResourceType what its resources are. */
export function readTypeUse(data: Uint8Array): TypeUse {
  const found = new Set<number>();
  readFields(data, (no, reader, type) => {
    if (no !== 3) {
      return false;
    }
    if (type === WireType.Varint) {
      found.add(reader.int32());
      return true;
    }
    if (type !== WireType.LengthDelimited) {
      return false;
    }
    const end = reader.uint32() + reader.pos;
    while (reader.pos < end) {
      found.add(reader.int32());
    }
    return true;
  });
  const isAccount = traits.accounts.some((trait) => found.has(trait));
  const leftOut = Object.entries(traits.leftOut).find(([trait]) => found.has(Number(trait)))?.[1] ?? '';
  return { isAccount, leftOut: isAccount ? '' : leftOut };
}

/** A resource, and the account it is where it has a user's or an agent's trait. */
export interface Resource {
  readonly name: string;
  readonly description: string;
  readonly createdAt: string;
  /** Status of the resource itself: 0 where it has none. */
  readonly status: number;
  readonly statusDetails: string;
  readonly profile: ReadonlyMap<string, string>;
  readonly trait: AccountTrait | undefined;
  /** Plural of what it is, where its own trait says that it is left out; else ''. */
  readonly leftOut: string;
}

/** Trait of a user or an agent. */
export interface AccountTrait {
  readonly isAgent: boolean;
  readonly login: string;
  readonly email: string;
  readonly employeeId: string;
  /** 0 unset, 1 human, 2 service, 3 system. */
  readonly type: number;
  /** 0 unset, 1 enabled, 2 disabled, 3 deleted. */
  readonly status: number;
  readonly statusDetails: string;
  readonly createdAt: string;
  readonly lastLogin: string;
  readonly profile: ReadonlyMap<string, string>;
  readonly mfa: boolean | undefined;
  readonly sso: boolean | undefined;
}

const none: ReadonlyMap<string, string> = new Map();

/** Reads a Resource. */
export function readResource(data: Uint8Array): Resource {
  const found = { name: '', description: '', createdAt: '', status: 0, statusDetails: '', profile: none };
  let trait: AccountTrait | undefined;
  let leftOut = '';
  readFields(data, (no, reader, type) => {
    if (type !== WireType.LengthDelimited) {
      return false;
    }
    switch (no) {
      case 3:
        found.name = reader.string();
        return true;
      case 4: {
        const annotation = readAnnotation(reader.bytes());
        trait = readTrait(annotation) ?? trait;
        leftOut = leftOutByTrait[annotation.type] ?? leftOut;
        return true;
      }
      case 5:
        found.description = reader.string();
        return true;
      case 9:
        found.profile = readStruct(reader.bytes());
        return true;
      case 11:
        [found.status, found.statusDetails] = readStatus(reader.bytes());
        return true;
      case 12:
        found.createdAt = readTimestamp(reader.bytes());
        return true;
      default:
        return false;
    }
  });
  return { ...found, trait, leftOut };
}

function readTrait({ type, value }: Annotation): AccountTrait | undefined {
  return type === 'UserTrait' ? readUserTrait(value) : type === 'AgentTrait' ? readAgentTrait(value) : undefined;
}

/** An account that says nothing of itself: one whose type alone says that it is one. */
export const plainTrait: AccountTrait = {
  isAgent: false,
  login: '',
  email: '',
  employeeId: '',
  type: 0,
  status: 0,
  statusDetails: '',
  createdAt: '',
  lastLogin: '',
  profile: none,
  mfa: undefined,
  sso: undefined,
};

const readBool = (reader: BinaryReader) => reader.bool();

function readUserTrait(data: Uint8Array): AccountTrait {
  const found = { ...plainTrait };
  let hasPrimary = false;
  readFields(data, (no, reader, type) => {
    if (no === 5 && type === WireType.Varint) {
      found.type = reader.int32();
      return true;
    }
    if (type !== WireType.LengthDelimited) {
      return false;
    }
    switch (no) {
      case 1: {
        const message = reader.bytes();
        const address = readOne(message, 1, WireType.LengthDelimited, (inner) => inner.string()) ?? '';
        const isPrimary = readOne(message, 2, WireType.Varint, readBool) ?? false;
        if (address !== '' && (found.email === '' || (isPrimary && !hasPrimary))) {
          found.email = address;
          hasPrimary = isPrimary;
        }
        return true;
      }
      case 2:
        [found.status, found.statusDetails] = readStatus(reader.bytes());
        return true;
      case 3:
        found.profile = readStruct(reader.bytes());
        return true;
      case 6:
        found.login = reader.string();
        return true;
      case 8:
        found.createdAt = readTimestamp(reader.bytes());
        return true;
      case 9:
        found.lastLogin = readTimestamp(reader.bytes());
        return true;
      case 10:
        found.mfa = readOne(reader.bytes(), 1, WireType.Varint, readBool) ?? false;
        return true;
      case 11:
        found.sso = readOne(reader.bytes(), 1, WireType.Varint, readBool) ?? false;
        return true;
      case 13: {
        const id = reader.string();
        found.employeeId = found.employeeId === '' ? id : found.employeeId;
        return true;
      }
      default:
        return false;
    }
  });
  return found;
}

function readAgentTrait(data: Uint8Array): AccountTrait {
  const found = { ...plainTrait, isAgent: true };
  readFields(data, (no, reader, type) => {
    if (no === 1 && type === WireType.Varint) {
      found.status = reader.int32();
    } else if (no === 3 && type === WireType.LengthDelimited) {
      found.profile = readStruct(reader.bytes());
    } else {
      return false;
    }
    return true;
  });
  return found;
}

function readStatus(data: Uint8Array): [number, string] {
  const status = readOne(data, 1, WireType.Varint, (reader) => reader.int32()) ?? 0;
  return [status, readOne(data, 2, WireType.LengthDelimited, (reader) => reader.string()) ?? ''];
}
