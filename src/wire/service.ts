/**
 * Needs of a module to offer methods of the contract: `implement` and the `Call` each method is given. How a request becomes a call is src/http;
 * how JSON is read and written is in the files beside this one.
 */
import type { Readable } from 'node:stream';
import type { DescMessage, DescMethod, DescService, Message, MessageShape } from '@bufbuild/protobuf';
import type { Context } from '../context.ts';
import type { Expanded, Wanted } from './expand.ts';
import type { JsonOf, RowOf } from './row.ts';

/** Part of a list that is asked for. */
export interface Page {
  /** 10 to 100, 25 where the request says nothing. */
  readonly size: number;
  /** The key given to nextPageToken for the page before; undefined on the first page. */
  readonly after: readonly string[] | undefined;
}

/** One request as its method sees it, beside the typed message; `I` is the message of the request. */
export interface Call<I extends DescMessage = DescMessage> {
  /**
   * The client's request, normalised: lowerCamel keys, nulls removed, full enum names, times in UTC, path and query merged in. Presence is readable
   * from it: `false`, `""`, `0` and `[]` are there when they were sent.
   */
  readonly sent: JsonOf<I>;
  /** The request's update_mask as lowerCamel paths; undefined when absent or empty. */
  readonly mask: readonly string[] | undefined;
  readonly page: Page;
  /** The opaque token of the page after the row with this key; '' for undefined, which ends a list. */
  nextPageToken(key: readonly string[] | undefined): string;
  /** Related objects, as asked for by expandMask.paths; see `expand` in expand.ts. */
  expand(wanted: readonly Wanted[], requested: readonly string[] | undefined): Promise<Expanded>;
  /** The body of a streamed_body method, as it came over the wire; undefined elsewhere. */
  readonly body: Readable | undefined;
  /** Aborted, with the error to end on, when the client of a streamed_body method goes away before it was answered; undefined elsewhere. */
  readonly left: AbortSignal | undefined;
  /** The Content-Encoding of `body` in lower case; '' where there is none. */
  readonly contentEncoding: string;
  /** The Content-Type of `body` in lower case without parameters; '' where there is none. */
  readonly contentType: string;
  /** Scheme and host the client used, without a trailing slash: for links back to here. */
  readonly baseUrl: string;
}

/** One method: calls one rule and answers the row of the reply. */
export type ServiceMethod<I extends DescMessage, O extends DescMessage> = (
  context: Context,
  request: MessageShape<I>,
  call: Call<I>,
) => Promise<RowOf<O>>;

/** One function for each rpc of a service, by its name in lowerCamel. */
export type ServiceMethods<S extends DescService> = {
  readonly [K in keyof S['method']]: ServiceMethod<S['method'][K]['input'], S['method'][K]['output']>;
};

/** A method of the contract with what runs it. */
export interface BoundMethod {
  readonly desc: DescMethod;
  /** Calls it with the request of its own message: `implement` checked the types, which here are of many kinds. */
  run(context: Context, request: Message, call: Call): Promise<unknown>;
}

/** A service of the contract, all its methods bound. */
export interface BoundService {
  readonly desc: DescService;
  readonly methods: readonly BoundMethod[];
}

/** Binds functions to a service of the contract; a missing one does not compile, and throws. */
export function implement<S extends DescService>(desc: S, methods: ServiceMethods<S>): BoundService {
  return requireComplete(implementPart(desc, methods));
}

/**
 * Binds some functions of a service whose methods live in more than one module: what a module knows is often less than what a service offers.
 * `joinServices` puts the parts together.
 */
export function implementPart<S extends DescService>(desc: S, methods: Partial<ServiceMethods<S>>): BoundService {
  const parts = methods as unknown as Readonly<Record<string, BoundMethod['run'] | undefined>>;
  return {
    desc,
    methods: desc.methods.flatMap((method) => {
      const run = parts[method.localName];
      return run === undefined ? [] : [{ desc: method, run }];
    }),
  };
}

/** Each service once, with the methods of all its parts in the contract's order. Throws where two parts bind one method, or none does. */
export function joinServices(parts: readonly BoundService[]): readonly BoundService[] {
  const joined = new Map<string, { desc: DescService; methods: BoundMethod[] }>();
  for (const part of parts) {
    const service = joined.get(part.desc.typeName) ?? { desc: part.desc, methods: [] };
    for (const method of part.methods) {
      if (service.methods.some((other) => other.desc === method.desc)) {
        throw new Error(`${part.desc.typeName}.${method.desc.name} is bound twice.`);
      }
      service.methods.push(method);
    }
    joined.set(part.desc.typeName, service);
  }
  return [...joined.values()].map(requireComplete);
}

/** The service with its methods in the contract's order. Throws where one is missing. */
function requireComplete({ desc, methods }: BoundService): BoundService {
  return {
    desc,
    methods: desc.methods.map((method) => {
      const bound = methods.find((one) => one.desc === method);
      if (bound === undefined) {
        throw new TypeError(`${desc.typeName}.${method.name} is not implemented`);
      }
      return bound;
    }),
  };
}
