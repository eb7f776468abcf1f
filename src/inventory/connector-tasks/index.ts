/** The public interface of connectors that speak to us: who they are, and what they are asked to do. */
export { eraseTaskTexts } from './store-erase.ts';
export { finishTask, giveTasks, renewTask } from './give-tasks.ts';
export { greetHost, type SpeakingSource } from './greet-host.ts';
export { maxLogBytes, maxUploadBytes } from './limits.ts';
export { requireSpeakingSource } from './require-source.ts';
export { addRemoval, endSilentTasks, giveUpRemoval, releaseTasks, repeatRemoval } from './removals.ts';
export { createServices } from './service.ts';
export { connectorTaskSlot, type TaskEnd } from './slots.ts';
export { findProvisions, type HostFacts, type HostRow } from './store-hosts.ts';
export type { ConnectorTask } from './store-tasks.ts';
export { type ReceivedFile, takeFile, takeLog } from './take-upload.ts';
