/** Holding a task while it is carried out: heartbeats, and what the server answers to them. */
import type { Client } from '@connectrpc/connect';
import type { BatonService } from '../gen/c1/connectorapi/baton/v1/baton_pb.js';
import type { Runner } from './runner.ts';
import { callOptions, sentenceOf, troubleOf } from './speak.ts';
import type { OwnTask } from './upload.ts';

/** A task that is held. */
export interface HeldTask {
  /** Aborted once the task is no longer this host's, or the runner is to stop. */
  readonly signal: AbortSignal;
  /** True once the server took the task away. */
  isLost(): boolean;
  /** Ends the heartbeats. */
  end(): Promise<void>;
}

/** Says every so many milliseconds that the task is being worked on. */
export function holdTask(runner: Runner, client: Client<typeof BatonService>, task: OwnTask, milliseconds: number): HeldTask {
  const lost = new AbortController();
  const over = new AbortController();
  const beating = beat();

  async function beat(): Promise<void> {
    for (;;) {
      await runner.sleep(milliseconds, over.signal);
      if (over.signal.aborted) {
        return;
      }
      try {
        const { cancelled } = await client.heartbeat(task, { ...callOptions, signal: over.signal });
        if (cancelled) {
          runner.log.info({ taskId: task.taskId }, 'the server cancelled the task');
          lost.abort();
        }
      } catch (error) {
        if (over.signal.aborted) {
          return;
        }
        const trouble = troubleOf(error);
        runner.log.warn({ taskId: task.taskId, reason: sentenceOf(error) }, 'a heartbeat failed');
        if (trouble === 'GONE' || trouble === 'REFUSED') {
          lost.abort();
        }
      }
      if (lost.signal.aborted) {
        return;
      }
    }
  }

  return {
    signal: AbortSignal.any([runner.signal, lost.signal]),
    isLost: () => lost.signal.aborted,
    end() {
      over.abort();
      return beating;
    },
  };
}
