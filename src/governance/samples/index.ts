/** The public interface of the module samples: its service. */
export { services } from './service.ts';
