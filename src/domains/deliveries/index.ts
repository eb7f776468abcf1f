/** The public interface of deliveries: adding them, what a kind is, the runner that makes them, and the service for administrators. */
export { type DeliveryRequest, enqueueDelivery } from './enqueue-delivery.ts';
export { createDeliveryRunner, type DeliveryRunner, type DeliveryRunnerOptions } from './runner.ts';
export { services } from './service.ts';
export { stopDeliveries } from './stop-deliveries.ts';
export { countDeliveries, type DeliveryCounts } from './store-queue.ts';
export type { Delivery, DeliveryKind } from './types.ts';
