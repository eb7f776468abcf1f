/** Slot of connectors' tasks for the module that has them carry out removals, which comes later. */
import type { Context } from '../../context.ts';
import { createSlot } from '../../lib/slot.ts';
import type { HostRow } from './store-hosts.ts';
import type { ConnectorTask } from './store-tasks.ts';

/** End of a task as its connector tells it; SILENT where it fell silent each time, CANCELLED where it was given up here. */
export type TaskEnd =
  | { readonly kind: 'SUCCESS'; readonly annotations: readonly string[] }
  | {
      readonly kind: 'ERROR';
      /** gRPC code; 0 for none. */
      readonly code: number;
      readonly message: string;
      /** Types of the annotations by their last names. */
      readonly annotations: readonly string[];
    }
  | { readonly kind: 'SILENT' };

/** Later module's answers, in the transaction of the task, which is locked. */
export interface ConnectorTaskSlot {
  /** Notes that a removal is handed to a host; false where it is not wanted any more. */
  readonly sendRemoval: (context: Context, task: ConnectorTask, host: HostRow) => Promise<boolean>;
  /** Follows the end of a removal. */
  readonly endRemoval: (context: Context, task: ConnectorTask, end: TaskEnd) => Promise<void>;
}

/** Slot it fills. */
export const connectorTaskSlot = createSlot<ConnectorTaskSlot>('connector-tasks');
